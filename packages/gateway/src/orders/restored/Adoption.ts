/**
 * What a restored copy forgot, as pure decisions: which bookings are not known here, and what a request that is repeated
 * makes of them. An adopted booking is asked for under its own reference and never sent again.
 */
import * as Change from "../../kernel/Change.ts"
import type * as Decision from "../../kernel/Decision.ts"
import * as Booking from "../Booking.ts"
import type { Action, OrderRequest } from "../OrderRequest.ts"
import type * as Register from "../Register.ts"
import { BankBooking, isOpen, type Source } from "./BankBooking.ts"
import type { Enumeration, Restoration } from "./Restoration.ts"

/** Whether a request here is the booking's own. */
export const isKnown = (reference: Booking.Reference, requests: ReadonlyArray<OrderRequest>): boolean =>
  requests.some((request) => isOwn(reference, request))

/** A full return asks for a refund and then for a release, under one number. */
const kindsOf: Readonly<Partial<Record<Action, ReadonlyArray<string>>>> = {
  refundThenCancel: ["refund", "cancel"],
  cancel: ["cancel", "refund"]
}

/** Whether the request was sent under this reference. */
export const isOwn = ({ kind, sequence }: Booking.Reference, request: OrderRequest): boolean =>
  request.sequence === sequence && (kindsOf[request.action] ?? [request.action]).includes(kind)

/** `merchantId`: whose it is where the bank does not tell; empty: nobody knows. */
export const rowOf = (
  source: Source,
  booking: Booking.Booking,
  merchantId: string,
  foundAtMs: number
): BankBooking => ({
  source,
  reference: booking.reference,
  version: 1,
  orderId: Booking.parse(booking.reference)?.orderId ?? "",
  merchantId: booking.merchantId ?? merchantId,
  clientOrderId: booking.clientOrderId ?? null,
  kind: booking.kind,
  amountMinor: booking.amountMinor,
  currency: booking.currency,
  bookedAtMs: booking.atMs,
  result: booking.result,
  state: "open",
  foundAtMs,
  closedAtMs: null,
  closedBy: null,
  note: null
})

/** Returns the booking in the form in which it was listed. */
export const bookingOf = ({ bookedAtMs, clientOrderId, merchantId, ...row }: BankBooking): Booking.Booking => ({
  reference: row.reference,
  clientOrderId: clientOrderId ?? undefined,
  merchantId: merchantId ?? undefined,
  kind: row.kind,
  amountMinor: row.amountMinor,
  currency: row.currency,
  atMs: bookedAtMs,
  result: row.result
})

/** From when on bookings may be unknown here, and when no further one can come of what was sent before the start. */
export const periodOf = (
  { lastCommitAtMs }: Pick<Restoration, "lastCommitAtMs">,
  startedAtMs: number,
  longestProcessingMs: number
): Booking.Period => ({
  fromMs: lastCommitAtMs === null ? 0 : Math.max(0, lastCommitAtMs - longestProcessingMs),
  toMs: startedAtMs + longestProcessingMs
})

/** How far the clock of a bank or rail may be from ours, at least: one booking that is not listed is one that is made twice. */
const clockSkewMs = 3_600_000

/** What is asked for to have the whole period, by whatever clock. */
export const listing = ({ fromMs, toMs }: Booking.Period): Booking.Period => ({
  fromMs: Math.max(0, fromMs - clockSkewMs),
  toMs: toMs + clockSkewMs
})

export const begin = (source: Source, restoredAtMs: number, period: Booking.Period): Enumeration => ({
  source,
  restoredAtMs,
  ...period,
  bookings: 0,
  forgotten: 0,
  after: null,
  doneAtMs: null,
  doneBy: null
})

/** What a creation asks for: the action in its reference, and its amounts. */
export interface AdoptableRequest {
  readonly action: Action
  readonly amountsMinor: ReadonlyArray<number>
  readonly currency: string
}

/** The order that takes the bookings over. */
export interface Adoption {
  readonly orderId: string
  readonly createdAtMs: number
  readonly rows: ReadonlyArray<BankBooking>
  /** The bank approved it, or cannot say yet. */
  readonly isPaid: boolean
}

const creations: ReadonlySet<string> = new Set(["sale", "authorize", "verify", "transfer", "pay"])

/**
 * The bookings under the merchant's number, as the order that a repeat becomes. Undefined: none. `differs`: they are of
 * another amount, currency or operation.
 */
export const adoption = (
  rows: ReadonlyArray<BankBooking>,
  { action, amountsMinor, currency }: AdoptableRequest,
  startedAtMs: number
): Adoption | "differs" | undefined => {
  const mine = rows.flatMap((row) => {
    const reference = Booking.parse(row.reference)
    return isOpen(row) && reference !== undefined && creations.has(reference.kind) ? [{ row, reference }] : []
  })
  const wanted = action === "check" ? "pay" : action
  const match = mine.find(
    ({ reference, row }) =>
      reference.kind === wanted && row.currency === currency && amountsMinor.includes(row.amountMinor)
  )
  if (match === undefined) return mine.length === 0 ? undefined : "differs"
  const { orderId } = match.row
  const taken = mine.flatMap(({ row }) => (row.orderId === orderId ? [row] : []))
  return {
    orderId,
    createdAtMs: Math.min(startedAtMs, ...taken.map(({ bookedAtMs }) => bookedAtMs)),
    rows: taken,
    isPaid: taken.some(({ result }) => result !== "declined")
  }
}

const adoptedRow = (row: BankBooking, nowMs: number): Change.Change =>
  Change.update(BankBooking, row, { state: "adopted", closedAtMs: nowMs })

/** Money that has left cannot be refused for a balance that is too low: the copy may not know its funding. */
export const adopted = (
  { decision, order, started }: Register.Registered,
  { rows }: Adoption,
  nowMs: number
): Register.Registered => {
  const guards = decision.guards.filter(({ _tag }) => _tag !== "BalanceAtLeast")
  const marks = rows.map((row) => adoptedRow(row, nowMs))
  return { order, started, decision: Change.all({ ...decision, guards }, ...marks) }
}

/** The number of a follow-up, and what becomes true with it. */
export interface Numbered {
  readonly sequence: number
  readonly guards: ReadonlyArray<Decision.Guard>
  readonly writes: ReadonlyArray<Decision.Write>
}

const kindOf = (action: Action): string => (action === "refundThenCancel" ? "refund" : action)

/** Whether something was booked under the number of which nobody knows whose it is: it may be this merchant's. */
export const mayBeAnyones = (rows: ReadonlyArray<BankBooking>): boolean =>
  rows.some((row) => isOpen(row) && creations.has(Booking.parse(row.reference)?.kind ?? ""))

/**
 * A follow-up that the bank has booked already takes the booking's number, so that it is asked for and not sent; any other
 * one takes a number that no booking has.
 */
export const numbered = (
  rows: ReadonlyArray<BankBooking>,
  wanted: { readonly action: Action; readonly amountMinor: number; readonly sequence: number },
  nowMs: number
): Numbered => {
  const numbers = rows.flatMap((row) => {
    const reference = Booking.parse(row.reference)
    return reference === undefined ? [] : [{ row, reference }]
  })
  const match = numbers.find(
    ({ reference, row }) =>
      isOpen(row) && reference.kind === kindOf(wanted.action) && row.amountMinor === wanted.amountMinor
  )
  if (match === undefined) {
    const sequence = Math.max(wanted.sequence, ...numbers.map(({ reference }) => reference.sequence + 1))
    return { sequence, guards: [], writes: [] }
  }
  const { sequence } = match.reference
  // A full return is two bookings under one number: the refund, and the rest of the hold that is released.
  const marks = numbers
    .filter(({ reference, row }) => reference.sequence === sequence && isOpen(row))
    .map(({ row }) => adoptedRow(row, nowMs))
  return { sequence, ...Change.all(...marks) }
}

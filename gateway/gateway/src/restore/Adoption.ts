/**
 * Pure decisions about bookings that a restored copy lacks: which bookings no request here has, and how a repeated request
 * adopts them. An adopted booking is inquired about under its own reference and never sent again.
 */
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { facts, Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import * as StoreRow from "../kernel/StoreRow.ts"
import { defaultAcquirer } from "../merchants/Terminal.ts"
import * as Acquirers from "../orders/bank/Acquirers.ts"
import type * as Register from "../orders/decide/Register.ts"
import * as Actions from "../orders/record/Actions.ts"
import * as Booking from "../orders/record/Booking.ts"
import type { OrderRequest } from "../orders/record/OrderRequest.ts"
import type { FollowUpRequest, MadeOrder, NewRequest } from "../orders/requests/FormerOrders.ts"
import { BankBooking, isOpen } from "./BankBooking.ts"
import { HeldJob } from "./HeldJob.ts"
import type { Enumeration, Restoration } from "./Restoration.ts"

/** A list of bookings that a copy may lack: the source, and the name of the acquirer, which is empty for the rail. */
export type List = Pick<Enumeration, "acquirer" | "source">

/** The lists of a gateway with one acquirer. */
export const lists = {
  bank: { source: "bank", acquirer: defaultAcquirer },
  rail: { source: "rail", acquirer: "" }
} as const satisfies Readonly<Record<string, List>>

/** Returns the row of a booking. `merchantId`: the merchant, if the bank does not report it; empty if it is unknown. */
export const rowOf = (
  { acquirer, source }: List,
  booking: Booking.Booking,
  merchantId: string,
  createdAtMs: number
): BankBooking => ({
  source,
  acquirer: source === "rail" ? null : Acquirers.columnOf(acquirer),
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
  createdAtMs,
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

/**
 * Tolerance for other clocks, in milliseconds: those of a bank, a rail, and the machine on which the store was before. A booking outside
 * of the listed period could be made a second time.
 */
export const clockSkewMs = 3_600_000

/**
 * Returns the period of bookings that this store may lack: from shortly before its last commit until all requests from before
 * the start are processed. A last commit long after the start was made under a wrong clock, so its time says nothing.
 */
export const periodOf = (
  { lastCommitAtMs }: Pick<Restoration, "lastCommitAtMs">,
  startedAtMs: number,
  longestProcessingMs: number
): Booking.Period => ({
  fromMs:
    lastCommitAtMs === null || lastCommitAtMs > startedAtMs + clockSkewMs
      ? 0
      : Math.max(0, Math.min(lastCommitAtMs, startedAtMs) - longestProcessingMs),
  toMs: startedAtMs + longestProcessingMs
})

/** Returns the period to list, extended by {@link clockSkewMs} on both sides. */
export const listing = ({ fromMs, toMs }: Booking.Period): Booking.Period => ({
  fromMs: Math.max(0, fromMs - clockSkewMs),
  toMs: toMs + clockSkewMs
})

export const begin = ({ acquirer, source }: List, restoredAtMs: number, period: Booking.Period): Enumeration => ({
  source,
  acquirer,
  restoredAtMs,
  ...period,
  bookings: 0,
  missing: 0,
  after: null,
  completedAtMs: null,
  completedBy: null
})

/** The bookings that a repeated request adopts, and the order to which they belong. */
export interface Adoption extends MadeOrder {
  readonly rows: ReadonlyArray<BankBooking>
}

const creations: ReadonlySet<string> = new Set(
  Object.values(Actions.facts).flatMap(({ creates, kind }) => (creates || kind === "pay" ? [kind] : []))
)

/**
 * Returns the bookings that a repeated request adopts. Undefined: there are none under the merchant's number. `differs`:
 * they have another amount, currency or operation.
 */
export const adoption = (
  rows: ReadonlyArray<BankBooking>,
  { action, amountsMinor, currency }: NewRequest,
  startedAtMs: number
): Adoption | "differs" | undefined => {
  const creationRows = rows.flatMap((row) => {
    const reference = Booking.parse(row.reference)
    return isOpen(row) && reference !== undefined && creations.has(reference.kind) ? [{ row, reference }] : []
  })
  const kind = action === "check" ? "pay" : action
  const match = creationRows.find(
    ({ reference, row }) =>
      reference.kind === kind && row.currency === currency && amountsMinor.includes(row.amountMinor)
  )
  if (match === undefined) return creationRows.length === 0 ? undefined : "differs"
  const { acquirer, orderId } = match.row
  const adoptedRows = creationRows.flatMap(({ row }) =>
    row.orderId === orderId && row.acquirer === acquirer ? [row] : []
  )
  return {
    orderId,
    acquirer,
    createdAtMs: Math.min(startedAtMs, ...adoptedRows.map(({ bookedAtMs }) => bookedAtMs)),
    rows: adoptedRows,
    complete: (registered, nowMs) => adopted(registered, adoptedRows, nowMs)
  }
}

export const adoptedRow = (row: BankBooking, nowMs: number): Change.Change =>
  Change.update(BankBooking, row, { state: "adopted", closedAtMs: nowMs })

/**
 * Removes the guards of balances and marks the bookings as adopted. A payment that was already made cannot be refused for
 * a low balance, because the copy may lack the merchant's funding, nor for one that is too large.
 */
const adopted = (
  { decision, order }: Register.Registered,
  rows: ReadonlyArray<BankBooking>,
  nowMs: number
): Register.Registered => {
  const guards = decision.guards.filter(({ _tag }) => _tag !== "BalanceAtLeast" && _tag !== "BalanceHasRoom")
  const marks = rows.map((row) => adoptedRow(row, nowMs))
  return withHeldJobs({ order, decision: Change.all({ ...decision, guards }, ...marks) }, nowMs)
}

/**
 * Returns the registration with its jobs held, and due now: bank or rail is asked what became of the order, and nothing is sent before
 * that.
 */
export const withHeldJobs = ({ decision, order }: Register.Registered, nowMs: number): Register.Registered => {
  const writes = decision.writes.flatMap((write): ReadonlyArray<Decision.Write> => {
    if (!("row" in write) || write.entity !== Job) return [write]
    const job = StoreRow.typed(Job, write.row)
    const { dueAtMs, jobId, kind } = job
    return facts[kind].movesOrders
      ? [
          { ...write, row: { ...job, dueAtMs: Math.min(dueAtMs, nowMs) } },
          Decision.put(HeldJob, { jobId, kind, subject: order.orderId, dueAtMs, taskId: null })
        ]
      : [write]
  })
  return { order, decision: { ...decision, writes } }
}

/** Whether there is an open booking of a creation under the number. Its merchant is unknown, so it may be this merchant's. */
export const mayBelongToAnyMerchant = (rows: ReadonlyArray<BankBooking>): boolean =>
  rows.some((row) => isOpen(row) && creations.has(Booking.parse(row.reference)?.kind ?? ""))

const followUpKinds: ReadonlySet<string> = new Set(
  Object.values(Actions.facts).flatMap(({ creates, kind, of }) => (of === "bank" && !creates ? [kind] : []))
)

/** Whether the reference is one of a follow-up of a card order. */
export const isFollowUp = ({ kind }: Booking.Reference): boolean => followUpKinds.has(kind)

/** Returns the writes that begin the registration of an order's follow-ups. */
export const registering = (orderId: string, nowMs: number): ReadonlyArray<Decision.Write> => {
  const job = Jobs.make({ kind: "enumerate", subject: orderId, merchantId: "", nowMs })
  const heldJob = { jobId: job.jobId, kind: job.kind, subject: orderId, dueAtMs: nowMs, taskId: null }
  return [Decision.put(Job, job), Decision.put(HeldJob, heldJob)]
}

/**
 * Returns the registration of an order that was already made with that of its follow-ups. `bookings`: those of the order. Without it, the
 * next follow-up would have the reference of one that was made.
 */
export const withFollowUps = (
  { decision, order }: Register.Registered,
  bookings: ReadonlyArray<BankBooking>,
  nowMs: number
): Register.Registered => {
  const isFollowedUp = bookings.some((row) => {
    const reference = Booking.parse(row.reference)
    return isOpen(row) && reference !== undefined && isFollowUp(reference)
  })
  const begun = isFollowedUp ? Change.writing(...registering(order.orderId, nowMs)) : Change.none
  return { order, decision: Change.all(decision, begun) }
}

/** The actions that an operation of a merchant requests. */
const actionsOf: Readonly<Partial<Record<string, ReadonlyArray<Actions.Action>>>> = {
  CAPTURE: ["capture"],
  VOID: ["void"],
  RETURN: ["refund", "void"]
}

/**
 * Returns the registered request that an equal request of the merchant takes over. No merchant has requested it here yet, so that it has
 * no fingerprint. `amountMinor`: undefined for everything that was left; `isWhole`: nothing is left now.
 */
export const unclaimed = (
  requests: ReadonlyArray<OrderRequest>,
  { amountMinor, isWhole, operation }: FollowUpRequest
): OrderRequest | undefined =>
  requests.find(
    (request) =>
      request.fingerprint === "" &&
      request.operation in actionsOf &&
      actionsOf[operation]?.includes(request.action) === true &&
      (amountMinor === undefined ? isWhole || request.action === "void" : request.amountMinor === amountMinor)
  )

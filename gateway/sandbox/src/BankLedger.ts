/**
 * The bank's own books by reference. They are separate from the gateway's books, so that each can be checked against the other.
 * The books are the sum of their entries. A query is answered for a moment in time.
 */
import type * as Listed from "@pay/gateway/BankBooks"
import { answerAt, type Booking, type Entry, isKnown } from "./Booking.ts"

/** Amounts of one order, in minor units, as far as the bank can report them. */
export interface Totals {
  readonly authorizedMinor: number
  readonly capturedMinor: number
  /** The part of `capturedMinor` that went to another card. */
  readonly transferredMinor: number
  readonly refundedMinor: number
  readonly voidedMinor: number
}

/** Returns the sums of these bookings at `nowMs`. A booking that was declined, also after its approval, moves no money. */
export const sum = (bookings: ReadonlyArray<Booking>, nowMs: number): Totals => {
  const totals = { authorizedMinor: 0, capturedMinor: 0, transferredMinor: 0, refundedMinor: 0, voidedMinor: 0 }
  for (const booking of bookings) {
    if (answerAt(booking, nowMs)._tag === "Declined") continue
    const { request } = booking
    switch (request.kind) {
      case "authorize":
        totals.authorizedMinor += request.amountMinor
        if (request.capture === true) totals.capturedMinor += request.amountMinor
        if (request.recipient !== undefined) totals.transferredMinor += request.amountMinor
        break
      case "capture":
        totals.capturedMinor += request.amountMinor
        break
      case "refund":
        totals.refundedMinor += request.amountMinor
        break
      case "void":
        totals.voidedMinor += request.amountMinor
    }
  }
  return totals
}

/** Returns the kind under which a booking is listed. `undefined` for a booking that is not listed, because it moves no money. */
const listedKind = ({ capture, kind, recipient }: Booking["request"]): Listed.Kind | undefined => {
  switch (kind) {
    case "authorize":
      return recipient === undefined ? (capture === true ? "sale" : "authorize") : "transfer"
    case "eligible":
    case "check":
      return undefined
    default:
      return kind
  }
}

/** Returns the booking as the bank lists it now. Returns undefined if it is not a booking or has not arrived yet. */
const listed = (booking: Booking, nowMs: number): Listed.Booking | undefined => {
  const { before, bookedAtMs, knownFromMs, request } = booking
  const kind = listedKind(request)
  const isBooked = isKnown(booking, nowMs)
  if (kind === undefined || (!isBooked && before === "NotFound")) return undefined
  const answer = answerAt(booking, nowMs)
  return {
    reference: request.reference,
    clientOrderId: request.clientOrderId,
    merchantId: request.merchantId,
    kind,
    amountMinor: request.amountMinor,
    currency: request.currency,
    atMs: before === "NotFound" ? (knownFromMs ?? bookedAtMs) : bookedAtMs,
    result: !isBooked ? "unknown" : answer._tag === "Approved" ? "approved" : "declined"
  }
}

const rowsOfPage = 1000
const placeOf = ({ atMs, reference }: Listed.Booking): string => `${`${atMs}`.padStart(15, "0")} ${reference}`

/** Money that was paid out for one order, in minor units, as far as the rail can report it. */
export interface RailTotals {
  readonly paidMinor: number
  /** The part of `paidMinor` that the rail refused afterwards. */
  readonly refusedLateMinor: number
}

/** Returns what the rail has paid of these bookings. */
const paidOut = (bookings: ReadonlyArray<Booking>, nowMs: number): RailTotals => {
  const paid = bookings.filter(
    (booking) => booking.request.kind === "pay" && booking.answer._tag === "Approved" && isKnown(booking, nowMs)
  )
  const minor = (counted: ReadonlyArray<Booking>) =>
    counted.reduce((total, { request }) => total + request.amountMinor, 0)
  return {
    paidMinor: minor(paid),
    refusedLateMinor: minor(paid.filter((booking) => answerAt(booking, nowMs)._tag === "Declined"))
  }
}

/** Returns a page of the bookings of a period, oldest first. */
const pageOf = (
  bookings: ReadonlyArray<Booking>,
  { fromMs, toMs }: Listed.Period,
  after: string | undefined,
  nowMs: number
): Listed.Page => {
  const matches = bookings
    .flatMap((booking) => listed(booking, nowMs) ?? [])
    .filter(({ atMs }) => fromMs <= atMs && atMs < toMs)
    .map((booking) => ({ booking, place: placeOf(booking) }))
    .filter(({ place }) => after === undefined || place > after)
    .sort((one, other) => (one.place < other.place ? -1 : 1))
  const page = matches.slice(0, rowsOfPage)
  return {
    bookings: page.map(({ booking }) => booking),
    next: matches.length > page.length ? page.at(-1)?.place : undefined
  }
}

/** The books of one simulated bank or payout rail, in memory. */
export class BankLedger {
  readonly #byReference = new Map<string, Booking>()
  readonly #byOrder = new Map<string, Array<string>>()
  readonly #misses = new Map<string, number>()
  readonly #violations: Array<string> = []

  /** Applies one entry, either new or read from the journal. */
  apply(entry: Entry): void {
    switch (entry._tag) {
      case "Booked": {
        const { _tag, ...booked } = entry
        const { orderId, reference } = entry.request
        this.#byReference.set(reference, { ...booked, repeats: 0 })
        const own = this.#byOrder.get(orderId)
        if (own === undefined) this.#byOrder.set(orderId, [reference])
        else own.push(reference)
        break
      }
      case "Repeated":
        this.#change(entry.reference, ({ repeats }) => ({ repeats: repeats + 1 }))
        break
      case "Settled": {
        const { _tag, reference, ...ruling } = entry
        this.#change(reference, () => ruling)
        break
      }
      case "RefusedLate":
        this.#change(entry.reference, () => ({ lateRefusal: entry.lateRefusal }))
        break
      case "Contradicted": {
        const { answer, atMs, reference } = entry
        this.#change(reference, () => ({ answer, knownFromMs: atMs, contradictedAtMs: atMs }))
        break
      }
      case "Reversed": {
        const { answer, atMs, reference } = entry
        this.#change(reference, () => ({ answer, knownFromMs: atMs, reversedAtMs: atMs }))
        break
      }
      case "Missed":
        this.#misses.set(entry.reference, this.misses(entry.reference) + 1)
        break
      case "Violated":
        this.#violations.push(entry.message)
    }
  }

  #change(reference: string, changes: (booking: Booking) => Partial<Booking>): void {
    const booking = this.find(reference)
    if (booking !== undefined) this.#byReference.set(reference, { ...booking, ...changes(booking) })
  }

  clear(): void {
    this.#byReference.clear()
    this.#byOrder.clear()
    this.#misses.clear()
    this.#violations.length = 0
  }

  get size(): number {
    return this.#byReference.size
  }

  find(reference: string): Booking | undefined {
    return this.#byReference.get(reference)
  }

  all(): ReadonlyArray<Booking> {
    return [...this.#byReference.values()]
  }

  ofOrder(orderId: string): ReadonlyArray<Booking> {
    return (this.#byOrder.get(orderId) ?? []).flatMap((reference) => this.find(reference) ?? [])
  }

  /** Number of requests with this reference that were lost on their way. */
  misses(reference: string): number {
    return this.#misses.get(reference) ?? 0
  }

  violations(): ReadonlyArray<string> {
    return [...this.#violations]
  }

  railTotals(orderId: string, nowMs: number): RailTotals {
    return paidOut(this.ofOrder(orderId), nowMs)
  }

  /**
   * Returns a page of the bookings of a period as far as they are known at `nowMs`, oldest first. `after` is `next` of the page
   * before.
   */
  list(period: Listed.Period, after: string | undefined, nowMs: number): Listed.Page {
    return pageOf(this.all(), period, after, nowMs)
  }

  totals(orderId: string, nowMs: number): Totals {
    return sum(
      this.ofOrder(orderId).filter((booking) => isKnown(booking, nowMs)),
      nowMs
    )
  }
}

/** Reads the lists of bank and rail page by page and compares each booking with the orders here. */
import { Clock, Effect, Option } from "effect"
import { Evidence } from "../kernel/Evidence.ts"
import { Store } from "../kernel/Store.ts"
import * as Booking from "../orders/Booking.ts"
import { Order } from "../orders/Order.ts"
import { OrderRequest } from "../orders/OrderRequest.ts"
import { BankTask, isUncommitted } from "../orders/outcomes/BankTask.ts"
import * as HoldTask from "../orders/outcomes/HoldTask.ts"
import type { MadeReversal } from "../orders/outcomes/MadeReversal.ts"
import type * as Unexpected from "../orders/outcomes/Unexpected.ts"
import * as Adoption from "../orders/restored/Adoption.ts"
import { BankBooking } from "../orders/restored/BankBooking.ts"
import { BankBooks, each, RailBooks } from "../restore/BankBooks.ts"
import * as BookingComparison from "./BookingComparison.ts"
import * as ExplainedDifferences from "./ExplainedDifferences.ts"
import type { Finding } from "./OrderComparison.ts"

/**
 * Requests that were accepted this close to an end of the period may be booked outside of it, so they are not expected
 * in the lists.
 */
const edgeMs = 3_600_000
const mostPerOrder = 100_000
const mostTasks = 100_000

const sourceOf = (kind: Order["kind"]): BookingComparison.Source =>
  kind === "payout" || kind === "deposit" ? "rail" : "bank"

/** Compares all bookings of a period. `touched` is called for every order that has a booking in the period. */
export const make = Effect.fnUntraced(function* (
  requested: Booking.Period | undefined,
  touched: (orderId: string) => void = () => {}
) {
  const store = yield* Store
  const nowMs = yield* Clock.currentTimeMillis
  const period = requested ?? { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }
  const books = {
    bank: Option.getOrUndefined(yield* Effect.serviceOption(BankBooks)),
    rail: Option.getOrUndefined(yield* Effect.serviceOption(RailBooks))
  }
  const approved = { bank: new Set<string>(), rail: new Set<string>() }

  const contradictions: Array<Unexpected.Contradiction> = []
  const reversals: Array<MadeReversal> = []
  /**
   * Returns the booking as a reversal if the gateway has an earlier answer about it as evidence: the bank had reported
   * another outcome.
   */
  const answeredOf = Effect.fnUntraced(function* (booking: Booking.Booking, order: Order) {
    const attempt = Booking.parse(booking.reference)
    if (attempt === undefined) return []
    const { amountMinor } = booking
    const reference = Booking.referenceOf(attempt)
    const answers = yield* store.find(Evidence, "order", { equals: [order.orderId], limit: mostPerOrder })
    return answers.some((answer) => answer.reference === reference) ? [{ order, reference, amountMinor }] : []
  })

  /**
   * Compares one booking. If the order changes while its rows are loaded, they are loaded again: a request is durable
   * before it is booked.
   */
  const look = Effect.fnUntraced(function* (source: BookingComparison.Source, booking: Booking.Booking) {
    const orderId = Booking.parse(booking.reference)?.orderId
    if (orderId === undefined) return BookingComparison.ofBooking(source, booking, undefined, [])
    while (true) {
      const order = yield* store.load(Order, [orderId])
      const requests = yield* store.find(OrderRequest, "order", { equals: [orderId], limit: mostPerOrder })
      const after = yield* store.load(Order, [orderId])
      if (order?.version !== after?.version) continue
      const other = BookingComparison.contradiction(booking, order, requests)
      if (other !== undefined) contradictions.push(other)
      if (order !== undefined && BookingComparison.isUnrequestedReversal(booking, order, requests))
        reversals.push(...(yield* answeredOf(booking, order)))
      return BookingComparison.ofBooking(source, booking, order, requests)
    }
  })

  /** Bookings of tasks that the bank reversed or an operator resolved need no order. */
  const tasks = [
    ...(yield* store.find(BankTask, "state", { equals: ["reversed"], limit: mostTasks })),
    ...(yield* store.find(BankTask, "state", { equals: ["closed"], limit: mostTasks }))
  ].filter((task) => !HoldTask.isOver(task) && !isUncommitted(task))
  const explained = ExplainedDifferences.references(tasks)

  const findings: Array<Finding> = []
  for (const source of ["bank", "rail"] as const) {
    const book = books[source]
    if (book === undefined) continue
    yield* each(book, period, ({ bookings, unreadable }) => {
      findings.push(...unreadable.map((row) => BookingComparison.unreadable(source, row)))
      return Effect.forEach(
        bookings,
        Effect.fnUntraced(function* (booking) {
          // If the source reports totals of an order, these are compared, and the single bookings are not collected.
          if (book.totals === undefined && booking.result === "approved") approved[source].add(booking.reference)
          const orderId = Booking.parse(booking.reference)?.orderId
          if (orderId !== undefined) touched(orderId)
          if (!explained.has(booking.reference)) findings.push(...(yield* look(source, booking)))
        }),
        { discard: true }
      )
    })
  }

  /** Bookings that an operator imported, for a source that cannot be listed. */
  const imported = yield* store.find(BankBooking, "state", { equals: ["open"], limit: mostTasks })
  for (const row of imported) {
    const booking = Adoption.bookingOf(row)
    if (books[row.source] !== undefined || booking.atMs < period.fromMs || booking.atMs >= period.toMs) continue
    findings.push(...(yield* look(row.source, booking)))
  }

  const inside =
    requested === undefined
      ? { fromMs: 0, toMs: nowMs - edgeMs }
      : { fromMs: requested.fromMs + edgeMs, toMs: requested.toMs - edgeMs }

  /** Returns the approved requests of an order that the lists lack. */
  const notListed = (order: Order, requests: ReadonlyArray<OrderRequest>): ReadonlyArray<Finding> => {
    const source = sourceOf(order.kind)
    const book = books[source]
    return book === undefined || book.totals !== undefined
      ? []
      : BookingComparison.notListed(source, requests, inside, approved[source])
  }

  return { findings, contradictions, reversals, notListed, tasks, explained }
})

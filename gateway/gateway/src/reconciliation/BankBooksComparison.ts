/** Reads the lists of bank and rail page by page and compares each booking with the orders here. */
import { Clock, Effect } from "effect"
import { Evidence } from "../kernel/Evidence.ts"
import { Store } from "../kernel/Store.ts"
import { each } from "../orders/bank/BankBooks.ts"
import * as HoldTask from "../orders/decide/HoldTask.ts"
import type * as Unexpected from "../orders/decide/Unexpected.ts"
import type { MadeReversal } from "../orders/outcomes/MadeReversal.ts"
import { BankTask, isDispute, isUncommitted } from "../orders/record/BankTask.ts"
import * as Booking from "../orders/record/Booking.ts"
import { Order } from "../orders/record/Order.ts"
import { OrderRequest, referenceOf } from "../orders/record/OrderRequest.ts"
import * as Adoption from "../restore/Adoption.ts"
import { BankBooking } from "../restore/BankBooking.ts"
import * as BookLists from "./BookLists.ts"
import * as BookingComparison from "./decide/BookingComparison.ts"
import * as ExplainedDifferences from "./decide/ExplainedDifferences.ts"
import type { Finding } from "./decide/OrderComparison.ts"
import * as Omission from "./Omission.ts"

const { listedWithinMs } = BookLists
const mostPerOrder = 100_000
const mostTasks = 100_000

/**
 * Compares all bookings of a period: each booking, by its time, and each approval, by the time at which it was recorded here,
 * belongs to one of consecutive periods. `touched` is called for every order that has a booking in the period.
 */
export const make = Effect.fnUntraced(function* (
  requested: Booking.Period | undefined,
  touched: (orderId: string) => void = () => {}
) {
  const store = yield* Store
  const nowMs = yield* Clock.currentTimeMillis
  const period = requested ?? { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }
  /**
   * The lists are read beyond the period, for requests whose bookings are on the other side of an edge. The end is a time that a bank can
   * read, also if no period was named.
   */
  const listed = {
    fromMs: Math.max(0, period.fromMs - listedWithinMs),
    toMs: Math.min(nowMs, period.toMs) + listedWithinMs
  }
  const books = yield* BookLists.make

  const contradictions: Array<Unexpected.Contradiction> = []
  const reversals: Array<MadeReversal> = []
  let young = 0
  let early = 0
  const missing: Array<{ readonly list: BookLists.BookList; readonly request: OrderRequest }> = []
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
  const look = Effect.fnUntraced(function* (
    list: BookingComparison.ListName,
    booking: Booking.Booking,
    longestProcessingMs = listedWithinMs
  ) {
    const orderId = Booking.parse(booking.reference)?.orderId
    if (orderId === undefined) return BookingComparison.ofBooking(list, booking, undefined, [])
    while (true) {
      const order = yield* store.load(Order, [orderId])
      const requests = yield* store.find(OrderRequest, "order", { equals: [orderId], limit: mostPerOrder })
      const after = yield* store.load(Order, [orderId])
      if (order?.version !== after?.version) continue
      const own = order === undefined ? list.title : BookLists.titleOfOrder(order)
      if (own !== list.title) return [BookingComparison.ofAnother(list, booking, own)]
      if (BookingComparison.isOpen(booking, requests) && booking.atMs > nowMs - longestProcessingMs) {
        young += 1
        return []
      }
      const other = BookingComparison.contradiction(booking, order, requests)
      if (other !== undefined) contradictions.push(other)
      if (order !== undefined && BookingComparison.isUnrequestedReversal(booking, order, requests))
        reversals.push(...(yield* answeredOf(booking, order)))
      return BookingComparison.ofBooking(list, booking, order, requests)
    }
  })

  /** Bookings of tasks that the bank reversed or an operator resolved need no order. */
  const tasks = [
    ...(yield* store.find(BankTask, "state", { equals: ["reversed"], limit: mostTasks })),
    ...(yield* store.find(BankTask, "state", { equals: ["closed"], limit: mostTasks }))
  ].filter((task) => !HoldTask.isOver(task) && !isUncommitted(task) && !isDispute(task))
  const explained = ExplainedDifferences.references(tasks)

  const findings: Array<Finding> = []
  for (const list of books.lists) {
    const { approved, book, hasTotals, longestProcessingMs } = list
    const outside: Array<Booking.Booking> = []
    yield* each(book, listed, ({ bookings, unreadable }) => {
      findings.push(...unreadable.map((row) => BookingComparison.unreadable(list, row)))
      outside.push(...bookings.filter((booking) => !Booking.isWithin(booking, listed)))
      return Effect.forEach(
        bookings,
        Effect.fnUntraced(function* (booking) {
          const isInside = Booking.isWithin(booking, period)
          // If the source reports totals of an order, these are compared, and the single bookings are not collected.
          if (!hasTotals && booking.result === "approved") {
            if (isInside && approved.has(booking.reference)) findings.push(BookingComparison.repeated(list, booking))
            approved.add(booking.reference)
          }
          if (!isInside) return
          const orderId = Booking.parse(booking.reference)?.orderId
          if (orderId !== undefined) touched(orderId)
          if (!explained.has(booking.reference)) findings.push(...(yield* look(list, booking, longestProcessingMs)))
        }),
        { discard: true }
      )
    })
    findings.push(...BookingComparison.outside(list, outside))
  }

  /** Bookings that an operator imported, for a source that cannot be listed. */
  const imported = yield* store.find(BankBooking, "state", { equals: ["open"], limit: mostTasks })
  for (const row of imported) {
    const booking = Adoption.bookingOf(row)
    const title = BookLists.titleOfBooking(row)
    if (books.of(title) !== undefined || !Booking.isWithin(booking, period)) continue
    findings.push(...(yield* look({ source: row.source, title }, booking)))
  }

  /** The approvals whose bookings bank and rail must list by now. */
  const expected = { fromMs: period.fromMs, toMs: Math.min(period.toMs, nowMs - listedWithinMs) }

  /** Collects the approved requests of an order that the lists lack. */
  const collectMissing = (order: Order, requests: ReadonlyArray<OrderRequest>): void => {
    books.count(order)
    const list = books.of(BookLists.titleOfOrder(order))
    if (list === undefined || list.hasTotals) return
    const { approved, source } = list
    early += BookingComparison.toBeListed(source, requests, { ...period, fromMs: expected.toMs }).length
    for (const request of BookingComparison.toBeListed(source, requests, expected))
      if (!approved.has(referenceOf(request))) missing.push({ list, request })
  }

  /** Returns the collected requests that are not listed at an earlier time either: an outcome may be unknown for long. */
  const notListed = Effect.gen(function* () {
    for (const { approved, book, title } of books.lists) {
      const times = missing.flatMap((each) => (each.list.title === title ? [each.request.acceptedAtMs] : []))
      const fromMs = Math.max(0, times.reduce((least, ms) => Math.min(least, ms), listed.fromMs) - listedWithinMs)
      if (times.length === 0 || fromMs >= listed.fromMs) continue
      yield* each(book, { fromMs, toMs: listed.fromMs }, ({ bookings }) =>
        Effect.sync(() => {
          for (const { reference, result } of bookings) if (result === "approved") approved.add(reference)
        })
      )
    }
    return missing
      .filter(({ list, request }) => !list.approved.has(referenceOf(request)))
      .map(({ list, request }) => BookingComparison.notListed(list, request))
  })

  /** What was not compared so far. */
  const omissions = (): ReadonlyArray<Omission.Omission> => [
    ...books.omissions(),
    ...(period.toMs > nowMs && requested !== undefined
      ? [{ what: `the time since ${Omission.time(nowMs)}`, why: "the period is not over: compare it again later" }]
      : []),
    ...Omission.counted(young, "bookings of requests in flight", "the bank or the rail may still be processing them"),
    ...Omission.counted(
      early,
      `approvals since ${Omission.time(expected.toMs)}`,
      "their bookings may be listed up to an hour later: compare the period again"
    )
  ]

  return { findings, contradictions, reversals, collectMissing, notListed, omissions, tasks, explained }
})

/** The lists of bookings with which orders are compared: one of each acquirer that has one, and the rail's. */
import { Effect, Option } from "effect"
import { acquirerOf, defaultAcquirer } from "../merchants/Terminal.ts"
import * as Acquirers from "../orders/bank/Acquirers.ts"
import { RailBooks } from "../orders/bank/BankBooks.ts"
import { isCardKind, type Order } from "../orders/record/Order.ts"
import { PayoutRail } from "../payouts/PayoutRail.ts"
import type { BankBooking } from "../restore/BankBooking.ts"
import type * as BookingComparison from "./decide/BookingComparison.ts"
import * as Omission from "./Omission.ts"

/**
 * Longest time after which bank and rail list a booking, and largest difference between their clocks and this one. A request's
 * booking is looked for this long before and after the request, and the approvals of this last time are not expected yet.
 */
export const listedWithinMs = 3_600_000

/** A list of bookings. */
export interface BookList extends BookingComparison.ListName {
  readonly book: Pick<RailBooks["Service"], "bookings">
  /** Whether it reports totals of an order, so that single bookings are not collected. */
  readonly hasTotals: boolean
  /** The longest time for which a request is processed. */
  readonly longestProcessingMs: number
  /** References of the approved bookings that were listed. */
  readonly approved: Set<string>
}

const titleOf = (name: string): string => (name === defaultAcquirer ? "bank" : `acquirer ${name}`)

/** Returns the name of the list that has the bookings of an order. */
export const titleOfOrder = (order: Pick<Order, "acquirer" | "kind">): string =>
  isCardKind(order.kind) ? titleOf(acquirerOf(order)) : "rail"

/** Returns the name of the list that an imported booking is from. */
export const titleOfBooking = (row: Pick<BankBooking, "acquirer" | "source">): string =>
  row.source === "rail" ? "rail" : titleOf(acquirerOf(row))

export const make = Effect.gen(function* () {
  const acquirers = yield* Acquirers.all
  const bankBooks = yield* Acquirers.books
  const rail = Option.getOrUndefined(yield* Effect.serviceOption(PayoutRail))
  const railBooks = Option.getOrUndefined(yield* Effect.serviceOption(RailBooks))

  const listOf = (
    name: BookingComparison.ListName,
    book: Pick<RailBooks["Service"], "bookings"> & { readonly totals?: unknown },
    capabilities: { readonly longestProcessingMs: number } | undefined
  ): BookList => ({
    ...name,
    book,
    hasTotals: book.totals !== undefined,
    longestProcessingMs: capabilities?.longestProcessingMs ?? listedWithinMs,
    approved: new Set()
  })
  const lists = [...bankBooks].map(([name, book]) =>
    listOf({ source: "bank", title: titleOf(name) }, book, acquirers.get(name)?.capabilities)
  )
  if (railBooks !== undefined) lists.push(listOf({ source: "rail", title: "rail" }, railBooks, rail?.capabilities))
  const byTitle = new Map(lists.map((list) => [list.title, list]))
  const names = acquirers.size === 0 && bankBooks.size === 0 ? [defaultAcquirer] : [...acquirers.keys()]
  const titles = new Set([...names, ...bankBooks.keys()].map(titleOf))
  let absent = 0

  return {
    lists,
    of: (title: string) => byTitle.get(title),
    /** Counts an order whose acquirer has no adapter here: nothing can be compared. */
    count: (order: Order): void => {
      if (isCardKind(order.kind) && !titles.has(titleOfOrder(order))) absent += 1
    },
    /** What cannot be compared. */
    omissions: (): ReadonlyArray<Omission.Omission> => [
      ...[...titles, "rail"].flatMap((title) =>
        byTitle.has(title)
          ? []
          : [{ what: `the books of the ${title}`, why: "they cannot be read; only imported bookings were compared" }]
      ),
      ...Omission.counted(absent, "orders of acquirers without an adapter", "their books cannot be read")
    ]
  }
})

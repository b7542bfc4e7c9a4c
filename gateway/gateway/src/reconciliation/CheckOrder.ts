/** Checks one order against its entries, and against the bank and the rail if they report totals. */
import { Effect, Option } from "effect"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { LedgerEntry } from "../kernel/LedgerTable.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as Terminal from "../merchants/Terminal.ts"
import * as Acquirers from "../orders/bank/Acquirers.ts"
import { RailBooks } from "../orders/bank/BankBooks.ts"
import { isClosed } from "../orders/record/BankTask.ts"
import type { BooksUnavailable } from "../orders/record/Booking.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import { isCardKind, Order } from "../orders/record/Order.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import type * as BankBooksComparison from "./BankBooksComparison.ts"
import * as ExplainedDifferences from "./decide/ExplainedDifferences.ts"
import * as OrderComparison from "./decide/OrderComparison.ts"
import * as Omission from "./Omission.ts"

/** Highest number of rows of one order that are loaded. */
const mostPerOrder = 100_000

/**
 * Makes the check of one order against its entries, the bank and the rail. If the order changes while its rows are loaded, they
 * are loaded again.
 */
export const make = Effect.fnUntraced(function* ({
  collectMissing,
  tasks
}: Effect.Success<ReturnType<typeof BankBooksComparison.make>>) {
  const store = yield* Store
  const bankBooks = yield* Acquirers.books
  const rail = Option.getOrUndefined(yield* Effect.serviceOption(RailBooks))?.totals
  let waiting = 0
  let closedByHand = 0
  const compareOrder = (
    order: Order
  ): Effect.Effect<ReadonlyArray<OrderComparison.Finding>, StoreUnavailable | BooksUnavailable> =>
    Effect.gen(function* () {
      const range = { equals: [order.orderId], limit: mostPerOrder }
      const booked = yield* store.find(LedgerEntry, "order", range)
      const requests = yield* store.find(OrderRequest, "order", range)
      const bank = bankBooks.get(Terminal.acquirerOf(order))?.totals
      const totals = bank === undefined ? "notCompared" : yield* bank(order.orderId)
      const now = yield* store.load(Order, [order.orderId])
      if (now !== undefined && now.version !== order.version) return yield* compareOrder(now)
      const settled = tasks.filter(({ orderId }) => orderId === order.orderId)
      collectMissing(order, requests)
      if (!Lifecycle.isFinal(order.state)) waiting += 1
      if (settled.some(isClosed)) closedByHand += 1
      const findings = OrderComparison.ofOrder(order, booked, requests, ExplainedDifferences.without(totals, settled))
      if (rail === undefined || isCardKind(order.kind)) return findings
      const looks = yield* Effect.forEach(requests, ({ requestId }) => store.load(Job, [Jobs.id("rail", requestId)]))
      const looked = looks.every((job) => job === undefined)
      // The amounts at the rail may differ if an operator resolved a task by other means.
      if (settled.length > 0) return findings
      return [...findings, ...OrderComparison.ofRail(order, yield* rail(order.orderId), looked)]
    })
  /** Totals that cannot be read are a difference of their order, and do not end the run. */
  const ofOrder = (order: Order) =>
    Effect.catchIf(
      compareOrder(order),
      (error) => error._tag === "BooksUnavailable" && error.answer !== undefined,
      ({ message }) =>
        Effect.succeed([
          { where: `order ${order.orderId}: totals of the bank or rail`, expected: "totals", actual: message }
        ])
    )
  const omissions = (): ReadonlyArray<Omission.Omission> => [
    ...Omission.counted(waiting, "orders without an outcome", "only their single bookings are compared"),
    ...Omission.counted(closedByHand, "orders whose task an operator closed", "their amounts elsewhere may differ")
  ]
  return { ofOrder, omissions }
})

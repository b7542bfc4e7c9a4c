/** Lists requests whose outcome is unknown, with the evidence of both sides and the outcome that is proposed. */
import { Effect } from "effect"
import { Evidence } from "../kernel/Evidence.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Store } from "../kernel/Store.ts"
import * as Resolve from "../orders/decide/Resolve.ts"
import { Resolution } from "../orders/decide/Resolve.ts"
import { Order } from "../orders/record/Order.ts"
import { OrderRequest, referenceOf } from "../orders/record/OrderRequest.ts"

export interface UnknownOutcome {
  readonly order: Order
  readonly request: OrderRequest
  /** The last answer of bank or rail about the request. */
  readonly evidence: Evidence | undefined
  /** The outcome that waits for a second person. */
  readonly proposal: Resolution | undefined
}

export interface UnknownPage {
  readonly outcomes: ReadonlyArray<UnknownOutcome>
  readonly next: KeysetPage.Cursor | undefined
}

/** An order has fewer answers. */
const mostAnswers = 1000

export const make = Effect.map(Store, (store) => {
  const outcomeOf = (request: OrderRequest) =>
    Effect.map(
      Effect.all(
        {
          order: store.load(Order, [request.orderId]),
          answers: store.find(Evidence, "order", { equals: [request.orderId], limit: mostAnswers }),
          stated: store.load(Resolution, [request.requestId])
        },
        { concurrency: "unbounded" }
      ),
      ({ answers, order, stated }): ReadonlyArray<UnknownOutcome> => {
        const reference = referenceOf(request)
        const evidence = answers.filter((answer) => answer.reference === reference).sort((a, b) => a.atMs - b.atMs)
        const isOpen = stated !== undefined && Resolve.isOpen(stated) && stated.reference === reference
        return order === undefined
          ? []
          : [{ order, request, evidence: evidence.at(-1), proposal: isOpen ? stated : undefined }]
      }
    )

  return Effect.fn("ListUnknown")(function* (limit: number, after: KeysetPage.Cursor | undefined) {
    const page = yield* KeysetPage.oldest(store, OrderRequest, "progress", { equals: ["unknown"], after, limit })
    // The reads of all rows are under way together: a store answers many at once.
    const outcomes = yield* Effect.forEach(page, outcomeOf, { concurrency: "unbounded" })
    return {
      outcomes: outcomes.flat(),
      next: KeysetPage.nextOf(page, limit, ({ acceptedAtMs, requestId }) => ({ atMs: acceptedAtMs, key: requestId }))
    } satisfies UnknownPage
  })
})

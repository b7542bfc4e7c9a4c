/** Finds the request of an order whose outcome is unknown, so that operators can resolve it. */

import { Data, Effect } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import { Job } from "../kernel/Job.ts"
import { Store } from "../kernel/Store.ts"
import { Order } from "../orders/record/Order.ts"
import { isOfRail, OrderRequest } from "../orders/record/OrderRequest.ts"

/** Nothing was changed. The message contains the reason and what to do. */
export class ResolveRefused extends Data.TaggedError("ResolveRefused")<{
  readonly what: "missing" | "conflict"
  readonly message: string
}> {}

export const conflict = (message: string) => new ResolveRefused({ what: "conflict", message })

const pageOfRequests = 1000

export interface RequestReference {
  readonly orderId: string
  /** The request to resolve. It is needed if more than one request of the order is unknown. */
  readonly requestId: string | undefined
  readonly actor: Actor
}

export const make = Effect.gen(function* () {
  const store = yield* Store

  /**
   * Returns all unknown requests of the order. They are loaded in pages; the requests with one sequence number fit in one
   * page.
   */
  const unknownOf = Effect.fnUntraced(function* (orderId: string) {
    const requests = new Map<string, OrderRequest>()
    for (let from = 0; ; ) {
      const page = yield* store.find(OrderRequest, "order", { equals: [orderId], from, limit: pageOfRequests })
      for (const request of page) if (request.progress === "unknown") requests.set(request.requestId, request)
      const last = page.at(-1)
      if (last === undefined || page.length < pageOfRequests) return [...requests.values()]
      from = Math.max(from + 1, last.sequence)
    }
  })

  const requestById = (orderId: string, requestId: string) =>
    Effect.map(store.load(OrderRequest, [requestId]), (requests) => (requests?.orderId === orderId ? [requests] : []))

  return Effect.fnUntraced(function* ({ orderId, requestId }: RequestReference) {
    const order = yield* store.load(Order, [orderId])
    if (order === undefined) return yield* new ResolveRefused({ what: "missing", message: "there is no such order" })
    const matches = requestId === undefined ? yield* unknownOf(orderId) : yield* requestById(orderId, requestId)
    const [request, ...others] = matches
    if (request === undefined)
      return yield* conflict("nothing of this order is unknown: there is nothing to settle by hand")
    if (others.length > 0)
      return yield* conflict(
        `more than one request is unknown: name one of ${matches.map((each) => each.requestId).join(", ")}`
      )
    const job = yield* store.load(Job, [`${isOfRail(request) ? "rail" : "bank"}:${request.requestId}`])
    return { order, request, job }
  })
})

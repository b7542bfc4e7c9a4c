/** An order as the gateway's own operator sees it: with the rule that stopped it and every request about it. */
import { Effect } from "effect"
import { Order } from "../domain/entities/Order.ts"
import { OrderRequest } from "../domain/entities/OrderRequest.ts"
import { Store } from "../ports/Store.ts"

export interface Shown {
  readonly order: Order
  readonly requests: ReadonlyArray<OrderRequest>
}

const mostRequests = 1000

export const make = Effect.map(Store, (store) =>
  Effect.fnUntraced(function* (orderId: string) {
    const order = yield* store.load(Order, [orderId])
    if (order === undefined) return undefined
    const requests = yield* store.find(OrderRequest, "order", { equals: [orderId], limit: mostRequests })
    return { order, requests } satisfies Shown
  })
)

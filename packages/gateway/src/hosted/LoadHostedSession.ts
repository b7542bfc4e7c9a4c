/** The hosted session of the order that a request created, with the record of its last attempt; undefined for other orders. */
import { Effect } from "effect"
import { Store } from "../kernel/Store.ts"
import { isHosted, type Load } from "../orders/Continuations.ts"
import { OrderRequest } from "../orders/OrderRequest.ts"
import * as HostedAttempt from "./HostedAttempt.ts"
import { HostedSession } from "./HostedSession.ts"

export const hostedSessionOf = Effect.fnUntraced(function* (store: Store["Service"], request: OrderRequest) {
  if (!isHosted(request)) return undefined
  const session = yield* store.load(HostedSession, [request.orderId], "order")
  if (session === undefined) return undefined
  const attempt = session.attemptId === null ? undefined : yield* store.load(OrderRequest, [session.attemptId])
  return { session, attempt } satisfies HostedAttempt.Form
})

/** What an order of a hosted page belongs to. */
export const continuation = Effect.map(
  Store,
  (store): Load =>
    (_, request) =>
      Effect.map(hostedSessionOf(store, request), (form) => form && HostedAttempt.continuation(form))
)

/** The hosted session of the order that a request created, with the record of its last attempt; undefined for other orders. */
import { Effect } from "effect"
import { FormSession } from "../domain/entities/FormSession.ts"
import { OrderRequest } from "../domain/entities/OrderRequest.ts"
import * as FormAttempt from "../domain/FormAttempt.ts"
import * as Origin from "../domain/Origin.ts"
import { Store } from "../ports/Store.ts"
import type { Load } from "./Continuations.ts"

export const formOf = Effect.fnUntraced(function* (store: Store["Service"], request: OrderRequest) {
  if (!Origin.isHosted(request)) return undefined
  const session = yield* store.load(FormSession, [request.orderId], "order")
  if (session === undefined) return undefined
  const attempt = session.attemptId === null ? undefined : yield* store.load(OrderRequest, [session.attemptId])
  return { session, attempt } satisfies FormAttempt.Form
})

/** What an order of a hosted page belongs to. */
export const continuation = Effect.map(
  Store,
  (store): Load =>
    (_, request) =>
      Effect.map(formOf(store, request), (form) => form && FormAttempt.continuation(form))
)

/** Requests the status of the orders without a callback, and handles the callbacks that came too early. */
import { PayClient } from "@pay/transport/PayClient"
import { Clock, Effect } from "effect"
import { FlowEngine } from "../engine/FlowEngine.ts"
import type * as KeyedLock from "../engine/KeyedLock.ts"
import { lossy } from "../engine/Steps.ts"
import { orderSignalKey } from "../requests/AwaitFinal.ts"
import type * as CallbackStore from "./CallbackStore.ts"
import type * as StatusRequests from "./StatusRequests.ts"
import type { Options } from "./StatusRequests.ts"

/** Number of orders that a sweep reads from the store at once. */
const page = 100

export const make = Effect.fnUntraced(function* <E, R>(
  options: Options<E, R>,
  store: CallbackStore.CallbackStore,
  { findOrder, handle, nextStatusAfter, requestStatus }: StatusRequests.StatusRequests,
  withOrderLock: ReturnType<typeof KeyedLock.make>["take"]
) {
  const client = yield* PayClient
  const engine = yield* FlowEngine

  /** Requests the status of an order without a callback, and returns whether it is final. */
  const requestStatusOf = (order: CallbackStore.ExpectedOrder) =>
    withOrderLock(order.clientOrderId, (share) =>
      Effect.gen(function* () {
        const { clientOrderId } = order
        const isFinal = (yield* share(requestStatus(order))) === true
        yield* lossy(engine.signal(orderSignalKey(client.merchant, clientOrderId), "sweep"))
        yield* store.recordNext(clientOrderId, isFinal ? "ended" : yield* nextStatusAfter(order.statusRequests + 1))
        return isFinal
      })
    ).pipe(
      Effect.catchCause((cause) =>
        Effect.gen(function* () {
          yield* Effect.logWarning("sweep", cause)
          yield* store.postpone(order.clientOrderId, yield* nextStatusAfter(order.statusRequests + 1))
          return false
        })
      )
    )

  /** Handles early callbacks whose orders now exist at the merchant, although `expect` was not called for them. */
  const handleEarlyCallbacks = Effect.gen(function* () {
    if (options.isKnown === undefined) return
    yield* Effect.forEach(
      yield* store.earlyCallbacks,
      ({ clientOrderId }) =>
        Effect.flatMap(findOrder(clientOrderId), (order) =>
          order === undefined ? Effect.void : withOrderLock(clientOrderId, (share) => handle(order, share))
        ).pipe(Effect.ignoreCause({ log: "Warn" })),
      { concurrency: 4, discard: true }
    )
  })

  /** Returns the number of orders that have become final. */
  return Effect.gen(function* () {
    yield* Effect.ignoreCause(handleEarlyCallbacks, { log: "Warn" })
    const nowMs = yield* Clock.currentTimeMillis
    for (let ended = 0; ; ) {
      const dueOrders = yield* store.due(nowMs, page)
      const areFinal = yield* Effect.forEach(dueOrders, requestStatusOf, { concurrency: 4 })
      ended += areFinal.filter(Boolean).length
      if (dueOrders.length < page) return ended
    }
  }).pipe(Effect.catchCause((cause) => Effect.as(Effect.logWarning("sweep", cause), 0)))
})

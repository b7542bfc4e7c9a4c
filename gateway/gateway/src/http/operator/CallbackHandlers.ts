/** Handles operations that list callbacks to merchants and send one again. */
import { Effect } from "effect"
import type { CallbackEvent } from "../../callbacks/decide/CallbackEvent.ts"
import * as ListCallbacks from "../../callbacks/ListCallbacks.ts"
import * as PushCallbacks from "../../callbacks/PushCallbacks.ts"
import * as ResendCallback from "../../callbacks/ResendCallback.ts"
import { conflict, type Handlers, missing } from "./OperatorHandler.ts"

const fieldsOf = (event: CallbackEvent) => ({
  id: event.eventId,
  order: event.orderId,
  merchant: event.merchantId,
  address: event.url.split("?")[0] ?? "",
  state: event.delivery,
  tries: event.tries,
  result: event.lastResult,
  created: event.createdAtMs,
  delivered: event.deliveredAtMs
})

export const rowOf = ({ event, log }: ListCallbacks.CallbackWithLog) => ({
  ...fieldsOf(event),
  log: log.map(({ atMs, number, result, what }) => ({ number, what, at: atMs, result }))
})

export const make = Effect.gen(function* () {
  const list = yield* ListCallbacks.make
  const resend = yield* ResendCallback.make
  const push = yield* PushCallbacks.make
  const handlers: Pick<Handlers, "listCallbacks" | "resendCallback" | "pushCallbacks"> = {
    listCallbacks: ({ limit, order, state }) =>
      Effect.map(list({ orderId: order, delivery: state, limit }), (rows) => ({ callbacks: rows.map(rowOf) })),
    pushCallbacks: ({ after, merchant, since, state }, actor) =>
      push({ merchantId: merchant, sinceMs: since, delivery: state, after }, actor),
    resendCallback: ({ callback }, actor) =>
      resend(callback, actor).pipe(
        Effect.map(fieldsOf),
        Effect.catchTags({
          CallbackUnknown: () => missing("there is no such callback"),
          CallbackPending: () => conflict("it is being tried anyway")
        })
      )
  }
  return handlers
})

/** `GET /operator/callbacks`, `POST /operator/callbacks/{id}/resend`: what merchants were told, and telling them again. */
import { Effect } from "effect"
import type { CallbackEvent, Delivery } from "../../callbacks/CallbackEvent.ts"
import * as ListCallbacks from "../../callbacks/ListCallbacks.ts"
import * as ResendCallback from "../../callbacks/ResendCallback.ts"
import { actor, json, limitOf, type Route, time, timeOrNull, wrong } from "./Route.ts"

/** The address without its query, which may hold a secret of the merchant's. */
const told = (event: CallbackEvent) => ({
  id: event.eventId,
  order: event.orderId,
  merchant: event.merchantId,
  address: event.url.split("?")[0],
  state: event.delivery,
  tries: event.tries,
  result: event.lastResult,
  created: time(event.createdAtMs),
  delivered: timeOrNull(event.deliveredAtMs)
})

export const listed = ({ event, log }: ListCallbacks.Listed) => ({
  ...told(event),
  log: log.map(({ atMs, number, result, what }) => ({ number, what, at: time(atMs), result }))
})

const states: ReadonlyArray<Delivery> = ["pending", "delivered", "parked"]

export const make = Effect.gen(function* () {
  const list = yield* ListCallbacks.make
  const resend = yield* ResendCallback.make
  const routes: ReadonlyArray<Route> = [
    {
      method: "GET",
      path: "/operator/callbacks",
      run: ({ query }) => {
        const orderId = query.get("order") ?? undefined
        const state = query.get("state")
        const delivery = states.find((known) => known === state)
        const limit = limitOf(query.get("limit"))
        if ((state !== null && delivery === undefined) || limit === undefined || (orderId ?? delivery) === undefined)
          return Effect.succeed(wrong("give order=… or state=pending|delivered|parked, and a limit of up to 1000"))
        return Effect.map(list({ orderId, delivery, limit }), (found) => json(200, { callbacks: found.map(listed) }))
      }
    },
    {
      method: "POST",
      path: "/operator/callbacks/:callback/resend",
      run: (asked) =>
        resend(asked.params.callback ?? "", actor(asked)).pipe(
          Effect.map((event) => json(202, told(event))),
          Effect.catchTags({
            CallbackUnknown: () => Effect.succeed(json(404, { error: "there is no such callback" })),
            CallbackPending: () => Effect.succeed(json(409, { error: "it is being tried anyway" }))
          })
        )
    }
  ]
  return routes
})

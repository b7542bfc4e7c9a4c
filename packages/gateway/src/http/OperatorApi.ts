/**
 * What the gateway's own operator may ask, in JSON: `GET /operator/callbacks`, `POST /operator/callbacks/{id}/resend`,
 * `GET /operator/orders/{orderid}`, `GET` and `POST /operator/rewrap`. Only for peers on loopback; and where a proxy could
 * stand between, only with the token that the deployment has set.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import type { CallbackEvent, Delivery } from "../domain/entities/CallbackEvent.ts"
import * as SerialNumber from "../domain/SerialNumber.ts"
import { Settings } from "../Settings.ts"
import * as ListCallbacks from "../usecases/ListCallbacks.ts"
import * as ResendCallback from "../usecases/ResendCallback.ts"
import * as RewrapJob from "../usecases/RewrapJob.ts"
import * as ShowOrder from "../usecases/ShowOrder.ts"
import { FurtherPages, type PageAnswer, type PageHandler, type PageRequest } from "./Pages.ts"

/** `Authorization: Bearer …`; undefined: no token, and nothing behind a proxy or in a browser. */
export const OperatorToken = Context.Reference<Redacted.Redacted<string> | undefined>("@pay/gateway/OperatorToken", {
  defaultValue: () => undefined
})

const json = (status: number, body: object): PageAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
  body: `${JSON.stringify(body)}\n`
})

const loopback = /^(::ffff:)?127\.|^::1$/
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i
/** Sent by proxies, and by browsers for a page that wants more than to be looked at. */
const foreign = ["forwarded", "via", "x-forwarded-for", "x-real-ip", "origin", "sec-fetch-site"]

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

type Admission = "admitted" | "hidden" | "tokenNeeded"

/** A peer from elsewhere, and one that could be a proxy's, does not learn that there is anything. */
const admission = (
  { headers, remoteAddress }: PageRequest,
  token: Redacted.Redacted<string> | undefined,
  publicBaseUrl: string | undefined
): Admission => {
  if (!loopback.test(remoteAddress)) return "hidden"
  if (token !== undefined) {
    const given = digest(String(headers.authorization ?? ""))
    return timingSafeEqual(given, digest(`Bearer ${Redacted.value(token)}`)) ? "admitted" : "tokenNeeded"
  }
  const direct =
    publicBaseUrl === undefined &&
    foreign.every((name) => headers[name] === undefined) &&
    loopbackHost.test(String(headers.host ?? ""))
  return direct ? "admitted" : "hidden"
}

const time = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms))

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
  delivered: event.deliveredAtMs === null ? null : time(event.deliveredAtMs)
})

const listed = ({ event, log }: ListCallbacks.Listed) => ({
  ...told(event),
  log: log.map(({ atMs, number, result, what }) => ({ number, what, at: time(atMs), result }))
})

const states: ReadonlyArray<Delivery> = ["pending", "delivered", "parked"]
const limitOf = (text: string | null): number | undefined =>
  text === null ? 100 : /^[1-9]\d{0,2}$|^1000$/.test(text) ? Number(text) : undefined

/** No card data and no way to reach the customer: what an operator needs to answer "why". */
const shown = ({ order, requests }: ShowOrder.Shown) => ({
  id: order.orderId,
  merchant: order.merchantId,
  merchantOrder: order.clientOrderId,
  endpoint: order.endpointId,
  kind: order.kind,
  state: order.state,
  filteredBy: order.filteredBy,
  currency: order.currency,
  amountMinor: order.amountMinor,
  authorizedMinor: order.authorizedMinor,
  capturedMinor: order.capturedMinor,
  returnedMinor: order.returnedMinor,
  created: time(order.createdAtMs),
  requests: requests.map(({ acceptedAtMs, amountMinor, errorCode, errorMessage, operation, progress, requestId }) => ({
    serialNumber: SerialNumber.first(requestId),
    operation,
    progress,
    amountMinor,
    errorCode,
    errorMessage,
    accepted: time(acceptedAtMs)
  }))
})

const orderPath = /^\/operator\/orders\/(\d{1,20})$/
const resendPath = /^\/operator\/callbacks\/([\w-]{1,64})\/resend$/

export const make = Effect.gen(function* () {
  const list = yield* ListCallbacks.make
  const resend = yield* ResendCallback.make
  const show = yield* ShowOrder.make
  const rewrap = yield* RewrapJob.make
  const { publicBaseUrl } = yield* Settings
  const token = yield* OperatorToken

  const callbacks = Effect.fnUntraced(function* (query: string) {
    const asked = new URLSearchParams(query)
    const orderId = asked.get("order") ?? undefined
    const state = asked.get("state")
    const delivery = states.find((known) => known === state)
    const limit = limitOf(asked.get("limit"))
    if ((state !== null && delivery === undefined) || limit === undefined || (orderId ?? delivery) === undefined)
      return json(400, { error: "give order=… or state=pending|delivered|parked, and a limit of up to 1000" })
    return json(200, { callbacks: (yield* list({ orderId, delivery, limit })).map(listed) })
  })

  const sendAgain = (eventId: string) =>
    resend(eventId).pipe(
      Effect.map((event) => json(202, told(event))),
      Effect.catchTags({
        CallbackUnknown: () => Effect.succeed(json(404, { error: "there is no such callback" })),
        CallbackPending: () => Effect.succeed(json(409, { error: "it is being tried anyway" }))
      })
    )

  const order = (orderId: string) =>
    Effect.map(show(orderId), (found) =>
      found === undefined ? json(404, { error: "there is no such order" }) : json(200, shown(found))
    )

  const rewrapping = (method: string) =>
    method === "POST"
      ? Effect.map(rewrap.begin, (begun) => json(begun ? 202 : 409, rewrap.look()))
      : Effect.sync(() => json(200, rewrap.look()))

  const handler: PageHandler = (request) =>
    Effect.gen(function* () {
      if (!request.path.startsWith("/operator/")) return undefined
      const admitted = admission(request, token, publicBaseUrl)
      if (admitted === "hidden") return undefined
      if (admitted === "tokenNeeded") return json(401, { error: "give the operator's token" })
      const eventId = resendPath.exec(request.path)?.[1]
      if (request.path === "/operator/callbacks" && request.method === "GET") return yield* callbacks(request.query)
      if (eventId !== undefined && request.method === "POST") return yield* sendAgain(eventId)
      const orderId = orderPath.exec(request.path)?.[1]
      if (orderId !== undefined && request.method === "GET") return yield* order(orderId)
      if (request.path === "/operator/rewrap") return yield* rewrapping(request.method)
      return json(404, { error: "there is nothing here" })
    }).pipe(
      Effect.catchTag("StoreUnavailable", (error) =>
        Effect.as(
          Effect.logError("The store cannot serve the operator", error),
          json(503, { error: "try again later" })
        )
      )
    )
  return handler
})

/** Before whatever further pages the context has. */
export const layer = Layer.effect(
  FurtherPages,
  Effect.gen(function* () {
    const others = yield* FurtherPages
    return [yield* make, ...others]
  })
)

/** A shop that survives `kill -9`: a queue posts orders until they are acknowledged, browsers and the gateway call back. */
import { createServer } from "node:http"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CallbackRoute from "@pay/flows/CallbackRoute"
import * as Durable from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as WebFile from "@pay/flows/durable/WebFile"
import type * as Flow from "@pay/flows/Flow"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { PayloadInvalid } from "@pay/flows/FlowError"
import * as FlowPayload from "@pay/flows/FlowPayload"
import { defaults, FlowSettings } from "@pay/flows/FlowSettings"
import * as Web from "@pay/flows/WebCustomerBrowser"
import * as WebRoute from "@pay/flows/WebCustomerBrowserRoute"
import * as PayClient from "@pay/transport/PayClient"
import { Config, Console, Effect, Layer, Schedule, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Join, Return, Sale, Settle, Trip } from "./flows.ts"
import { Ledger } from "./ledger.ts"

const Form = Schema.Record(Schema.String, Schema.Unknown)

/** Errors that say whether the same order may be sent again. */
type Failing = Schema.Codec<{ readonly _tag: string; readonly retryable: boolean; readonly message: string }, unknown>

/** Takes orders of one kind from the queue. Without a 200 the queue sends the order again, also after a restart. */
const queue = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Failing, R>(
  path: `/${string}`,
  flow: Flow.Flow<N, P, A, E, R>,
  fieldsOf: (id: string) => Readonly<Record<string, string>>
) =>
  HttpRouter.add(
    "POST",
    `${path}/:id`,
    Effect.gen(function* () {
      const { id = "" } = yield* HttpRouter.params
      const form = yield* HttpServerRequest.schemaBodyJson(Form)
      yield* (yield* CallbackInbox.CallbackInbox).expect({ clientOrderId: id })
      return yield* Effect.fromResult(FlowPayload.decode(flow, { ...form, ...fieldsOf(id) })).pipe(
        Effect.mapError((problems) => new PayloadInvalid({ flow: flow.name, problems })),
        Effect.flatMap(flow.execute),
        Effect.tapError(({ _tag, message }) => Console.log(`${_tag} ${id}: ${message}`)),
        Effect.retry({ while: ({ retryable }) => retryable, times: 3, schedule: Schedule.exponential("300 millis") }),
        Effect.match({
          onSuccess: () => HttpServerResponse.text("done"),
          onFailure: ({ _tag, retryable }) => HttpServerResponse.text(_tag, { status: retryable ? 503 : 200 })
        })
      )
    })
  )

const find = (id: string) => Effect.flatMap(Ledger, (ledger) => ledger.find(id))

const id = Effect.map(HttpRouter.params, ({ id = "" }) => id)
const states = ["running", "waiting", "stuck"] as const
const open = Effect.flatMap(FlowEngine, ({ list }) => Effect.forEach(states, (state) => list({ state, limit: 100 })))
const operator = Effect.flatMap(open, (listed) => HttpServerResponse.json(listed.flat()))
const order = Effect.map(Effect.flatMap(id, find), (row) => HttpServerResponse.jsonUnsafe(row ?? { outcome: "open" }))
const checkout = Effect.zipWith(id, Web.WebCustomerBrowser, (id, { goUrl }) =>
  HttpServerResponse.redirect(goUrl(id), { status: 303 })
)

/** What operators see, the order's page, and the link to the checkout. */
const pages = HttpRouter.addAll([
  HttpRouter.route("GET", "/open", operator),
  HttpRouter.route("GET", "/order/:id", order),
  HttpRouter.route("GET", "/go/:id", checkout)
])

const orders = (serverCallbackUrl: string) =>
  Layer.unwrap(
    Effect.map(Web.WebCustomerBrowser, ({ backUrl }) =>
      Layer.mergeAll(
        queue("/sales", Sale, (id) => ({ clientOrderId: id, serverCallbackUrl, redirectUrl: backUrl(id) })),
        queue("/refunds", Return, (name) => ({ name })),
        queue("/payouts", Settle, (id) => ({ clientOrderId: id, serverCallbackUrl })),
        queue("/members", Join, (id) => ({ clientOrderId: id, serverCallbackUrl })),
        queue("/trips", Trip, (trip) => ({ trip, serverCallbackUrl }))
      )
    )
  )

const shop = Effect.gen(function* () {
  const url = yield* Config.String("SHOP_URL")
  const secret = yield* Config.Redacted("SHOP_SECRET")
  const cipher = yield* Cipher.make({ key: yield* Config.Redacted("SHOP_FLOWS_KEY") })
  const controlKeys = [yield* Config.Redacted("PAY_CONTROL_KEY")]
  const { callbacks, visits } = yield* WebFile.open({ path: "web.db" })
  const ended = (id: string) => Effect.map(find(id), (booking) => booking && `/order/${id}`)
  const ours = Layer.merge(orders(`${url}/callback`), pages)
  return Layer.mergeAll(ours, WebRoute.layer("/pay"), CallbackRoute.layer("/callback")).pipe(
    HttpRouter.serve,
    Layer.provide(
      NodeHttpServer.layerConfig(createServer, { port: Config.Int("PORT"), host: Config.succeed("127.0.0.1") })
    ),
    Layer.provide(Layer.mergeAll(Sale.layer, Return.layer, Settle.layer, Join.layer, Trip.layer)),
    Layer.provide(CallbackInbox.layer({ keys: { controlKeys }, store: callbacks })),
    Layer.provide(Web.layer({ url: `${url}/pay`, secret, store: visits, ended })),
    Layer.provide(Durable.layer({ path: "flows.db", cipher }))
  )
})

Layer.unwrap(shop).pipe(
  Layer.provide([PayClient.layerConfig, Ledger.layer("shop.db")]),
  Layer.provide(Layer.succeed(FlowSettings, { ...defaults, quietPeriod: "2 seconds" })),
  Layer.launch,
  NodeRuntime.runMain
)

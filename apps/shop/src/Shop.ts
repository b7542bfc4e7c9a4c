/** The whole shop as layers: records, the toolkit's durable flows with callbacks and browser pages, and the shop's routes. */
import { NodeHttpServer } from "@effect/platform-node"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CallbackRoute from "@pay/flows/CallbackRoute"
import * as Durable from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as WebFile from "@pay/flows/durable/WebFile"
import * as FlowSettings from "@pay/flows/FlowSettings"
import * as WebCustomerBrowser from "@pay/flows/WebCustomerBrowser"
import * as WebCustomerBrowserRoute from "@pay/flows/WebCustomerBrowserRoute"
import * as PayClient from "@pay/transport/PayClient"
import { ByteSize, Effect, Layer, Schedule } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"
import * as Callbacks from "./callbacks/Callbacks.ts"
import * as Cards from "./cards/Cards.ts"
import * as Checkout from "./checkout/Checkout.ts"
import * as Payments from "./checkout/Payments.ts"
import * as Office from "./office/Office.ts"
import * as OrderPages from "./orders/OrderPages.ts"
import * as Orders from "./orders/Orders.ts"
import * as Payouts from "./payouts/Payouts.ts"
import { Records } from "./Records.ts"
import { type Options, Settings } from "./Settings.ts"
import * as Subscriptions from "./subscriptions/Subscriptions.ts"
import * as Files from "./web/Files.ts"
import * as WaitingServer from "./web/WaitingServer.ts"

const client = Layer.unwrap(
  Effect.map(Settings, ({ baseUrl, controlKey, endpoints, login, privateKey, profile }) =>
    PayClient.layer({
      ...{ baseUrl, login, controlKey, profile, endpointId: endpoints.hosted },
      ...(privateKey && { privateKey })
    })
  )
)

const flows = Layer.mergeAll(
  Payments.hostedSale.layer,
  Payments.hostedAuthorization.layer,
  Payments.cardSale.layer,
  Payments.cardAuthorization.layer,
  Payments.storedCardSale.layer,
  Cards.tokenize.layer,
  Office.capture.layer,
  Office.release.layer,
  Office.refund.layer,
  Subscriptions.subscribe.layer,
  Subscriptions.changeSubscription.layer,
  Payouts.checkPayout.layer,
  Payouts.payChecked.layer
)

/**
 * The toolkit. After the process was killed, the toolkit continues from its files: the unfinished flows (encrypted), and the
 * orders for which callbacks and browsers are expected.
 */
const toolkit = Layer.unwrap(
  Effect.gen(function* () {
    const { controlKey, dataDirectory, flowKey, publicUrl, quietPeriod, secret } = yield* Settings
    const cipher = yield* Cipher.make({ key: flowKey })
    const { callbacks, visits } = yield* WebFile.open({ path: `${dataDirectory}/callbacks.db` })
    const browser = WebCustomerBrowser.layer({
      url: `${publicUrl}/payment`,
      secret,
      ended: Effect.fnUntraced(function* (id) {
        const { status = "open" } = (yield* Orders.find(id)) ?? {}
        return status === "open" ? undefined : `${publicUrl}/order/${id}`
      }),
      store: visits
    })
    const inbox = CallbackInbox.layer({
      keys: { controlKeys: [controlKey] },
      onOrder: Callbacks.record,
      isKnown: Callbacks.isKnown,
      store: callbacks
    })
    const engine = Durable.layer({ path: `${dataDirectory}/payments.db`, cipher })
    return Layer.merge(inbox, flows).pipe(
      Layer.provide(Layer.succeed(FlowSettings.FlowSettings, { ...FlowSettings.defaults, quietPeriod })),
      Layer.provideMerge(browser),
      Layer.provideMerge(engine),
      Layer.provideMerge(client)
    )
  })
)

/** Continues the previous process's work. Every five minutes, requests the status of orders without a callback. */
const resume = Effect.gen(function* () {
  yield* Effect.all([Checkout.resume, Office.resume, Subscriptions.resume, Payouts.resume])
  const { sweep } = yield* CallbackInbox.CallbackInbox
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("5 minutes")))
})

const routes = Layer.mergeAll(
  Files.layer,
  Checkout.layer,
  OrderPages.layer,
  Subscriptions.layer,
  Office.layer,
  Payouts.layer,
  WebCustomerBrowserRoute.layer("/payment"),
  CallbackRoute.layer("/callback")
)

/** Serves the shop until the scope ends. Also provides `Settings`, which contains the shop's address. */
export const layer = (options: Options) =>
  HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(64_000))),
    Layer.provide(Layer.effectDiscard(resume)),
    Layer.provide(toolkit),
    Layer.provide(Records.layer(`${options.dataDirectory}/records.db`)),
    Layer.provideMerge(Settings.layer(options)),
    Layer.provide(NodeHttpServer.layer(WaitingServer.make, { host: options.host, port: options.port }))
  )

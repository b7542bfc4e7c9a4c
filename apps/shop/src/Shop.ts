/** The whole shop as layers: records, the toolkit's durable flows with callbacks and browser pages, and the shop's routes. */
import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CallbackRoute from "@pay/flows/CallbackRoute"
import * as Durable from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as WebFile from "@pay/flows/durable/WebFile"
import * as WebCustomerBrowser from "@pay/flows/WebCustomerBrowser"
import * as WebCustomerBrowserRoute from "@pay/flows/WebCustomerBrowserRoute"
import * as PayClient from "@pay/transport/PayClient"
import { ByteSize, Effect, Layer, Schedule } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServer } from "effect/http"
import * as Callbacks from "./callbacks/Callbacks.ts"
import * as Cards from "./cards/Cards.ts"
import * as Checkout from "./checkout/Checkout.ts"
import * as CheckoutRoutes from "./checkout/CheckoutRoutes.ts"
import * as Payments from "./checkout/Payments.ts"
import * as Office from "./office/Office.ts"
import * as OfficeRoutes from "./office/OfficeRoutes.ts"
import * as OrderRoutes from "./orders/OrderRoutes.ts"
import * as Orders from "./orders/Orders.ts"
import * as PayoutRoutes from "./payouts/PayoutRoutes.ts"
import * as Payouts from "./payouts/Payouts.ts"
import { Records } from "./Records.ts"
import { type Options, Settings, secretIn } from "./Settings.ts"
import { subscribe } from "./subscriptions/Subscribe.ts"
import * as SubscriptionChange from "./subscriptions/SubscriptionChange.ts"
import * as SubscriptionRoutes from "./subscriptions/SubscriptionRoutes.ts"
import * as Files from "./web/Files.ts"

const settings = ({ dataDirectory, gateway, officePassword, publicUrl }: Options) =>
  Layer.effect(
    Settings,
    Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const port = "port" in address ? address.port : 0
      return {
        ...gateway,
        officePassword,
        publicUrl: (publicUrl ?? `http://127.0.0.1:${port}`).replace(/^(.*[^/])?\/*$/s, "$1"),
        secret: yield* secretIn(dataDirectory, "secret")
      }
    })
  )

const client = ({ gateway: { baseUrl, controlKey, endpoints, login, privateKey } }: Options) =>
  PayClient.layer({
    baseUrl,
    login,
    controlKey,
    endpointId: endpoints.hosted,
    ...(privateKey === undefined ? {} : { privateKey })
  })

const flows = Layer.mergeAll(
  Durable.flow(Payments.hostedSale),
  Durable.flow(Payments.hostedReserve),
  Durable.flow(Payments.cardSale),
  Durable.flow(Payments.cardReserve),
  Durable.flow(Payments.keptSale),
  Durable.flow(Cards.tokenize),
  Durable.flow(Office.capture),
  Durable.flow(Office.release),
  Durable.flow(Office.refund),
  Durable.flow(subscribe),
  Durable.flow(SubscriptionChange.changeSubscription),
  Durable.flow(Payouts.checkPayout),
  Durable.flow(Payouts.payChecked)
)

/**
 * The toolkit. Its files are all it needs to go on after the process was killed: the flows under way, encrypted, and for which
 * orders callbacks and browsers are expected.
 */
const toolkit = ({ dataDirectory, gateway: { controlKey } }: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { publicUrl, secret } = yield* Settings
      const cipher = yield* Cipher.make({ key: yield* secretIn(dataDirectory, "flows.key") })
      const { callbacks, visits } = yield* WebFile.open({ path: `${dataDirectory}/callbacks.db` })
      const browser = WebCustomerBrowser.layer({
        url: `${publicUrl}/payment`,
        secret,
        ended: (id) =>
          Effect.map(Orders.find(id), (order) =>
            order === undefined || order.status === "open" ? undefined : `${publicUrl}/order/${id}`
          ),
        store: visits
      })
      const inbox = CallbackInbox.layer({
        keys: { controlKeys: [controlKey] },
        onOrder: Callbacks.record,
        isKnown: Callbacks.isKnown,
        store: callbacks
      })
      const durable = Durable.layer({ path: `${dataDirectory}/payments.db`, cipher, flows })
      return inbox.pipe(Layer.provideMerge(durable), Layer.provideMerge(browser))
    })
  )

/** Continues where the last process ended, and asks about orders that have been silent. */
const resume = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* Checkout.resume
    yield* Office.resume
    yield* SubscriptionChange.resume
    yield* Payouts.resume
    const { sweep } = yield* CallbackInbox.CallbackInbox
    yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("5 minutes")))
  })
)

/** Serves the shop until the scope ends. Also provides `Settings`, which has the address. */
export const layer = (options: Options) => {
  const { dataDirectory, host = "127.0.0.1", port = 8090 } = options
  const routes = Layer.mergeAll(
    Files.layer,
    CheckoutRoutes.layer,
    OrderRoutes.layer,
    SubscriptionRoutes.layer,
    OfficeRoutes.layer,
    PayoutRoutes.layer,
    WebCustomerBrowserRoute.layer("/payment"),
    CallbackRoute.layer("/callback")
  )
  return HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(64_000))),
    Layer.provide(resume),
    Layer.provide(toolkit(options)),
    Layer.provide(client(options)),
    Layer.provide(Records.layer(`${dataDirectory}/records.db`)),
    Layer.provideMerge(settings(options)),
    Layer.provide(NodeHttpServer.layer(createServer, { host, port }))
  )
}

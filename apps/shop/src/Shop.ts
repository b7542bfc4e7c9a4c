/** The whole shop: its files, its payments under way, its pages, and the gateway's callbacks. */
import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CallbackRoute from "@pay/flows/CallbackRoute"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as WebFile from "@pay/flows/durable/WebFile"
import * as PayClient from "@pay/transport/PayClient"
import { ByteSize, Effect, Layer, Schedule } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServer } from "effect/http"
import { Wallet } from "./cards/Wallet.ts"
import * as Checkout from "./checkout/Checkout.ts"
import * as CheckoutRoutes from "./checkout/CheckoutRoutes.ts"
import { Actions } from "./office/Actions.ts"
import * as Office from "./office/Office.ts"
import * as OfficeRoutes from "./office/OfficeRoutes.ts"
import * as OrderRoutes from "./orders/OrderRoutes.ts"
import { Orders } from "./orders/Orders.ts"
import * as Outcomes from "./payments/Outcomes.ts"
import * as Payments from "./payments/Payments.ts"
import { Payouts } from "./payout/Payouts.ts"
import * as Suppliers from "./payout/Suppliers.ts"
import { type Options, Settings, secretIn } from "./Settings.ts"
import { ShopDatabase } from "./ShopDatabase.ts"
import * as Subscribing from "./subscription/Subscribing.ts"
import * as SubscriptionRoutes from "./subscription/SubscriptionRoutes.ts"
import { Subscriptions } from "./subscription/Subscriptions.ts"
import * as Assets from "./web/Assets.ts"

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

const payments = (dataDirectory: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const cipher = yield* Cipher.make({ key: yield* secretIn(dataDirectory, "flows.key") })
      return Payments.layer(`${dataDirectory}/payments.db`, cipher)
    })
  )

/**
 * Callbacks wake the flows; what they are about goes into the book if no flow is left to write it. Which orders are waited
 * for stands in a file of its own.
 */
const inbox = ({ dataDirectory, gateway: { controlKey } }: Options) =>
  Layer.unwrap(
    Effect.map(WebFile.open({ path: `${dataDirectory}/callbacks.db` }), ({ callbacks }) =>
      CallbackInbox.layer({
        keys: { controlKeys: [controlKey] },
        onOrder: Outcomes.record,
        isKnown: Outcomes.isKnown,
        store: callbacks
      })
    )
  )

/** Goes on where the last process was, and asks about orders that have fallen silent. */
const underWay = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* Checkout.goOn
    yield* Office.goOn
    yield* Subscribing.goOn
    yield* Suppliers.goOn
    const { sweep } = yield* CallbackInbox.CallbackInbox
    yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("5 minutes")))
  })
)

/** Until the scope ends; also gives `Settings`, which knows the address. */
export const layer = (options: Options) => {
  const { dataDirectory, host = "127.0.0.1", port = 8090 } = options
  const pages = Layer.mergeAll(
    Assets.layer,
    CheckoutRoutes.layer,
    OrderRoutes.layer,
    SubscriptionRoutes.layer,
    OfficeRoutes.layer,
    CallbackRoute.layer("/callback")
  )
  const books = Layer.mergeAll(Orders.layer, Actions.layer, Wallet.layer, Payouts.layer, Subscriptions.layer)
  return HttpRouter.serve(pages, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(64_000))),
    Layer.provide(underWay),
    Layer.provide(inbox(options)),
    Layer.provide(payments(dataDirectory)),
    Layer.provide(client(options)),
    Layer.provideMerge(books),
    Layer.provide(ShopDatabase.layer(`${dataDirectory}/shop.db`)),
    Layer.provideMerge(settings(options)),
    Layer.provide(NodeHttpServer.layer(createServer, { host, port }))
  )
}

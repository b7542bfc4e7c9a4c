/** The sample shop in this process, on the gateway of the context. */
import { Settings } from "@pay/app-shop/Settings"
import * as Shop from "@pay/app-shop/Shop"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Clock, Effect, Layer, Redacted } from "effect"
import { wall } from "../harness/Clocks.ts"
import { clientSettings, endpoints } from "../harness/Credentials.ts"
import { freePort } from "../harness/Loopback.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import { officePassword } from "./ShopProcess.ts"

/** A shop lives by the wall's time, whatever business time the tests let pass at the gateway. */
const ourTime = Layer.succeed(Clock.Clock, wall)

/** Its customers know it by this name, and behind a proxy by https; `path` is what its settings say after that. */
export const shop = (host = "127.0.0.1", protocol: "http" | "https" = "http", path = "", password = officePassword) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { publicBaseUrl } = yield* NodeServer
      const port = yield* freePort
      const { endpointId: _, ...client } = clientSettings(publicBaseUrl)
      return Shop.layer({
        ...client,
        dataDirectory: yield* TestGateway.folder,
        host: "127.0.0.1",
        port,
        publicUrl: `${protocol}://${host}:${port}${path}`,
        officePassword: Redacted.make(password),
        endpoints: { hosted: endpoints.threeds3dsGateway, card: endpoints.threedsMerchant, kept: endpoints.usd }
      })
    })
  ).pipe(Layer.provide(ourTime))

/** The gateway's limit on pages is no concern of a shop's tests. */
const gateway = TestGateway.layer({ settings: { sessionRate: { perSecond: 0, burst: 0 } } })

export const layer = Layer.provideMerge(shop(), gateway)

export const url = Effect.map(Settings, ({ publicUrl }) => publicUrl)

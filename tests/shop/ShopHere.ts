/** The sample shop in this process, on the gateway of the context. */
import { Settings } from "@pay/app-shop/Settings"
import * as Shop from "@pay/app-shop/Shop"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import { Clock, Effect, Layer, Redacted } from "effect"
import * as TestGateway from "../system/TestGateway.ts"
import { officePassword } from "./ShopProcess.ts"

const { controlKey, endpoints, login } = TestGateway

const shop = Layer.unwrap(
  Effect.gen(function* () {
    const { publicBaseUrl } = yield* NodeServer
    return Shop.layer({
      dataDirectory: yield* TestGateway.folder,
      port: 0,
      officePassword: Redacted.make(officePassword),
      gateway: {
        baseUrl: publicBaseUrl,
        login,
        controlKey: Redacted.make(controlKey),
        privateKey: Redacted.make(Sandbox.merchant.privateKeyPem),
        endpoints: { hosted: endpoints.threeds3dsGateway, card: endpoints.threedsMerchant, kept: endpoints.usd }
      }
    })
  })
)

/** The gateway's limit on pages is no concern of a shop's tests. */
const gateway = TestGateway.layer({ settings: { sessionRate: { perSecond: 0, burst: 0 } } })

/** A shop lives by the wall's time, whatever business time the tests let pass at the gateway. */
const ourTime = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

export const layer = Layer.provideMerge(Layer.provide(shop, ourTime), gateway)

export const url = Effect.map(Settings, ({ publicUrl }) => publicUrl)

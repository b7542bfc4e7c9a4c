/** The sample shop in this process, on the gateway of the context. */
import { createServer } from "node:net"
import { Settings } from "@pay/app-shop/Settings"
import * as Shop from "@pay/app-shop/Shop"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import { Clock, Effect, Layer, Redacted } from "effect"
import * as TestGateway from "../system/TestGateway.ts"
import { officePassword } from "./ShopProcess.ts"

const { controlKey, endpoints, login } = TestGateway

/** A port that nobody listens on. */
export const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** A shop lives by the wall's time, whatever business time the tests let pass at the gateway. */
const ourTime = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

/** Its customers know it by this name, and behind a proxy by https; `path` is what its settings say after that. */
export const shop = (host = "127.0.0.1", protocol: "http" | "https" = "http", path = "") =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { publicBaseUrl } = yield* NodeServer
      const port = yield* freePort
      return Shop.layer({
        dataDirectory: yield* TestGateway.folder,
        host: "127.0.0.1",
        port,
        publicUrl: `${protocol}://${host}:${port}${path}`,
        officePassword: Redacted.make(officePassword),
        baseUrl: publicBaseUrl,
        login,
        controlKey: Redacted.make(controlKey),
        privateKey: Redacted.make(Sandbox.merchant.privateKeyPem),
        endpoints: { hosted: endpoints.threeds3dsGateway, card: endpoints.threedsMerchant, kept: endpoints.usd }
      })
    })
  ).pipe(Layer.provide(ourTime))

/** The gateway's limit on pages is no concern of a shop's tests. */
const gateway = TestGateway.layer({ settings: { sessionRate: { perSecond: 0, burst: 0 } } })

export const layer = Layer.provideMerge(shop(), gateway)

export const url = Effect.map(Settings, ({ publicUrl }) => publicUrl)

/** The sample shop in this process, on the gateway of the context. */

import * as FlowSettings from "@pay/flows/FlowSettings"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Settings } from "@pay/shop/Settings"
import * as Shop from "@pay/shop/Shop"
import { Clock, Effect, Layer, Redacted } from "effect"
import { wall } from "../../packages/schema/test/Clocks.ts"
import { freePort } from "../../packages/schema/test/Loopback.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { clientSettings, endpoints } from "../harness/Credentials.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import { officePassword } from "./ShopProcess.ts"

/** The shop runs in wall time. The tests advance only the business time of the gateway. */
const wallTime = Layer.succeed(Clock.Clock, wall)

/** A shop with this public address; `path` is the rest of the address in its settings. */
export const shop = (host = "127.0.0.1", protocol: "http" | "https" = "http", path = "", password = officePassword) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { publicBaseUrl } = yield* NodeServer
      const port = yield* freePort
      const { endpointId: _, ...client } = clientSettings(publicBaseUrl)
      return Shop.layer({
        ...client,
        profile: "pay",
        quietPeriod: FlowSettings.defaults.quietPeriod,
        dataDirectory: yield* temporaryFolder,
        host: "127.0.0.1",
        port,
        publicUrl: `${protocol}://${host}:${port}${path}`,
        officePassword: Redacted.make(password),
        endpoints: { hosted: endpoints.threeds3dsGateway, card: endpoints.threedsMerchant, kept: endpoints.usd }
      })
    })
  ).pipe(Layer.provide(wallTime))

/** The gateway's limit on pages is no concern of a shop's tests. */
const gateway = TestGateway.layer({ settings: { sessionRate: { perSecond: 0, burst: 0 } } })

export const layer = Layer.provideMerge(shop(), gateway)

export const url = Effect.map(Settings, ({ publicUrl }) => publicUrl)

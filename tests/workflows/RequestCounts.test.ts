/** Counts the requests of new sales, by what their client knows of the gateway: a creation that cannot be repeated has a status before it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowsers from "@pay/flows/CustomerBrowser"
import * as Durable from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayClient from "@pay/transport/PayClient"
import type * as Profile from "@pay/transport/Profile"
import * as Wire from "@pay/transport/Wire"
import { Effect, Layer, Redacted } from "effect"
import { key } from "./PreparedRun.ts"
import { payloadOf } from "./Requests.ts"

interface Merchant {
  readonly profile: Profile.Name
  /** Whether the gateway announces nothing in its answers. */
  readonly isSilent?: boolean
}

/** The connection of a merchant, which notes the operation of each request. */
const noted = (requests: Array<string>, { isSilent = false }: Merchant) =>
  Layer.effect(
    Wire.Wire,
    Effect.map(Wire.Wire, ({ send }) =>
      Wire.Wire.of({
        send: (request) =>
          Effect.suspend(() => {
            requests.push(request.url.split("/").at(-2) ?? "")
            return Effect.map(send(request), (answer) =>
              isSilent ? { ...answer, headers: { ...answer.headers, [GatewayProfile.header]: undefined } } : answer
            )
          })
      })
    )
  ).pipe(Layer.provide(Wire.layerUndici()))

const { controlKey, endpoints, login, privateKeyPem } = Sandbox.merchant

const clientOf = (baseUrl: string, requests: Array<string>, merchant: Merchant) =>
  PayClient.layerNoDeps({
    ...{ baseUrl, login, profile: merchant.profile, endpointId: endpoints.usd },
    ...{ controlKey: Redacted.make(controlKey), privateKey: Redacted.make(privateKeyPem) }
  }).pipe(Layer.provide(noted(requests, merchant)), Layer.orDie)

const file = Layer.unwrap(
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "pay-requests-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    )
    const cipher = yield* Cipher.make({ key })
    return CardSale.layer.pipe(Layer.provideMerge(Durable.layer({ path: join(folder, "flows.db"), cipher })))
  })
).pipe(Layer.orDie)

const engines = { memory: FlowEngine.layerMemory, file } as const

const rows: ReadonlyArray<readonly [what: string, merchant: Merchant, first: string, second: string]> = [
  ["with the profile of our gateway", { profile: "pay" }, "sale, status", "sale, status"],
  ["without a profile at our gateway", { profile: "specification" }, "status, sale, status", "sale, status"],
  [
    "without a profile at a gateway that announces nothing",
    { profile: "specification", isSilent: true },
    "status, sale, status",
    "status, sale, status"
  ]
]

let orders = 0

it.layer(Sandbox.listen(), { excludeTestServices: true })("the requests of a new sale", (it) => {
  it.effect.each(rows.flatMap((row) => [["memory", ...row] as const, ["file", ...row] as const]))(
    "on the engine %s, %s",
    ([engine, , merchant, ...expected]) =>
      Effect.gen(function* () {
        const { publicBaseUrl } = yield* NodeServer
        const requests: Array<string> = []
        const sale = Effect.gen(function* () {
          orders += 1
          const payload = yield* payloadOf(CardSale, { clientOrderId: `order-${orders}` })
          requests.length = 0
          yield* CardSale.execute(payload)
          // It asks until the order is approved.
          return requests.filter((path, at) => path !== requests[at - 1]).join(", ")
        })
        const services = Layer.merge(clientOf(publicBaseUrl, requests, merchant), CustomerBrowsers.layerNone)
        const both = Effect.all([sale, sale]).pipe(Effect.provide(engines[engine].pipe(Layer.provideMerge(services))))
        assert.deepStrictEqual(yield* both, expected)
      })
  )
})

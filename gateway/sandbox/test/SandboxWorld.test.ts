import { assert, describe, it } from "@effect/vitest"
import * as Directory from "@pay/gateway/Directory"
import { KeyRing, KeyVaultLocal } from "@pay/gateway/KeyVault"
import { AuthClock } from "@pay/gateway/Store"
import * as StoreMemory from "@pay/gateway/StoreMemory"
import { Clock, Effect, Layer, Schema } from "effect"
import { SandboxClock } from "../src/SandboxClock.ts"
import { SandboxControl } from "../src/SandboxControl.ts"
import * as SandboxMerchant from "../src/SandboxMerchant.ts"
import * as SandboxWorld from "../src/SandboxWorld.ts"
import { authorize, textOf } from "./Inquiry.ts"

const vault = Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing })))
const merchants = Schema.decodeSync(Directory.Config)(SandboxMerchant.directory)
const directory = Effect.provide(
  Directory.Directory,
  Layer.provide(Directory.layer(merchants), Layer.merge(StoreMemory.layer, Layer.provide(vault, AuthClock.layer)))
)

describe("the sandbox merchant", () => {
  const routes = [
    ["usd", ["USD"], "minor", "off"],
    ["eur", ["EUR"], "minor", "off"],
    ["jpy", ["JPY"], "minor", "off"],
    ["kwd", ["KWD"], "minor", "off"],
    ["x100", ["USD", "EUR", "JPY", "KWD"], "x100", "off"],
    ["limited", ["USD", "EUR"], "minor", "off"],
    ["threeds3dsGateway", ["USD", "EUR"], "minor", "gateway"],
    ["threedsMerchant", ["USD", "EUR"], "minor", "merchant"],
    ["approval", ["USD", "EUR"], "minor", "off"],
    ["jsonCallbacks", ["USD", "EUR"], "minor", "off"],
    ["group", ["USD", "EUR", "JPY", "KWD"], "minor", "off"]
  ] as const
  it.effect.each(routes)(
    "has the endpoint %s: currencies %j, amounts signed as %s, 3-D Secure %s",
    ([name, currencies, controlAmount, threeds]) =>
      Effect.gen(function* () {
        const route = (yield* directory).route(SandboxMerchant.endpoints[name])
        assert.strictEqual(route?.merchant.login, SandboxMerchant.merchant.login)
        assert.deepStrictEqual(
          route?.endpoints.flatMap((endpoint) => [...endpoint.currencies]),
          [...currencies]
        )
        assert.isTrue(route?.endpoints.every((endpoint) => endpoint.controlAmount === controlAmount))
        assert.isTrue(route?.endpoints.every((endpoint) => endpoint.threeds === threeds))
      })
  )

  it("has no other endpoint", () =>
    assert.deepStrictEqual(
      Object.keys(SandboxMerchant.endpoints),
      routes.map(([name]) => name)
    ))

  it.effect("has one RSA key, and one endpoint with a limit", () =>
    Effect.gen(function* () {
      const { merchants, route } = yield* directory
      assert.lengthOf(merchants()[0]?.publicKeys ?? [], 1)
      const limited = Object.values(SandboxMerchant.endpoints).filter(
        (id) => Object.keys(route(id)?.endpoints[0]?.maxAmount ?? {}).length > 0
      )
      assert.deepStrictEqual(limited, [SandboxMerchant.endpoints.limited])
    })
  )
})

describe("the sandbox layer", () => {
  it.effect("has a bank on a clock that can be advanced", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxClock
      assert.strictEqual(textOf(yield* authorize()), "Approved")
      yield* sandbox.advance("1 day", { nextDueMs: Effect.sync(() => undefined), settled: Effect.void })
      assert.strictEqual(yield* Clock.currentTimeMillis, 86_400_000)
    }).pipe(Effect.provide(SandboxWorld.layer()))
  )

  it.effect("creates two separate banks when it is provided twice", () =>
    Effect.gen(function* () {
      const layer = SandboxWorld.layer()
      const orders = Effect.flatMap(SandboxControl, ({ books }) => books.all)
      const inner = Effect.andThen(authorize(), Effect.provide(orders, layer))
      assert.deepStrictEqual(yield* Effect.provide(inner, layer), [])
    })
  )
})

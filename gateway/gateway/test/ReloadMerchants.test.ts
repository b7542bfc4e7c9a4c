import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import { Ids } from "../src/kernel/Ids.ts"
import { SecureRandom } from "../src/kernel/SecureRandom.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import { Config, Directory } from "../src/merchants/Directory.ts"
import * as Live from "../src/merchants/LiveDirectory.ts"
import * as ReloadMerchants from "../src/merchants/ReloadMerchants.ts"
import * as KeyRing from "../src/vault/KeyRing.ts"
import * as KeyVaultLocal from "../src/vault/KeyVaultLocal.ts"

const configOf = (login: string) =>
  Schema.decodeSync(Config)([{ login, controlKeys: ["key"], endpoints: [{ id: "1", currencies: ["USD"] }] }])

const ids = Ids.layer.pipe(Layer.provideMerge(AuthClock.layer))
const vault = Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing })))
const world = Layer.provideMerge(
  Live.layer(configOf("first")),
  Layer.mergeAll(StoreMemory.layer, SecureRandom.layer, vault.pipe(Layer.provideMerge(ids)))
)

describe("two reloads of the merchants at the same time", () => {
  it.effect("end with the configuration that was read last, even if the earlier reload takes longer", () =>
    Effect.gen(function* () {
      const slow = yield* Deferred.make<void>()
      let reads = 0
      const source = Effect.suspend(() => {
        reads += 1
        return reads === 1 ? Effect.as(Deferred.await(slow), configOf("older")) : Effect.succeed(configOf("newer"))
      })
      const reload = yield* Effect.provideService(ReloadMerchants.make, ReloadMerchants.MerchantsSource, source)
      const both = yield* Effect.forEach(["gateway", "operator:alice"] as const, (who) => Effect.forkChild(reload(who)))
      yield* TestClock.adjust("1 second")
      yield* Deferred.succeed(slow, undefined)
      yield* Effect.forEach(both, Fiber.join)
      const directory = yield* Directory
      assert.deepStrictEqual(
        directory.merchants().map((merchant) => merchant.login),
        ["newer"]
      )
    }).pipe(Effect.provide(world))
  )
})

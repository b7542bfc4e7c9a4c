/** Terminals of a configuration that is loaded again. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import { Ids } from "../src/kernel/Ids.ts"
import { SecureRandom } from "../src/kernel/SecureRandom.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import * as AcquirerNames from "../src/merchants/AcquirerNames.ts"
import { Config, Directory } from "../src/merchants/Directory.ts"
import * as Live from "../src/merchants/LiveDirectory.ts"
import * as KeyRing from "../src/vault/KeyRing.ts"
import * as KeyVaultLocal from "../src/vault/KeyVaultLocal.ts"

const configOf = (acquirer: string) =>
  Schema.decodeSync(Config)([
    {
      login: "shop",
      controlKeys: ["a key"],
      endpoints: [{ id: "1", currencies: ["USD"], terminals: [{ mid: "TEA", acquirer }] }]
    }
  ])

const ids = Ids.layer.pipe(Layer.provideMerge(AuthClock.layer))
const vault = Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing })))
const outside = Layer.mergeAll(StoreMemory.layer, SecureRandom.layer, vault.pipe(Layer.provideMerge(ids)))
const names = Layer.succeed(AcquirerNames.AcquirerNames, new Set(["acquirer", "tea-bank"]))
const directory = Live.layer(configOf("tea-bank")).pipe(Layer.provideMerge(Layer.merge(outside, names)))

it.effect("a terminal of an acquirer without an adapter is refused, and the former one stays", () =>
  Effect.gen(function* () {
    const live = yield* Live.LiveDirectory
    const replacing = live.replace(Effect.succeed(configOf("gone")), () => assert.fail("refused before it is audited"))
    assert.match((yield* Effect.flip(replacing)).message, /the terminal TEA is of the acquirer gone/)
    assert.strictEqual((yield* Directory).endpoint("1")?.terminals[0]?.acquirer, "tea-bank")
  }).pipe(Effect.provide(directory))
)

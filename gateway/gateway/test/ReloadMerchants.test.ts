import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger, Schema } from "effect"
import { TestClock } from "effect/testing"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { Ids } from "../src/kernel/Ids.ts"
import { Revision } from "../src/kernel/Revision.ts"
import { SecureRandom } from "../src/kernel/SecureRandom.ts"
import { Store, StoreUnavailable } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import { Config, Directory } from "../src/merchants/Directory.ts"
import * as Live from "../src/merchants/LiveDirectory.ts"
import * as ReloadMerchants from "../src/merchants/ReloadMerchants.ts"
import * as KeyRing from "../src/vault/KeyRing.ts"
import * as KeyVaultLocal from "../src/vault/KeyVaultLocal.ts"

const configOf = (login: string) =>
  Schema.decodeSync(Config)([{ login, controlKeys: ["key"], endpoints: [{ id: "1", currencies: ["USD"] }] }])

const unavailable = Effect.fail(new StoreUnavailable({ outcomeUnknown: false, cause: "no connection" }))

const ids = Ids.layer.pipe(Layer.provideMerge(AuthClock.layer))
const vault = Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing })))
const worldOn = (store: Layer.Layer<Store>) =>
  Layer.provideMerge(
    Live.layer(configOf("first")),
    Layer.mergeAll(store, SecureRandom.layer, vault.pipe(Layer.provideMerge(ids)))
  )
const world = worldOn(StoreMemory.layer)

/** A store of several processes whose reads and commits fail as the test says. */
const failing = (state: { readonly reads: boolean; readonly commits: boolean }) =>
  Layer.effect(
    Store,
    Effect.map(Store, (store) =>
      Store.of({
        ...store,
        exclusive: false,
        load: (entity, values) => (state.reads ? store.load(entity, values) : unavailable),
        commit: (decision) => (state.commits ? store.commit(decision) : unavailable)
      })
    )
  ).pipe(Layer.provide(StoreMemory.layer))

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

describe("a process whose store cannot serve for a while", () => {
  it.effect("reads its merchants again afterwards, and does not say before that another process has", () => {
    const state = { reads: true, commits: true }
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    return Effect.gen(function* () {
      const store = yield* Store
      const logins = Effect.map(Directory, (directory) => directory.merchants().map(({ login }) => login))
      yield* Layer.build(ReloadMerchants.layer).pipe(
        Effect.provideService(ReloadMerchants.MerchantsSource, Effect.succeed(configOf("second")))
      )
      state.reads = false
      yield* TestClock.adjust("3 seconds")
      assert.lengthOf(
        lines.filter((line) => line.includes("merchants are to be read again")),
        1,
        lines.join("\n")
      )
      assert.isEmpty(lines.filter((line) => line.startsWith("Another process")))
      yield* store.commit({ guards: [], writes: [Decision.put(Revision, { subject: "merchants", version: 1 })] })
      Object.assign(state, { reads: true, commits: false })
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* logins, ["first"])
      state.commits = true
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* logins, ["second"])
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(worldOn(failing(state)), logger)))
  })
})

/** Keys that two merchants may not share, and groups of endpoints that cause a warning. */
import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Schema } from "effect"
import * as Audit from "../src/kernel/Audit.ts"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import { Ids } from "../src/kernel/Ids.ts"
import { SecureRandom } from "../src/kernel/SecureRandom.ts"
import type { StoreUnavailable } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import { Config, Directory } from "../src/merchants/Directory.ts"
import type { KeyRefused } from "../src/merchants/decide/KeyLifecycle.ts"
import * as Live from "../src/merchants/LiveDirectory.ts"
import * as ManageKeys from "../src/merchants/ManageKeys.ts"
import * as KeyRing from "../src/vault/KeyRing.ts"
import * as KeyVaultLocal from "../src/vault/KeyVaultLocal.ts"

const login = "shop"
const actor = "operator:alice"
const hourMs = 3_600_000

const spki = { type: "spki", format: "pem" } as const
const rsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export(spki).toString()

const ids = Ids.layer.pipe(Layer.provideMerge(AuthClock.layer))
const vault = Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing })))
const outside = Layer.mergeAll(StoreMemory.layer, SecureRandom.layer, vault.pipe(Layer.provideMerge(ids)))
const processLayer = (config: Config) => Live.layer(config)

const added = (changes: Partial<ManageKeys.KeyRequest> & { readonly publicKey: string }) =>
  Effect.flatMap(ManageKeys.make, (keys) =>
    keys.add({ login, kind: "rsa", fromMs: undefined, overlapMs: undefined, ...changes }, actor)
  )
const reasonOf = <A, R>(effect: Effect.Effect<A, KeyRefused | StoreUnavailable, R>) =>
  Effect.map(Effect.flip(effect), (error) => (error._tag === "KeyRefused" ? error.reason : error._tag))

describe("an RSA key of a merchant", () => {
  const pair = rsa()
  const shop = { login, endpoints: [{ id: "1", currencies: ["USD"] }] } as const
  const club = { login: "club", endpoints: [{ id: "2", currencies: ["USD"] }] } as const
  const both = (...keys: readonly [ReadonlyArray<string>, ReadonlyArray<string>]) =>
    Schema.decodeSync(Config)([
      { ...shop, publicKeys: keys[0] },
      { ...club, publicKeys: keys[1] }
    ])
  const forClub = { login: "club", publicKey: pair }

  it.effect("cannot be added for another merchant until it is revoked, even if it is only pending", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonOf(added(forClub)), "KeyInUse")
      yield* added({ publicKey: rsa() })
      const keys = yield* ManageKeys.make
      yield* keys.revoke({ login, key: "rsa-1", last: false }, actor)
      yield* added(forClub)
      const later = rsa()
      yield* added({ publicKey: later, fromMs: hourMs })
      assert.strictEqual(yield* reasonOf(added({ ...forClub, publicKey: later })), "KeyInUse")
    }).pipe(Effect.provide(Layer.provideMerge(processLayer(both([pair], [])), outside)))
  )

  it.effect("cannot be configured for two merchants, neither at the start nor at a reload", () =>
    Effect.gen(function* () {
      const atStart = yield* Effect.flip(Effect.scoped(Layer.build(processLayer(both([pair], [pair])))))
      assert.include(String(atStart.message), "a public key of club is named for shop")
      const live = yield* Effect.provide(Live.LiveDirectory, processLayer(both([], [])), { local: true })
      yield* Effect.provide(added({ publicKey: pair }), processLayer(both([], [])), { local: true })
      const again = yield* Effect.flip(live.replace(Effect.succeed(both([], [pair])), () => assert.fail("refused")))
      assert.include(again.message, "a public key of club is active for shop")
    }).pipe(Effect.provide(outside))
  )

  it.effect("stays with the merchant if the login changes", () =>
    Effect.gen(function* () {
      const named = (login: string) => Schema.decodeSync(Config)([{ ...shop, login, publicKeys: [pair] }])
      yield* Effect.provide(Live.LiveDirectory, processLayer(named("shop")), { local: true })
      const directory = yield* Effect.provide(Directory, processLayer(named("store")), { local: true })
      assert.lengthOf(directory.route("1")?.merchant.publicKeys ?? [], 1)
    }).pipe(Effect.provide(outside))
  )
})

describe("a group of two endpoints", () => {
  const group = (first: boolean, second: boolean) =>
    Schema.decodeSync(Config)([
      {
        login,
        endpoints: [
          { id: "1", currencies: ["USD"], payoutApproval: first },
          { id: "2", currencies: ["EUR"], payoutApproval: second }
        ],
        groups: [{ id: "9", endpoints: ["1", "2"] }]
      }
    ])
  const entry = Audit.entry({
    auditId: "1",
    atMs: 0,
    actor,
    action: "merchants.reload",
    subject: { kind: "merchants", id: "file" },
    detail: {}
  })
  const warnings: Array<string> = []
  const logger = Logger.layer([
    Logger.make(({ logLevel, message }) => {
      if (logLevel === "Warn") warnings.push(String(message))
    })
  ])
  const cases = [
    [true, false, 1],
    [false, true, 1],
    [true, true, 0],
    [false, false, 0]
  ] as const
  it.effect.each(cases)("with payoutApproval %s and %s logs %d warnings, at the start and at a reload", (row) =>
    Effect.gen(function* () {
      const [first, second, count] = row
      warnings.length = 0
      const live = yield* Live.LiveDirectory
      assert.deepStrictEqual(warnings, [])
      yield* live.replace(Effect.succeed(group(first, second)), () => entry)
      assert.lengthOf(warnings, count)
      yield* Effect.provide(Live.LiveDirectory, processLayer(group(first, second)), { local: true })
      assert.lengthOf(warnings, 2 * count)
      for (const warning of warnings) {
        assert.match(warning, /^group 9 of shop mixes endpoints .* gives to [12] waits for no second person$/)
      }
    }).pipe(
      Effect.provide(processLayer(group(true, true)).pipe(Layer.provideMerge(outside), Layer.provideMerge(logger)))
    )
  )
})

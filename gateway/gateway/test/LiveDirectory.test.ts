/** Merchants' keys over time, in memory: each row of the tables is a promise to an operator who rotates a key. */
import { createPublicKey, generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { AuditEntry } from "../src/kernel/Audit.ts"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import type { Decision } from "../src/kernel/Decision.ts"
import { Ids } from "../src/kernel/Ids.ts"
import { SecureRandom } from "../src/kernel/SecureRandom.ts"
import { Store, type StoreUnavailable } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import { Config, Directory } from "../src/merchants/Directory.ts"
import * as KeyLifecycle from "../src/merchants/decide/KeyLifecycle.ts"
import * as Live from "../src/merchants/LiveDirectory.ts"
import * as ManageKeys from "../src/merchants/ManageKeys.ts"
import * as PublicSecrets from "../src/merchants/PublicSecrets.ts"
import * as KeyRing from "../src/vault/KeyRing.ts"
import { KeyVault } from "../src/vault/KeyVault.ts"
import * as KeyVaultLocal from "../src/vault/KeyVaultLocal.ts"

const login = "shop"
type Entry = (typeof Config.Encoded)[number]
const configOf = (changes: Partial<Entry> = {}) =>
  Schema.decodeSync(Config)([
    { login, controlKeys: ["old"], endpoints: [{ id: "1", currencies: ["USD"] }], ...changes }
  ])

const spki = { type: "spki", format: "pem" } as const
const rsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export(spki).toString()
const person = generateKeyPairSync("ed25519").publicKey.export(spki).toString()

const ids = Ids.layer.pipe(Layer.provideMerge(AuthClock.layer))
const vault = Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing })))
const outside = Layer.mergeAll(StoreMemory.layer, SecureRandom.layer, vault.pipe(Layer.provideMerge(ids)))

/** A process on the store and vault of the context; `exclusive: false`, as where others may write. */
const processLayer = (config = configOf(), exclusive = true) =>
  Live.layer(config).pipe(
    Layer.provide(
      Layer.effect(
        Store,
        Effect.map(Store, (store) => ({ ...store, exclusive }))
      )
    )
  )

const gateway = (changes: Partial<Entry> = {}) => Layer.provideMerge(processLayer(configOf(changes)), outside)

const keyRequest = { login, kind: "control", publicKey: undefined, fromMs: undefined, overlapMs: undefined } as const
const actor = "operator:alice"
const hourMs = 3_600_000

/** The control keys that count, the newest first. */
const accepted = Effect.map(Directory, (directory) =>
  (directory.route("1")?.merchant.controlKeys ?? []).map(Redacted.value)
)
const addKey = (changes: Partial<ManageKeys.KeyRequest> = {}) =>
  Effect.gen(function* () {
    const { secret } = yield* (yield* ManageKeys.make).add({ ...keyRequest, ...changes }, actor)
    return secret === undefined ? "" : Redacted.value(secret)
  })
const revoke = (key: string, last = false) =>
  Effect.flatMap(ManageKeys.make, (keys) => keys.revoke({ login, key, last }, actor))
const reasonOf = <A, R>(effect: Effect.Effect<A, KeyLifecycle.KeyRefused | StoreUnavailable, R>) =>
  Effect.map(Effect.flip(effect), (error) => (error._tag === "KeyRefused" ? error.reason : error._tag))
const states = Effect.map(
  Effect.flatMap(ManageKeys.make, ({ list }) => list(login)),
  ({ keys, nowMs }) => keys.map((key) => `${KeyLifecycle.nameOf(key)} ${KeyLifecycle.state(key, nowMs)}`)
)

describe("a merchant's control keys", () => {
  it.effect("are initially those of the configuration, the first of them as the newest", () =>
    Effect.map(accepted, (keys) => assert.deepStrictEqual(keys, ["new", "old"])).pipe(
      Effect.provide(gateway({ controlKeys: ["new", "old"] }))
    )
  )

  it.effect("include an added key as the newest, beside the others", () =>
    Effect.gen(function* () {
      const key = yield* addKey()
      assert.match(key, /^[\w-]{32}$/)
      assert.deepStrictEqual(yield* accepted, [key, "old"])
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("include a rotated key until its overlap ends, to the millisecond", () =>
    Effect.gen(function* () {
      const key = yield* addKey({ overlapMs: hourMs })
      yield* TestClock.adjust(hourMs - 1)
      assert.deepStrictEqual(yield* accepted, [key, "old"])
      assert.deepStrictEqual(yield* states, ["control-2 active", "control-1 retiring"])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* accepted, [key])
      assert.deepStrictEqual(yield* states, ["control-2 active", "control-1 expired"])
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("include a key from its start time, and the overlap begins then", () =>
    Effect.gen(function* () {
      const key = yield* addKey({ fromMs: hourMs, overlapMs: hourMs })
      assert.deepStrictEqual(yield* accepted, ["old"])
      assert.deepStrictEqual(yield* states, ["control-2 pending", "control-1 retiring"])
      yield* TestClock.adjust(hourMs)
      assert.deepStrictEqual(yield* accepted, [key, "old"])
      yield* TestClock.adjust(hourMs)
      assert.deepStrictEqual(yield* accepted, [key])
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("do not include a rotated key for longer because of a second rotation", () =>
    Effect.gen(function* () {
      yield* addKey({ overlapMs: hourMs })
      yield* addKey({ overlapMs: 5 * hourMs })
      yield* TestClock.adjust(hourMs)
      assert.deepStrictEqual(yield* states, ["control-3 active", "control-2 retiring", "control-1 expired"])
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("exclude a revoked key at once, its material is deleted, and revoking it again changes nothing", () =>
    Effect.gen(function* () {
      const key = yield* addKey()
      const row = yield* revoke("control-1")
      assert.deepInclude(row, { material: null })
      assert.deepStrictEqual(yield* accepted, [key])
      assert.strictEqual((yield* revoke("control-1")).revokedAtMs, row.revokedAtMs)
      const audited = yield* (yield* Store).find(AuditEntry, "at", { limit: 10 })
      assert.deepStrictEqual(
        audited.map(({ action, actor, detail, subjectId }) => [actor, action, subjectId, JSON.parse(detail).key]),
        [
          [actor, "key.add", login, "control-2"],
          [actor, "key.revoke", login, "control-1"]
        ]
      )
      assert.notInclude(JSON.stringify(audited), key)
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("keep the last key, unless the request explicitly revokes the last one", () =>
    Effect.gen(function* () {
      yield* addKey({ fromMs: hourMs })
      assert.strictEqual(yield* reasonOf(revoke("control-1")), "LastKey")
      yield* revoke("control-1", true)
      assert.deepStrictEqual(yield* accepted, [])
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("keep one key if the last two are revoked at the same time", () =>
    Effect.gen(function* () {
      yield* addKey()
      const exits = yield* Effect.all([Effect.exit(revoke("control-1")), Effect.exit(revoke("control-2"))], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false])
      assert.lengthOf(yield* accepted, 1)
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("are limited in number", () =>
    Effect.gen(function* () {
      for (let n = 1; n < KeyLifecycle.mostUsable; n += 1) yield* addKey()
      assert.strictEqual(yield* reasonOf(addKey()), "TooManyKeys")
      yield* revoke("control-1")
      yield* addKey()
    }).pipe(Effect.provide(gateway()))
  )
})

describe("a new merchant key is refused", () => {
  const existing = rsa()
  const refused: ReadonlyArray<readonly [string, Partial<ManageKeys.KeyRequest>, KeyLifecycle.Reason]> = [
    ["for an unknown merchant", { login: "nobody" }, "MerchantUnknown"],
    ["as a control key that the merchant supplies", { publicKey: existing }, "KeyUnusable"],
    ["that is not PEM", { kind: "rsa", publicKey: "PEM" }, "KeyUnusable"],
    ["without a public key", { kind: "rsa" }, "KeyUnusable"],
    ["that the merchant already has", { kind: "rsa", publicKey: existing }, "KeyInUse"],
    ["that is not an RSA key", { kind: "rsa", publicKey: person }, "KeyUnusable"]
  ]
  for (const [what, changes, reason] of refused) {
    it.effect(`${what}: ${reason}`, () =>
      Effect.map(reasonOf(addKey(changes)), (report) => assert.strictEqual(report, reason)).pipe(
        Effect.provide(gateway({ publicKeys: [existing] }))
      )
    )
  }

  it.effect("that was revoked before", () =>
    Effect.gen(function* () {
      yield* addKey({ kind: "rsa", publicKey: existing })
      yield* revoke("rsa-1", true)
      assert.strictEqual(yield* reasonOf(addKey({ kind: "rsa", publicKey: existing })), "KeyInUse")
    }).pipe(Effect.provide(gateway()))
  )
})

describe("a published key", () => {
  const existing = rsa()
  const secrets = Layer.succeed(
    PublicSecrets.PublicSecrets,
    new Set([PublicSecrets.ofKey({ kind: "rsa", key: createPublicKey(existing) }), PublicSecrets.ofLogin("everybody")])
  )
  it.effect("is refused from an operator", () =>
    Effect.map(reasonOf(addKey({ kind: "rsa", publicKey: existing })), (report) =>
      assert.strictEqual(report, "KeyUnusable")
    ).pipe(Effect.provide(gateway().pipe(Layer.provideMerge(secrets))))
  )
  it.effect("is refused in a configuration that is reloaded", () =>
    Effect.gen(function* () {
      const live = yield* Live.LiveDirectory
      const config = configOf({ login: "everybody", publicKeys: [existing] })
      const error = yield* Effect.flip(
        live.replace(Effect.succeed(config), () => assert.fail("refused before it is audited"))
      )
      assert.match(error.message, /login everybody is published[\s\S]*public key of everybody is published/)
      assert.deepStrictEqual(yield* accepted, ["old"])
    }).pipe(Effect.provide(gateway().pipe(Layer.provideMerge(secrets))))
  )
})

describe("stored merchant keys", () => {
  it.effect("survive a restart, and a revoked key stays revoked although the configuration still has it", () =>
    Effect.gen(function* () {
      const key = yield* Effect.provide(
        Effect.tap(addKey(), () => revoke("control-1")),
        processLayer(),
        { local: true }
      )
      assert.deepStrictEqual(yield* Effect.provide(accepted, processLayer(), { local: true }), [key])
      const more = configOf({ controlKeys: ["newer", "old"] })
      assert.deepStrictEqual(yield* Effect.provide(accepted, processLayer(more), { local: true }), ["newer", key])
    }).pipe(Effect.provide(outside))
  )

  it.effect("reach another process on the store within a second", () =>
    Effect.gen(function* () {
      const other = yield* Layer.build(Layer.fresh(processLayer(configOf(), false)))
      const there = Effect.provide(accepted, other)
      const key = yield* Effect.provide(addKey({ overlapMs: hourMs }), processLayer(), { local: true })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* there, [key, "old"])
      yield* Effect.provide(revoke("control-1"), processLayer(), { local: true })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* there, [key])
    }).pipe(Effect.provide(outside))
  )

  it.effect("keep one key if two processes revoke the last two at the same time", () =>
    Effect.gen(function* () {
      yield* Effect.provide(addKey(), processLayer(), { local: true })
      const store = yield* Store
      /** Both have decided before either commits. */
      const slow = { ...store, commit: (decision: Decision) => Effect.andThen(Effect.yieldNow, store.commit(decision)) }
      const process = Layer.build(Layer.fresh(processLayer(configOf(), false))).pipe(Effect.provideService(Store, slow))
      const [one, other] = [yield* process, yield* process]
      const exits = yield* Effect.all(
        [
          Effect.exit(Effect.provide(revoke("control-1"), one)),
          Effect.exit(Effect.provide(revoke("control-2"), other))
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false])
      assert.lengthOf(yield* Effect.provide(accepted, processLayer(), { local: true }), 1)
    }).pipe(Effect.provide(outside))
  )

  it.effect("prevent a start without their master key, with a message that names the key", () =>
    Effect.gen(function* () {
      yield* Effect.provide(accepted, processLayer(), { local: true })
      const otherVault = yield* Effect.provide(KeyVault, Layer.fresh(Layer.provide(vault, AuthClock.layer)))
      const error = yield* Effect.flip(
        Effect.provide(accepted, processLayer(configOf({ controlKeys: [] })), { local: true }).pipe(
          Effect.provideService(KeyVault, otherVault)
        )
      )
      assert.strictEqual(error._tag, "DirectoryError")
      assert.match(error.message, /shop\/control-1.*master key/)
    }).pipe(Effect.provide(outside))
  )

  it.effect("are not changed by a failed start with another key ring", () =>
    Effect.gen(function* () {
      yield* Effect.provide(accepted, processLayer(), { local: true })
      const otherVault = yield* Effect.provide(KeyVault, Layer.fresh(Layer.provide(vault, AuthClock.layer)))
      const refused = Effect.provide(accepted, processLayer(), { local: true }).pipe(
        Effect.provideService(KeyVault, otherVault)
      )
      assert.strictEqual((yield* Effect.flip(refused))._tag, "DirectoryError")
      assert.deepStrictEqual(yield* Effect.provide(accepted, processLayer(), { local: true }), ["old"])
    }).pipe(Effect.provide(outside))
  )
})

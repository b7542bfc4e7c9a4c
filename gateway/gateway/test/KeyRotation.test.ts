import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { CardRef } from "../src/cards/decide/CardRef.ts"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { Store } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import { MerchantKey } from "../src/merchants/decide/MerchantKey.ts"
import { Card } from "../src/orders/record/Card.ts"
import { Order } from "../src/orders/record/Order.ts"
import { Payout } from "../src/recipients/Recipient.ts"
import { Subscription } from "../src/recurring/decide/Subscription.ts"
import * as KeyRotation from "../src/retention/KeyRotation.ts"
import { Authentication } from "../src/threeds/decide/Authentication.ts"
import * as BrowserFacts from "../src/threeds/decide/BrowserFacts.ts"
import * as ThreeDSBegin from "../src/threeds/decide/ThreeDSBegin.ts"
import * as KeyRing from "../src/vault/KeyRing.ts"
import { KeyVault } from "../src/vault/KeyVault.ts"
import * as KeyVaultLocal from "../src/vault/KeyVaultLocal.ts"
import { payout, sale, subscription } from "./domain/Sample.ts"

type Vault = KeyVault["Service"]

const pan = (id: string) => Redacted.make(`444433332222000${id}`)
const ids = ["1", "2", "3", "4", "5"]
const authenticated = "2"

const vaultOf = (keyRing: KeyRing.KeyRing) =>
  Effect.flatMap(Layer.build(Layer.provide(KeyVaultLocal.layer({ keyRing }), AuthClock.layer)), (context) =>
    Effect.provide(KeyVault, context)
  )

/** A ring, the ring with one more key, and what remains once the old key is thrown away. */
const rings = Effect.gen(function* () {
  const old = yield* KeyRing.generate
  const both = yield* KeyRing.addMaster(old)
  const { current, keys } = both.master
  const key = keys[current]
  assert.isDefined(key)
  const alone: KeyRing.KeyRing = { ...both, master: { current, keys: { [current]: key } } }
  return { old: yield* vaultOf(old), both: yield* vaultOf(both), alone: yield* vaultOf(alone) }
})

const card = (vault: Vault, id: string): Card => ({
  cardId: id,
  merchantId: "shop",
  encryptedPan: vault.encrypt(pan(id), id),
  panHash: `v1.${id}`,
  createdAtMs: 1
})

const controlKey = (vault: Vault): MerchantKey => ({
  keyId: "shop/control-1",
  version: 1,
  merchantId: "shop",
  kind: "control",
  number: 1,
  fingerprint: "v1.1",
  material: Buffer.from(vault.encrypt(Redacted.make("control key"), "shop/control-1")).toString("base64url"),
  source: "operator",
  createdAtMs: 1,
  validFromMs: 1,
  validUntilMs: null,
  revokedAtMs: null
})

const fill = Effect.fnUntraced(function* (vault: Vault) {
  const store = yield* Store
  const { authentication } = ThreeDSBegin.begin(
    { merchantId: "m", orderId: authenticated },
    { mode: "gateway", pageToken: "t", browser: BrowserFacts.none, attempt: 1 },
    1,
    undefined
  )
  const encrypted = Buffer.from(vault.encrypt(Redacted.make("cavv"), authenticated)).toString("base64url")
  yield* store.commit({
    guards: [],
    writes: [
      ...ids.flatMap((id) => [
        Decision.append(Order, sale({ orderId: id, clientOrderId: `INV-${id}`, version: 1 })),
        Decision.append(Card, card(vault, id)),
        Decision.append(CardRef, {
          ...card(vault, id),
          cardRefId: `r${id}`,
          version: 1,
          encryptedPan: vault.encrypt(pan(id), `r${id}`),
          bin: "444433",
          lastFour: "0000",
          cardType: "VISA",
          cardholder: "",
          expireMonth: 12,
          expireYear: 2030,
          orderId: id,
          schemeReference: null,
          cardholderInitiated: 1,
          removedAtMs: null
        })
      ]),
      Decision.append(Authentication, { ...authentication, encryptedAuthenticationValue: encrypted }),
      Decision.append(MerchantKey, controlKey(vault)),
      Decision.append(Subscription, subscription({ encryptedPan: vault.encrypt(pan("9"), "9") })),
      Decision.append(
        Subscription,
        subscription({ subscriptionId: "10", orderId: "2", encryptedPan: new Uint8Array(0) })
      ),
      Decision.append(Payout, payout({ encryptedDestination: vault.encrypt(Redacted.make("recipient"), "1") })),
      Decision.append(MerchantKey, { ...controlKey(vault), keyId: "shop/rsa-1", kind: "rsa", material: "PEM" })
    ]
  })
})

/** Everything encrypted, as this vault reads it. */
const readAll = Effect.fnUntraced(function* (vault: Vault) {
  const store = yield* Store
  const text = (encrypted: Uint8Array, bound: string) =>
    Effect.match(vault.decrypt(encrypted, bound), { onSuccess: Redacted.value, onFailure: () => "closed" })
  const cards = yield* store.find(Card, "key", { limit: 100 })
  const refs = yield* store.find(CardRef, "key", { limit: 100 })
  const row = yield* store.load(Authentication, [authenticated])
  const key = yield* store.load(MerchantKey, ["shop/control-1"])
  const recurring = yield* store.load(Subscription, ["9"])
  const paid = yield* store.load(Payout, ["1"])
  return [
    ...(yield* Effect.forEach(cards, ({ cardId, encryptedPan }) => text(encryptedPan, cardId))),
    ...(yield* Effect.forEach(refs, ({ cardRefId, encryptedPan }) => text(encryptedPan, cardRefId))),
    yield* text(Buffer.from(row?.encryptedAuthenticationValue ?? "", "base64url"), authenticated),
    yield* text(Buffer.from(key?.material ?? "", "base64url"), "shop/control-1"),
    yield* text(recurring?.encryptedPan ?? new Uint8Array(0), "9"),
    yield* text(paid?.encryptedDestination ?? new Uint8Array(0), "1")
  ]
})

const numbers = ids.map((id) => Redacted.value(pan(id)))
const everything = [...numbers, ...numbers, "cavv", "control key", Redacted.value(pan("9")), "recipient"]
const encryptedValues = everything.length
/** A public key, and a recurring payment that is over, have nothing that is encrypted. */
const rows = encryptedValues + 2

it.effect("key rotation encrypts every value under the new key, and the old key is then not needed", () =>
  Effect.gen(function* () {
    const { alone, both, old } = yield* rings
    yield* fill(old)
    assert.deepStrictEqual(
      yield* readAll(alone),
      everything.map(() => "closed")
    )
    const reports: Array<string> = []
    const report = ({ position, reencrypted, rows: look }: KeyRotation.Progress) =>
      Effect.sync(() => void reports.push(`${position.kind} ${position.after}: ${reencrypted} of ${look}`))
    const counts = yield* KeyRotation.run({ pageRows: 2, report }).pipe(Effect.provideService(KeyVault, both))
    assert.deepStrictEqual(counts, { rows, reencrypted: encryptedValues, failed: 0 })
    assert.strictEqual(reports[0], "cards 2: 2 of 2")
    assert.strictEqual(reports.at(-1), "payouts 1: 14 of 16")
    assert.deepStrictEqual(yield* readAll(alone), everything)

    const again = yield* KeyRotation.run().pipe(Effect.provideService(KeyVault, both))
    assert.deepStrictEqual(again, { rows, reencrypted: 0, failed: 0 })
  }).pipe(Effect.provide(StoreMemory.layer))
)

it.effect("key rotation resumes where an interrupted run stopped", () =>
  Effect.gen(function* () {
    const { both, old } = yield* rings
    yield* fill(old)
    const stop = (progress: KeyRotation.Progress) => Effect.die(progress.position)
    const first = yield* Effect.exit(
      KeyRotation.run({ pageRows: 3, report: stop }).pipe(Effect.provideService(KeyVault, both))
    )
    assert.isTrue(first._tag === "Failure")
    const rest = yield* KeyRotation.run({ from: { kind: "cards", after: "3" } }).pipe(
      Effect.provideService(KeyVault, both)
    )
    assert.deepStrictEqual(rest, { rows: rows - 3, reencrypted: encryptedValues - 3, failed: 0 })
  }).pipe(Effect.provide(StoreMemory.layer))
)

it.effect("key rotation counts a value whose key is missing, and leaves it unchanged", () =>
  Effect.gen(function* () {
    const { alone, old } = yield* rings
    yield* fill(old)
    const counts = yield* KeyRotation.run().pipe(Effect.provideService(KeyVault, alone))
    assert.deepStrictEqual(counts, { rows, reencrypted: 0, failed: encryptedValues })
    assert.deepStrictEqual(yield* readAll(old), everything)
  }).pipe(Effect.provide(StoreMemory.layer))
)

it.effect("key rotation keeps a value that changes during the run, and encrypts it under the new key", () =>
  Effect.gen(function* () {
    const { alone, both, old } = yield* rings
    yield* fill(old)
    const store = yield* Store
    const changed = Redacted.make("5555444433332222")
    const newCard = Effect.gen(function* () {
      const order = yield* store.load(Order, ["1"])
      const row = yield* store.load(Card, ["1"])
      assert.isDefined(order)
      assert.isDefined(row)
      yield* store.commit({
        guards: [],
        writes: [
          Decision.put(Order, { ...order, version: order.version + 1 }),
          Decision.put(Card, { ...row, encryptedPan: old.encrypt(changed, "1") })
        ]
      })
    })
    const removal = Effect.gen(function* () {
      const ref = yield* store.load(CardRef, ["r1"])
      assert.isDefined(ref)
      yield* store.commit({
        guards: [],
        writes: [Decision.put(CardRef, { ...ref, version: ref.version + 1, removedAtMs: 7 })]
      })
    })
    /** On a payout's page the recipient corrects where the money goes. */
    const newRecipient = Effect.gen(function* () {
      const order = yield* store.load(Order, ["1"])
      assert.isDefined(order)
      yield* store.commit({
        guards: [],
        writes: [
          Decision.put(Order, { ...order, version: order.version + 1 }),
          Decision.put(Payout, payout({ encryptedDestination: old.encrypt(Redacted.make("another"), "1") }))
        ]
      })
    })
    /** The first value wrapped is of the first card; five cards and one of them again later, of the first stored card; the last one of the payout. */
    const meanwhile = new Map([
      [1, newCard],
      [ids.length + 2, removal],
      [encryptedValues + 2, newRecipient]
    ])
    let wrapped = 0
    const disturbed: Vault = {
      ...both,
      reencrypt: (encrypted) =>
        Effect.tap(both.reencrypt(encrypted), () => {
          wrapped += 1
          return Effect.orDie(meanwhile.get(wrapped) ?? Effect.void)
        })
    }
    yield* KeyRotation.run().pipe(Effect.provideService(KeyVault, disturbed))
    assert.strictEqual(wrapped, encryptedValues + meanwhile.size)
    assert.deepStrictEqual(yield* readAll(alone), [Redacted.value(changed), ...everything.slice(1, -1), "another"])
    assert.strictEqual((yield* store.load(CardRef, ["r1"]))?.removedAtMs, 7)
  }).pipe(Effect.provide(StoreMemory.layer))
)

import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as KeyRing from "../src/vault/KeyRing.ts"
import { KeyVault } from "../src/vault/KeyVault.ts"
import * as KeyVaultLocal from "../src/vault/KeyVaultLocal.ts"

const pan = "4444000022224444"
const card = Redacted.make(pan)
const bound = "card:17"

const vaultOf = (keyRing: KeyRing.KeyRing) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.provide(KeyVaultLocal.layer({ keyRing }), AuthClock.layer))
    return yield* Effect.provide(KeyVault, context)
  })

const vault = Effect.flatMap(KeyRing.generate, vaultOf)

/** The value, or why not. */
const textOf = <E extends { readonly message: string }>(opened: Effect.Effect<Redacted.Redacted<string>, E>) =>
  opened.pipe(
    Effect.map(Redacted.value),
    Effect.catch(({ message }) => Effect.succeed(`refused: ${message}`))
  )

const changed = "refused: changed since it was encrypted, or bound to something else"

describe("an encrypted value", () => {
  it.effect.each(["", "7", pan, "Łukasz Żółć 💳", "x".repeat(10_000)])(
    "is decrypted to the original text: %j",
    (text) =>
      Effect.gen(function* () {
        const { decrypt, decryptShortLived, encrypt, encryptShortLived } = yield* vault
        const plain = Redacted.make(text)
        assert.strictEqual(yield* textOf(decrypt(encrypt(plain, bound), bound)), text)
        assert.strictEqual(yield* textOf(decryptShortLived(encryptShortLived(plain, bound), bound)), text)
      })
  )

  it.effect("is refused if a byte is changed, added or removed", () =>
    Effect.gen(function* () {
      const { decrypt, encrypt } = yield* vault
      const encrypted = encrypt(card, bound)
      for (let at = 0; at < encrypted.length; at += 1) {
        const other = Uint8Array.from(encrypted, (byte, i) => (i === at ? byte ^ 1 : byte))
        assert.match(yield* textOf(decrypt(other, bound)), /^refused: /, `byte ${at}`)
        assert.match(yield* textOf(decrypt(encrypted.slice(0, at), bound)), /^refused: /, `first ${at} bytes`)
      }
      assert.strictEqual(yield* textOf(decrypt(Uint8Array.of(...encrypted, 0), bound)), changed)
      assert.strictEqual(yield* textOf(decrypt(encrypted, bound)), pan)
    })
  )

  it.effect("is decrypted only for the record to which it is bound", () =>
    Effect.gen(function* () {
      const { decrypt, encrypt } = yield* vault
      const encrypted = encrypt(card, bound)
      for (const other of ["", "card:18", "card:17 ", "CARD:17"]) {
        assert.strictEqual(yield* textOf(decrypt(encrypted, other)), changed)
      }
    })
  )

  it.effect("is either permanent or short-lived, and never decrypted as the other", () =>
    Effect.gen(function* () {
      const { decrypt, decryptShortLived, encrypt, encryptShortLived } = yield* vault
      const kind = "refused: not an encrypted value of this kind"
      assert.strictEqual(yield* textOf(decryptShortLived(encrypt(card, bound), bound)), kind)
      assert.strictEqual(yield* textOf(decrypt(encryptShortLived(card, bound), bound)), kind)
    })
  )

  it.effect("is different each time the same text is encrypted", () =>
    Effect.gen(function* () {
      const { encrypt } = yield* vault
      const heads = Array.from({ length: 2000 }, () => Buffer.from(encrypt(card, bound)).subarray(5).toString("hex"))
      const parts = [...Array(4).keys()].map(
        (part) => new Set(heads.map((head) => head.slice(part * 24, part * 24 + 24)))
      )
      assert.deepStrictEqual(
        parts.map(({ size }) => size),
        [2000, 2000, 2000, 2000]
      )
    })
  )

  it.effect("is refused under another key ring", () =>
    Effect.gen(function* () {
      const encrypted = (yield* vault).encrypt(card, bound)
      assert.strictEqual(yield* textOf((yield* vault).decrypt(encrypted, bound)), changed)
    })
  )

  it.effect("shows no card number and no key in its bytes, in errors or when printed", () =>
    Effect.gen(function* () {
      const ring = yield* KeyRing.generate
      const keyVault = yield* vaultOf(ring)
      const encrypted = keyVault.encrypt(card, bound)
      const failure = yield* Effect.flip(keyVault.decrypt(encrypted, "other"))
      const opened = yield* keyVault.decrypt(encrypted, bound)
      const lines = [failure, opened, ring, keyVault].flatMap((value) => [
        inspect(value, { depth: null, showHidden: true }),
        JSON.stringify(value),
        String(value)
      ])
      const secrets = [ring.master, ring.hashing].map(({ keys }) => Buffer.from(Redacted.value(keys[1] ?? none)))
      for (const text of [...lines, Buffer.from(encrypted).toString("latin1")]) {
        for (const secret of secrets) {
          for (const encoding of ["hex", "base64", "latin1"] as const) {
            assert.notInclude(text.toLowerCase(), secret.toString(encoding).toLowerCase())
          }
          assert.notInclude(text.replaceAll(/\s/g, ""), [...secret.subarray(0, 8)].join(","))
        }
        assert.notInclude(text, pan)
      }
    })
  )
})

const none = Redacted.make(new Uint8Array())

describe("a vault with several master keys", () => {
  it.effect("decrypts values of older keys, encrypts with the current key, and moves old values to it", () =>
    Effect.gen(function* () {
      const first = yield* KeyRing.generate
      const second = yield* KeyRing.addMaster(first)
      const onlyNew = { ...second, master: { current: 2, keys: { 2: second.master.keys[2] ?? none } } }

      const old = (yield* vaultOf(first)).encrypt(card, bound)
      const { decrypt, encrypt } = yield* vaultOf(second)
      assert.strictEqual(yield* textOf(decrypt(old, bound)), pan)

      const late = yield* vaultOf(onlyNew)
      assert.strictEqual(yield* textOf(late.decrypt(encrypt(card, bound), bound)), pan)
      assert.strictEqual(yield* textOf(late.decrypt(old, bound)), "refused: its key 1 does not exist here")

      const moved = yield* KeyVaultLocal.reencrypt(second)(old)
      assert.strictEqual(yield* textOf(late.decrypt(moved, bound)), pan)
      assert.strictEqual(yield* textOf(late.decrypt(moved, "card:18")), changed)
      assert.deepStrictEqual(moved.slice(-16), old.slice(-16), "the value itself was not touched")
    })
  )

  it.effect("leaves values of the current key unchanged, and reports values that it cannot move", () =>
    Effect.gen(function* () {
      const ring = yield* KeyRing.generate
      const { encrypt, encryptShortLived } = yield* vaultOf(ring)
      const encrypted = encrypt(card, bound)
      assert.strictEqual(yield* KeyVaultLocal.reencrypt(ring)(encrypted), encrypted)
      const later = KeyVaultLocal.reencrypt(yield* KeyRing.addMaster(ring))
      const refusals = [
        Uint8Array.from(encrypted, (byte, i) => (i === 20 ? byte ^ 1 : byte)),
        encryptShortLived(card, bound),
        new Uint8Array(200),
        new Uint8Array()
      ]
      for (const other of refusals) assert.strictEqual((yield* Effect.flip(later(other)))._tag, "CannotOpen")
    })
  )

  it.effect("does not start if the key ring lacks its current key", () =>
    Effect.gen(function* () {
      const ring = yield* KeyRing.generate
      const exit = yield* Effect.exit(vaultOf({ ...ring, master: { ...ring.master, current: 2 } }))
      assert.strictEqual(exit._tag, "Failure")
    })
  )
})

describe("a keyed hash", () => {
  const fixed = (byte: number): KeyRing.Keys => ({
    current: 1,
    keys: { 1: Redacted.make(new Uint8Array(32).fill(byte)) }
  })

  // HMAC-SHA256 under an HKDF-SHA256 key, computed apart with Python's `hmac`.
  it.effect("stays equal in every release, because stored cards and requests are found by it", () =>
    Effect.gen(function* () {
      const { cardHash, fingerprint } = yield* vaultOf({ master: fixed(1), hashing: fixed(2) })
      assert.strictEqual(cardHash("merchant", card), "v1.-tBP0hJUVKtJyT7P4FKqy_ug5WsNfvgQ7OnKFvQhUTU")
      assert.strictEqual(fingerprint("merchant", "SALE"), "v1.jmSJdSdjNVzoXRmakiRoEI-L4fvpLBMoum9YxyDqSeQ")
    })
  )

  it.effect("can be compared with an earlier hash, although a newer key is current", () =>
    Effect.gen(function* () {
      const [first, second] = [fixed(2).keys[1], fixed(3).keys[1]]
      assert(first !== undefined && second !== undefined)
      const before = yield* vaultOf({ master: fixed(1), hashing: { current: 1, keys: { 1: first } } })
      const after = yield* vaultOf({ master: fixed(1), hashing: { current: 2, keys: { 1: first, 2: second } } })
      const earlier = before.fingerprint("merchant", "SALE")
      assert.match(after.fingerprint("merchant", "SALE"), /^v2\./)
      assert.strictEqual(after.fingerprint("merchant", "SALE", earlier), earlier)
      assert.notStrictEqual(after.fingerprint("merchant", "PREAUTH", earlier), earlier)
      assert.strictEqual(after.cardHash("merchant", card, earlier), before.cardHash("merchant", card))
      for (const unknown of ["v3.x", "", "x"]) {
        assert.match(after.fingerprint("merchant", "SALE", unknown), /^v2\./)
      }
    })
  )

  it.effect("depends on text, merchant, purpose and key ring, and on nothing else", () =>
    Effect.gen(function* () {
      const ring = yield* KeyRing.generate
      const keyVault = yield* vaultOf(ring)
      const hash = keyVault.cardHash("a", card)
      assert.match(hash, /^v1\.[A-Za-z0-9_-]{43}$/)
      assert.strictEqual((yield* vaultOf(ring)).cardHash("a", Redacted.make(pan)), hash)
      assert.strictEqual((yield* vaultOf(yield* KeyRing.addMaster(ring))).cardHash("a", card), hash)
      const others = [
        keyVault.cardHash("b", card),
        keyVault.cardHash("a", Redacted.make("4444000022224445")),
        keyVault.fingerprint("a", pan),
        (yield* vault).cardHash("a", card)
      ]
      assert.strictEqual(new Set([hash, ...others]).size, 5)
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Cipher from "../../src/durable/Cipher.ts"

const keyOf = (byte: number) => Redacted.make(Buffer.alloc(32, byte).toString("base64"))

describe("the cipher of durable flows", () => {
  it.effect("decrypts a value only at its own place, and never encrypts it the same way twice", () =>
    Effect.gen(function* () {
      const { decrypt, encrypt } = yield* Cipher.make({ key: keyOf(1) })
      const encrypted = encrypt("4444333322221111", "flow/a")
      assert.strictEqual(decrypt(encrypted, "flow/a"), "4444333322221111")
      const others = Array.from({ length: 1000 }, () =>
        Buffer.from(encrypt("4444333322221111", "flow/a")).toString("hex")
      )
      assert.strictEqual(new Set([...others, Buffer.from(encrypted).toString("hex")]).size, 1001)
      assert.throws(() => decrypt(encrypted, "flow/b"), /changed after it was encrypted, or was moved/)
    })
  )

  it.effect("refuses a value with any changed byte", () =>
    Effect.gen(function* () {
      const { decrypt, encrypt } = yield* Cipher.make({ key: keyOf(1) })
      const encrypted = encrypt("x", "place")
      for (const at of encrypted.keys()) {
        const changed = Uint8Array.from(encrypted, (byte, index) => (index === at ? byte ^ 1 : byte))
        assert.throws(() => decrypt(changed, "place"))
      }
      for (const length of [0, 1, encrypted.length - 1])
        assert.throws(() => decrypt(encrypted.slice(0, length), "place"))
    })
  )

  it.effect("reads values and fingerprints of former keys, and of no other keys", () =>
    Effect.gen(function* () {
      const former = yield* Cipher.make({ key: keyOf(1) })
      const next = yield* Cipher.make({ key: keyOf(2), formerKeys: [keyOf(1)] })
      const other = yield* Cipher.make({ key: keyOf(3) })
      const encrypted = former.encrypt("x", "place")
      assert.strictEqual(next.decrypt(encrypted, "place"), "x")
      assert.throws(() => other.decrypt(encrypted, "place"), /add it to formerKeys/)
      const print = former.fingerprint("x")
      assert.deepStrictEqual(
        [next.matches("x", print), next.matches("y", print), other.matches("x", print), next.matches("x", "")],
        [true, false, false, false]
      )
      assert.notStrictEqual(next.fingerprint("x"), print)
    })
  )

  it.effect("accepts only keys of 32 bytes", () =>
    Effect.gen(function* () {
      for (const key of ["", "short", Buffer.alloc(31).toString("base64"), Buffer.alloc(33).toString("base64")]) {
        const refused = yield* Effect.flip(Cipher.make({ key: Redacted.make(key) }))
        assert.strictEqual(refused._tag, "KeyUnfit")
      }
    })
  )
})

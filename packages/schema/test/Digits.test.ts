import { assert, describe, it } from "@effect/vitest"
import * as Digits from "../src/Digits.ts"

/** All decimal digits of Unicode, in the order of their code points: in each script ten in a row, from zero to nine. */
const all = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((char) => /\p{Nd}/u.test(char))

describe("decimal digits", () => {
  it("of every script are read as those of ASCII", () => {
    assert.isAbove(all.length, 700)
    assert.strictEqual(all.length % 10, 0)
    assert.strictEqual(Digits.ascii(all.join("")), "0123456789".repeat(all.length / 10))
  })

  it("are the only characters that become digits, with those that are digits in compatibility form", () => {
    assert.strictEqual(Digits.ascii("①²一IVＡ"), "12一IVA")
  })
})

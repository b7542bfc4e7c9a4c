import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as PercentEncoding from "../src/PercentEncoding.ts"
import vectors from "../vectors/oauth.json" with { type: "json" }

/** Encodes with `encodeURIComponent`, and then the characters that it leaves. */
const reference = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )

/** Any sequence of UTF-16 units, most of them no valid text. */
const anyUnits = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units))

describe("PercentEncoding.encode", () => {
  it.each(vectors.percentEncoding)("$source: $encoded", ({ plain, encoded }) => {
    expect(PercentEncoding.encode(plain)).toBe(encoded)
    expect(PercentEncoding.decode(encoded)).toBe(plain)
  })

  it("agrees with encodeURIComponent for any text, including unpaired surrogates", () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        expect(PercentEncoding.encode(text)).toBe(reference(text))
      })
    )
    expect(PercentEncoding.encode("a\uD800b")).toBe("a%EF%BF%BDb")
  })
})

describe("PercentEncoding.decode", () => {
  it("reverses PercentEncoding.encode", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(PercentEncoding.decode(PercentEncoding.encode(text))).toBe(text.toWellFormed())
      })
    )
  })

  it("decodes long text like its parts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 9 }), (text) => {
        const whole = text.toWellFormed().repeat(1200)
        const encoded = PercentEncoding.encode(text).repeat(1200)
        expect(PercentEncoding.encode(whole)).toBe(encoded)
        expect(PercentEncoding.decode(encoded)).toBe(whole)
        expect(PercentEncoding.decode(`${encoded}%`)).toBeUndefined()
      }),
      { numRuns: 25 }
    )
  })

  it.each([
    ["%2f%2F", "//"],
    ["a+b", "a+b"],
    ["%C3%A9%20", "é "],
    ["", ""]
  ])("reads %j as %j", (text, plain) => expect(PercentEncoding.decode(text)).toBe(plain))

  it.each(["%", "a%2", "%G0", "%0G", "%%20", "%u0041", "%C3", "%C3%28", "%C0%AF", "%ED%A0%80", "%F5%80%80%80", "%é0"])(
    "refuses the malformed text %j",
    (text) => expect(PercentEncoding.decode(text)).toBeUndefined()
  )
})

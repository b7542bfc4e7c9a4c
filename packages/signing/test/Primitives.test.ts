import { createHmac } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as BaseString from "../src/BaseString.ts"
import type { Parameter } from "../src/Form.ts"
import * as BaseStringBytes from "../src/oauth/BaseStringBytes.ts"
import * as HmacSha1 from "../src/oauth/HmacSha1.ts"

const text = fc.string({ unit: "grapheme" })

describe("HmacSha1", () => {
  it("agrees with createHmac for any key and text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200, size: "max" }), text, (key, text) => {
        const bytes = Buffer.concat([Buffer.alloc(HmacSha1.BLOCK_BYTES), Buffer.from(text)])
        expect(HmacSha1.prepare(key)(bytes)).toBe(createHmac("sha1", key).update(text).digest("base64"))
      })
    )
  })

  it.each([64, 65])("agrees with createHmac for a key of %i bytes", (length) => {
    const key = "k".repeat(length)
    const bytes = Buffer.alloc(HmacSha1.BLOCK_BYTES)
    expect(HmacSha1.prepare(key)(bytes)).toBe(createHmac("sha1", key).digest("base64"))
  })
})

describe("BaseStringBytes", () => {
  const agree = (method: string, baseUri: string, parameters: ReadonlyArray<Parameter>) => {
    const bytes = BaseStringBytes.make(method, baseUri, parameters).subarray(BaseStringBytes.START)
    expect(Buffer.from(bytes).toString()).toBe(BaseString.join(method, baseUri, parameters))
  }
  const baseUri = "https://gateway.example/api/v4/payout/1111"

  it("agrees with BaseString.join, also for repeated names and names that must be encoded", () => {
    const name = fc.oneof(text, fc.constantFrom("a", "a-b", "a_b", "aB", "oauth_signature", "b!"))
    fc.assert(
      fc.property(text, fc.array(fc.tuple(name, text)), (method, parameters) => agree(method, baseUri, parameters))
    )
  })

  const long = "x".repeat(BaseStringBytes.CAPACITY)
  it.each<[string, string, string, ReadonlyArray<Parameter>]>([
    ["no parameter", "POST", baseUri, []],
    [
      "repeated names, values sorted",
      "POST",
      baseUri,
      [
        ["a", "1"],
        ["b", ""],
        ["a", "2"]
      ]
    ],
    [
      "repeated names, values unsorted",
      "POST",
      baseUri,
      [
        ["a", "2"],
        ["b", ""],
        ["a", "10"]
      ]
    ],
    ["a long method", long, baseUri, []],
    ["a long address", "POST", `https://gateway.example/${long}`, []],
    ["a long name", "POST", baseUri, [[long, "1"]]],
    [
      "a long value",
      "POST",
      baseUri,
      [
        ["a", long],
        ["b", "1"]
      ]
    ],
    ["a value that is too long only after it is encoded", "POST", baseUri, [["a", "€".repeat(7_000)]]],
    ["many values", "POST", baseUri, Array.from({ length: 200 }, (_, index) => [`n${index}`, "v".repeat(300)])],
    ["an address that is not ASCII", "POST", "https://gateway.example/é/中", [["a", "1"]]]
  ])("agrees with BaseString.join for %s", (_, method, baseUri, parameters) => agree(method, baseUri, parameters))
})

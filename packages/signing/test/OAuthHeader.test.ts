import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as OAuthHeader from "../src/OAuthHeader.ts"
import vectors from "../vectors/oauth.json" with { type: "json" }

describe("OAuthHeader.parse", () => {
  it.each(vectors.header)("$source", ({ text, parameters, realm }) =>
    expect(OAuthHeader.parse(text)).toEqual({ ok: true, parameters, realm })
  )

  it.each([
    [
      'OAuth a="1",b="2"',
      [
        ["a", "1"],
        ["b", "2"]
      ]
    ],
    [
      'oauth  a="1" ,\tb="2"',
      [
        ["a", "1"],
        ["b", "2"]
      ]
    ],
    ['OAUTH a = "1"', [["a", "1"]]],
    ['OAuth a=""', [["a", ""]]],
    ['OAuth a%20b="c%2Bd+e f"', [["a b", "c+d+e f"]]],
    ['OAuth __proto__="1"', [["__proto__", "1"]]]
  ])("reads %s", (text, parameters) =>
    expect(OAuthHeader.parse(text)).toEqual({ ok: true, parameters, realm: undefined })
  )

  it.each([
    ["", "does not start with OAuth"],
    ["OAuth", "does not start with OAuth"],
    ['Bearer a="1"', "does not start with OAuth"],
    ['OAuth2 a="1"', "does not start with OAuth"],
    ["OAuth ", "at character 6"],
    ["OAuth a", "at character 6"],
    ["OAuth a=1", "at character 6"],
    ['OAuth a="1', "at character 6"],
    ['OAuth a=x"1"', "at character 6"],
    ['OAuth ="1"', "at character 6"],
    ['OAuth a="1",', "at character 12"],
    ['OAuth a="1",,b="2"', "at character 12"],
    ['OAuth a="1" b="2"', "expected a comma at character 12"],
    ['OAuth a="1"x', "expected a comma at character 11"],
    ['OAuth a b="1"', "at character 6"],
    ['OAuth a="%"', "malformed percent-encoding"],
    ['OAuth %a="1"', "malformed percent-encoding"],
    ['OAuth a="%C3%28"', "malformed percent-encoding"],
    ['OAuth a="1", b="2", a="1"', "a appears twice"],
    ['OAuth a="1", %61="2"', "a appears twice"],
    ['OAuth realm="x", realm="y"', "realm appears twice"]
  ])("refuses %j: %s", (text, reason) =>
    expect(OAuthHeader.parse(text)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) })
  )

  it("accepts at most 32 parameters", () => {
    const header = (count: number) => `OAuth ${Array.from({ length: count }, (_, index) => `p${index}="1"`).join(",")}`
    expect(OAuthHeader.parse(header(32)).ok).toBe(true)
    expect(OAuthHeader.parse(header(33)).ok).toBe(false)
  })
})

describe("OAuthHeader.write", () => {
  it("writes a header that OAuthHeader.parse reads back unchanged", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text !== "realm")
    const parameters = fc.uniqueArray(fc.tuple(name, fc.string({ unit: "grapheme" })), {
      minLength: 1,
      maxLength: 12,
      selector: ([name]) => name
    })
    fc.assert(
      fc.property(parameters, (parameters) => {
        expect(OAuthHeader.parse(OAuthHeader.write(parameters))).toEqual({ ok: true, parameters, realm: undefined })
      })
    )
  })

  it("puts the realm first, and escapes quotes and line breaks in it", () => {
    expect(OAuthHeader.write([["a", "1"]], "Photos of me")).toBe('OAuth realm="Photos of me", a="1"')
    expect(OAuthHeader.write([["a", "1"]], 'x", b="2\r\nHost: é\\')).toBe(
      'OAuth realm="x%22, b=%222%0D%0AHost: %C3%A9%5C", a="1"'
    )
  })
})

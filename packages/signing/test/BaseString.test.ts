import { createHmac } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as BaseString from "../src/BaseString.ts"
import type { Parameter } from "../src/Form.ts"
import vectors from "../vectors/oauth.json" with { type: "json" }

const pairs = (lists: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Parameter> =>
  lists.map(([name = "", value = ""]) => [name, value])

describe("BaseString.baseUri", () => {
  it.each(vectors.baseUri)("$url ($source)", ({ url, baseUri }) => expect(BaseString.baseUri(url)).toBe(baseUri))

  it.each([
    "",
    "/api/v2/sale/1",
    "gateway.example/api",
    "ftp://gateway.example/",
    "https://",
    "https://a b/",
    " https://gateway.example/a",
    "https://gateway.example/a ",
    "https://gateway.example/a b",
    "https://gate\nway.example/a",
    "https://gateway.example/a\t",
    "https://gateway.example\\a",
    "https://gateway.example/a?b= c"
  ])("is undefined for the malformed address %j", (url) => expect(BaseString.baseUri(url)).toBeUndefined())

  it("omits the user name and the password", () => {
    expect(BaseString.baseUri("https://user:secret@gateway.example/a")).toBe("https://gateway.example/a")
  })
})

describe("BaseString.normalize", () => {
  it.each(vectors.normalized)("$source", ({ parameters, text }) =>
    expect(BaseString.normalize(pairs(parameters))).toBe(text)
  )

  it.each<[parameters: ReadonlyArray<Parameter>, text: string]>([
    [[], ""],
    [
      [
        ["a_b", "1"],
        ["a-b", "2"],
        ["aB", "3"],
        ["a", "4"]
      ],
      "a=4&a-b=2&aB=3&a_b=1"
    ],
    [
      [
        ["a", "2"],
        ["a", "10"],
        ["a", "%"]
      ],
      "a=%25&a=10&a=2"
    ],
    [
      [
        ["b!", ""],
        ["bA", ""]
      ],
      "b%21=&bA="
    ]
  ])("sorts and encodes %j", (parameters, text) => expect(BaseString.normalize(parameters)).toBe(text))
})

describe("BaseString.make", () => {
  it.each(vectors.baseString)("$source", ({ parameters, text, method, url }) =>
    expect(BaseString.make({ method, url, parameters: pairs(parameters) })).toBe(text)
  )

  it.each(vectors.hmacSha1)(
    "gives the text that HMAC-SHA1 signs: $source",
    ({ parameters, secret, signature, method, url }) => {
      const text = BaseString.make({ method, url, parameters: pairs(parameters) })
      expect(
        createHmac("sha1", secret)
          .update(text ?? "")
          .digest("base64")
      ).toBe(signature)
    }
  )

  it.each(["nowhere", "https://gateway.example/?a=%"])("is undefined for the malformed address %s", (url) => {
    expect(BaseString.make({ method: "POST", url, parameters: [] })).toBeUndefined()
  })
})

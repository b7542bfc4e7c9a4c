import { createHmac, generateKeyPairSync } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as BaseString from "../src/BaseString.ts"
import type { Parameter } from "../src/Form.ts"
import * as OAuth from "../src/OAuth.ts"
import * as OAuthHeader from "../src/OAuthHeader.ts"

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
const controlKey = "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"
const hmac = OAuth.hmac(controlKey)
const time = { nowSeconds: 1_669_966_913, toleranceSeconds: 300 }

const unsigned: OAuth.Unsigned = {
  method: "POST",
  url: "https://gateway.example/paynet/api/v4/payout/1111?trace=a%20b",
  consumerKey: "merchantlogin",
  parameters: [
    ["client-order-id", "902B4FF5"],
    ["amount", "10.42"],
    ["order_desc", "Two chairs & a table, 100% wood"],
    ["bank_name", "Société Générale"]
  ],
  timestampSeconds: time.nowSeconds,
  nonce: "y3qlvMPky7g"
}

const authorizationOf = (signed: OAuth.Signed): string => {
  if (!signed.ok) throw new Error(signed.reason._tag)
  return signed.authorization
}
const received = (authorization: string | undefined, change: Partial<OAuth.Received> = {}): OAuth.Received => {
  const { method, url, parameters } = unsigned
  return { method, url, parameters, authorization, ...change }
}
const hmacHeader = authorizationOf(OAuth.sign(unsigned, hmac))

/** Both steps in one; the reason is that of whichever refused. */
const judge = (request: OAuth.Received, key: OAuth.VerifyingKey, at = time): OAuth.Verified => {
  const parsed = OAuth.parse(request)
  return parsed.ok ? OAuth.verify(parsed.claim, key, at) : parsed
}

const methods: ReadonlyArray<[OAuth.Method, OAuth.SigningKey, OAuth.VerifyingKey]> = [
  ["HMAC-SHA1", hmac, hmac],
  ["RSA-SHA256", OAuth.rsaPrivate(privateKey), OAuth.rsaPublic(publicKey)]
]

describe.each(methods)("OAuth with %s", (method, signingKey, verifyingKey) => {
  it("verifies its own signature, made on the thread or on the thread pool", async () => {
    const signed = OAuth.sign(unsigned, signingKey)
    const prepared = OAuth.prepare(unsigned, signingKey)
    expect(prepared.ok && (await prepared.authorizeOnPool(unsigned))).toEqual(authorizationOf(signed))
    expect(judge(received(authorizationOf(signed)), verifyingKey)).toEqual({ ok: true })
  })

  it("parses the claims of the header", () => {
    const signed = OAuth.sign(unsigned, signingKey)
    expect(OAuth.parse(received(authorizationOf(signed)))).toMatchObject({
      ok: true,
      claim: {
        consumerKey: "merchantlogin",
        signatureMethod: method,
        timestampSeconds: 1_669_966_913,
        nonce: "y3qlvMPky7g",
        version: "1.0",
        signature: signed.ok ? signed.signature : ""
      }
    })
  })

  it("accepts an address that is already split into base URI and query", () => {
    const url = { baseUri: "https://gateway.example/paynet/api/v4/payout/1111", query: [["trace", "a b"]] as const }
    const request = received(authorizationOf(OAuth.sign(unsigned, signingKey)), { url })
    expect(judge(request, verifyingKey)).toEqual({ ok: true })
  })
})

it("OAuth signs no request to a malformed address", () => {
  const refusal = { ok: false, reason: { _tag: "MalformedUrl" } }
  const request = { ...unsigned, url: "gateway" }
  expect(OAuth.sign(request, hmac)).toEqual(refusal)
  expect(OAuth.prepare(request, hmac)).toEqual(refusal)
})

describe("OAuth.sign covers what BaseString.make says", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("10.42", "USD", "é", "%2B +", "x".repeat(70_000))
  )
  const name = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("amount", "order_desc", "a-b", "oauth_nonce"))
  const fields = fc.array(fc.tuple(name, text), { maxLength: 8 })

  const agree = (request: OAuth.Unsigned) => {
    const signed = OAuth.sign(request, hmac)
    const header = OAuthHeader.parse(authorizationOf(signed))
    const url = new URL(request.url)
    const query = [...url.searchParams].filter(([each]) => !each.startsWith("oauth_"))
    const body = request.parameters.filter(([each]) => !each.startsWith("oauth_"))
    const parameters = [...query, ...body, ...(header.ok ? header.parameters : [])]
    const text = BaseString.make({ method: request.method, url: `${url.origin}${url.pathname}`, parameters }) ?? ""
    const expected = createHmac("sha1", `${controlKey}&`).update(text).digest("base64")
    expect(signed).toMatchObject({ signature: expected })
  }

  it("for any fields and nonce", () => {
    fc.assert(fc.property(fields, text, (parameters, nonce) => agree({ ...unsigned, nonce, parameters })))
  })

  it.each([
    ["a query with a name of the body", "https://gateway.example/?amount=1"],
    ["a query that repeats a name", "https://gateway.example/?a=2&a=1"],
    ["a query that must be sorted in", "https://gateway.example/?zz=1&0=%21&order=x"],
    ["a query with an oauth_ parameter", "https://gateway.example/?oauth_nonce=1"],
    ["a long address", `https://gateway.example/${"a/".repeat(40_000)}`]
  ])("for %s", (_, url) => agree({ ...unsigned, url }))

  it("on the thread pool, while other requests are signed", async () => {
    const key = OAuth.rsaPrivate(privateKey)
    const prepared = OAuth.prepare(unsigned, key)
    const requests = Array.from({ length: 16 }, (_, index) => ({ ...unsigned, nonce: `nonce-${index}` }))
    const headers = requests.map((request) => prepared.ok && prepared.authorizeOnPool(request))
    expect(await Promise.all(headers)).toEqual(requests.map((request) => authorizationOf(OAuth.sign(request, key))))
  })
})

describe("OAuth.parse of oauth_ parameters", () => {
  const protocol = (() => {
    const parsed = OAuthHeader.parse(hmacHeader)
    return parsed.ok ? parsed.parameters : []
  })()

  it("counts them once if body and query repeat them", () => {
    const repeated = received(hmacHeader, { parameters: [...protocol, ...unsigned.parameters, ...protocol] })
    expect(judge(repeated, hmac)).toEqual({ ok: true })
    expect(judge({ ...repeated, url: `${unsigned.url}&oauth_nonce=${unsigned.nonce}` }, hmac)).toEqual({ ok: true })
    expect(OAuth.sign({ ...unsigned, parameters: repeated.parameters }, hmac)).toEqual(OAuth.sign(unsigned, hmac))
  })

  it.each<[Parameter]>([
    [["oauth_nonce", "other"]],
    [["oauth_signature", ""]],
    [["oauth_token", ""]],
    [["oauth_callback", "x"]]
  ])("refuses a different value in body or query: %j", ([name, value]) => {
    const refusal = { ok: false, reason: { _tag: "ConflictingParameter", name } }
    expect(OAuth.parse(received(hmacHeader, { parameters: [[name, value]] }))).toEqual(refusal)
    expect(OAuth.parse(received(hmacHeader, { url: `${unsigned.url}&${name}=${value}` }))).toEqual(refusal)
  })

  it.each(protocol.map(([name]) => name))("requires %s", (name) => {
    const header = OAuthHeader.write(protocol.filter((parameter) => parameter[0] !== name))
    expect(OAuth.parse(received(header))).toEqual({ ok: false, reason: { _tag: "MissingParameter", name } })
    const empty = OAuthHeader.write(protocol.map((parameter) => (parameter[0] === name ? [name, ""] : parameter)))
    expect(OAuth.parse(received(empty))).toEqual({ ok: false, reason: { _tag: "MissingParameter", name } })
  })

  it.each<[string, string, OAuth.Reason]>([
    ["oauth_signature_method", "PLAINTEXT", { _tag: "UnsupportedMethod", method: "PLAINTEXT" }],
    ["oauth_signature_method", "hmac-sha1", { _tag: "UnsupportedMethod", method: "hmac-sha1" }],
    ["oauth_signature_method", "RSA-SHA1", { _tag: "UnsupportedMethod", method: "RSA-SHA1" }],
    ["oauth_version", "2.0", { _tag: "UnsupportedVersion", version: "2.0" }],
    ["oauth_timestamp", "1669966913.5", { _tag: "MalformedParameter", name: "oauth_timestamp" }],
    ["oauth_timestamp", "-1", { _tag: "MalformedParameter", name: "oauth_timestamp" }],
    ["oauth_timestamp", "0", { _tag: "MalformedParameter", name: "oauth_timestamp" }],
    ["oauth_timestamp", "1e9", { _tag: "MalformedParameter", name: "oauth_timestamp" }],
    ["oauth_timestamp", "9".repeat(16), { _tag: "MalformedParameter", name: "oauth_timestamp" }],
    ["oauth_timestamp", "١٦٦٩٩٦٦٩١٣", { _tag: "MalformedParameter", name: "oauth_timestamp" }],
    ["oauth_nonce", "n".repeat(129), { _tag: "MalformedParameter", name: "oauth_nonce" }]
  ])("refuses %s = %s", (name, value, reason) => {
    const header = OAuthHeader.write(protocol.map((parameter) => (parameter[0] === name ? [name, value] : parameter)))
    expect(OAuth.parse(received(header))).toEqual({ ok: false, reason })
  })

  it("accepts a nonce of 128 characters", () => {
    const header = authorizationOf(OAuth.sign({ ...unsigned, nonce: "n".repeat(128) }, hmac))
    expect(judge(received(header), hmac)).toEqual({ ok: true })
  })
})

describe("OAuth refuses a request", () => {
  const claimed = (header: string) => received(header)

  it.each<[string, OAuth.Received, OAuth.Reason]>([
    ["without a header", received(undefined), { _tag: "MissingHeader" }],
    [
      "with another scheme",
      claimed("Bearer x"),
      { _tag: "MalformedHeader", problem: "scheme", detail: expect.stringContaining("OAuth") }
    ],
    ["at a malformed address", received(hmacHeader, { url: "/api" }), { _tag: "MalformedUrl" }],
    ["with a malformed query", received(hmacHeader, { url: "https://gateway.example/?a=%" }), { _tag: "MalformedUrl" }]
  ])("%s", (_, request, reason) => expect(OAuth.parse(request)).toEqual({ ok: false, reason }))

  it("that was signed with another method than the key's", () => {
    const rsaHeader = authorizationOf(OAuth.sign(unsigned, OAuth.rsaPrivate(privateKey)))
    expect(judge(received(rsaHeader), hmac)).toEqual({
      ok: false,
      reason: { _tag: "WrongMethod", expected: "HMAC-SHA1", received: "RSA-SHA256" }
    })
    expect(judge(received(hmacHeader), OAuth.rsaPublic(publicKey))).toEqual({
      ok: false,
      reason: { _tag: "WrongMethod", expected: "RSA-SHA256", received: "HMAC-SHA1" }
    })
  })

  it("if the key for verification is a private key", () => {
    const rsaHeader = authorizationOf(OAuth.sign(unsigned, OAuth.rsaPrivate(privateKey)))
    expect(judge(received(rsaHeader), OAuth.rsaPublic(privateKey))).toEqual({
      ok: false,
      reason: { _tag: "SignatureMismatch" }
    })
  })

  it.each([
    [300, { ok: true }],
    [-300, { ok: true }],
    [301, { ok: false, reason: { _tag: "OutsideTolerance", ageSeconds: 301 } }],
    [-301, { ok: false, reason: { _tag: "OutsideTolerance", ageSeconds: -301 } }]
  ])("only if it is outside the tolerance: %i s", (ageSeconds, verdict) =>
    expect(judge(received(hmacHeader), hmac, { ...time, nowSeconds: time.nowSeconds + ageSeconds })).toEqual(verdict)
  )

  it("for its signature first, then for its age", () => {
    const late = { ...time, nowSeconds: 0 }
    expect(judge(received(hmacHeader), OAuth.hmac("other"), late)).toMatchObject({
      reason: { _tag: "SignatureMismatch" }
    })
  })

  const request = (parameters: ReadonlyArray<Parameter>) => received(hmacHeader, { parameters })
  it.each<[string, OAuth.Received]>([
    ["another key", received(authorizationOf(OAuth.sign(unsigned, OAuth.hmac("other"))))],
    ["another HTTP method", received(hmacHeader, { method: "PUT" })],
    ["another scheme", received(hmacHeader, { url: unsigned.url.replace("https", "http") })],
    ["another port", received(hmacHeader, { url: unsigned.url.replace(".example", ".example:8443") })],
    ["another endpoint", received(hmacHeader, { url: unsigned.url.replace("1111", "1112") })],
    ["another query", received(hmacHeader, { url: unsigned.url.replace("trace=a", "trace=b") })],
    ["no query", received(hmacHeader, { url: unsigned.url.replace(/\?.*/, "") })],
    ["an additional field", request([...unsigned.parameters, ["a", ""]])],
    ["a missing field", request(unsigned.parameters.slice(1))],
    ["a field twice", request([...unsigned.parameters, ["amount", "10.42"]])],
    ["another nonce", received(hmacHeader.replace("y3qlvMPky7g", "y3qlvMPky7h"))],
    ["another time", received(hmacHeader.replace("1669966913", "1669966914"))],
    ["another consumer", received(hmacHeader.replace("merchantlogin", "merchantlogin2"))],
    ["an additional parameter in the header", received(`${hmacHeader}, oauth_token=""`)]
  ])("with %s, compared to the signed request", (_, request) =>
    expect(judge(request, hmac)).toEqual({ ok: false, reason: { _tag: "SignatureMismatch" } })
  )

  it.each(methods)("with any change of a field or of its %s signature", (_, signingKey, verifyingKey) => {
    const signed = OAuth.sign(unsigned, signingKey)
    const signature = signed.ok ? signed.signature : ""
    const parsed = OAuth.parse(received(authorizationOf(signed)))
    if (!parsed.ok) throw new Error(parsed.reason._tag)
    const base64 = fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_ \n")
    fc.assert(
      fc.property(fc.nat(signature.length), base64, fc.boolean(), (at, character, insert) => {
        const changed = signature.slice(0, at) + character + signature.slice(insert ? at : at + 1)
        fc.pre(changed !== signature)
        const claim = { ...parsed.claim, signature: changed }
        expect(OAuth.verify(claim, verifyingKey, time)).toEqual({ ok: false, reason: { _tag: "SignatureMismatch" } })
      })
    )
    fc.assert(
      fc.property(fc.nat(3), fc.string({ unit: "grapheme" }), fc.nat(1), (index, text, part) => {
        const parameters = unsigned.parameters.map(
          ([name, value], at): Parameter => (at !== index ? [name, value] : part === 0 ? [text, value] : [name, text])
        )
        fc.pre(!text.startsWith("oauth_") && JSON.stringify(parameters) !== JSON.stringify(unsigned.parameters))
        const request = received(authorizationOf(signed), { parameters })
        expect(judge(request, verifyingKey)).toEqual({ ok: false, reason: { _tag: "SignatureMismatch" } })
      })
    )
  })
})

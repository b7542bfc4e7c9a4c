import { execFileSync } from "node:child_process"
import { createHmac } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import PeerOAuth from "oauth-1.0a"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as BaseString from "../src/BaseString.ts"
import * as Control from "../src/Control.ts"
import * as OAuth from "../src/OAuth.ts"
import * as OAuthHeader from "../src/OAuthHeader.ts"
import * as RsaKey from "../src/RsaKey.ts"

const url = "https://gateway.example/paynet/api/v4/transfer-by-ref/1111"
const consumerKey = "merchantlogin"
const controlKey = "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"
const time = { timestampSeconds: 1_669_966_913, nonce: "y3qlvMPky7g" }

describe("the package oauth-1.0a", () => {
  const peer = new PeerOAuth({
    consumer: { key: consumerKey, secret: controlKey },
    signature_method: "HMAC-SHA1",
    hash_function: (text, key) => createHmac("sha1", key).update(text).digest("base64")
  })

  // The peer keeps one value for each name, and takes fields from an object, which sorts names that are numbers.
  const fields = fc.uniqueArray(
    fc.tuple(
      fc.string({ unit: "grapheme", minLength: 1 }).filter((name) => !/^(\d+$|oauth_|__)/.test(name)),
      fc.string({ unit: "grapheme" })
    ),
    { selector: ([name]) => name, maxLength: 10 }
  )

  it("gives the same signature for any fields", () => {
    fc.assert(
      fc.property(fields, (parameters) => {
        const theirs = peer.getSignature({ method: "POST", url, data: Object.fromEntries(parameters) }, undefined, {
          oauth_consumer_key: consumerKey,
          oauth_nonce: time.nonce,
          oauth_signature_method: "HMAC-SHA1",
          oauth_timestamp: time.timestampSeconds,
          oauth_version: "1.0"
        })
        const ours = OAuth.sign({ method: "POST", url, consumerKey, parameters, ...time }, OAuth.hmac(controlKey))
        expect(ours.ok && ours.signature).toBe(theirs)
      })
    )
  })

  it("makes headers that our verification accepts", () => {
    const data = { amount: "10.42", order_desc: "Two chairs & a table" }
    const theirs = peer.authorize({ method: "POST", url, data })
    const parsed = OAuth.parse({
      method: "POST",
      url,
      authorization: peer.toHeader(theirs).Authorization,
      parameters: Object.entries(data)
    })
    const at = { nowSeconds: theirs.oauth_timestamp, toleranceSeconds: 0 }
    expect(parsed.ok && OAuth.verify(parsed.claim, OAuth.hmac(controlKey), at)).toEqual({ ok: true })
  })
})

describe("openssl", () => {
  let folder = ""
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "pay signing "))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const openssl = (...options: ReadonlyArray<string>): Buffer =>
    execFileSync("openssl", options, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] })
  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content)
    return name
  }

  const parameters = [
    ["client-order-id", "902B4FF5"],
    ["amount", "10.42"],
    ["currency", "EUR"],
    ["order_desc", "Две табуретки & стол, 100%"],
    ["destination-card-no", "4444000022224444"]
  ] as const
  const unsigned = { method: "POST", url, consumerKey, parameters, ...time }
  const protocol = (method: OAuth.Method) =>
    [
      ["oauth_consumer_key", consumerKey],
      ["oauth_nonce", time.nonce],
      ["oauth_signature_method", method],
      ["oauth_timestamp", String(time.timestampSeconds)],
      ["oauth_version", "1.0"]
    ] as const
  const baseString = (method: OAuth.Method) =>
    BaseString.make({ method: "POST", url, parameters: [...parameters, ...protocol(method)] }) ?? ""

  it("gives the same control", () => {
    const values = { endpointId: "1111", client_orderid: "902B4FF5", amount: "1042", email: "josé@example.com" }
    const text = write("control.txt", Control.preimage(Control.recipes.sale, values, controlKey))
    const theirs = openssl("dgst", "-sha1", "-r", text).toString().slice(0, 40)
    expect(Control.sign(Control.recipes.sale, values, controlKey)).toBe(theirs)
  })

  it("gives the same HMAC signature", () => {
    const text = write("hmac.txt", baseString("HMAC-SHA1"))
    const theirs = openssl("dgst", "-sha1", "-hmac", `${controlKey}&`, "-binary", text).toString("base64")
    const ours = OAuth.sign(unsigned, OAuth.hmac(controlKey))
    expect(ours.ok && ours.signature).toBe(theirs)
  })

  it.each([
    ["PKCS#8", ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"], []],
    ["PKCS#1", ["genrsa", "-traditional", "2048"], ["-RSAPublicKey_out"]]
  ])("gives the same RSA signature with its %s keys, and our verification accepts it", (kind, generate, format) => {
    const privatePem = openssl(...generate)
    const privateFile = write(`${kind}.pem`, privatePem)
    const publicPem = openssl("rsa", "-in", privateFile, "-pubout", ...format)
    const privateKey = RsaKey.privateFromPem(privatePem.toString())
    const publicKey = RsaKey.publicFromPem(publicPem.toString())
    if (!privateKey.ok || !publicKey.ok) throw new Error("openssl's own keys were refused")

    const text = write("rsa.txt", baseString("RSA-SHA256"))
    const theirs = openssl("dgst", "-sha256", "-sign", privateFile, text).toString("base64")
    const ours = OAuth.sign(unsigned, OAuth.rsaPrivate(privateKey.key))
    expect(ours.ok && ours.signature).toBe(theirs)

    const authorization = OAuthHeader.write([...protocol("RSA-SHA256"), ["oauth_signature", theirs]], "pay")
    const parsed = OAuth.parse({ method: "POST", url, parameters, authorization })
    const at = { nowSeconds: time.timestampSeconds, toleranceSeconds: 0 }
    expect(parsed.ok && OAuth.verify(parsed.claim, OAuth.rsaPublic(publicKey.key), at)).toEqual({ ok: true })
  })

  it("makes RSA keys of 1024 bits, which are refused", () => {
    const pem = openssl("genrsa", "1024").toString()
    expect(RsaKey.privateFromPem(pem)).toEqual({ ok: false, reason: { _tag: "TooShort", bits: 1024 } })
  })
})

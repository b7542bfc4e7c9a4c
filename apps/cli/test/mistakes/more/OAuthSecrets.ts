/** Keys of an HMAC as libraries and settings change them. */
import { createHmac, createPublicKey, hash } from "node:crypto"
import { type Change, key, secret } from "../OAuthPayout.ts"
import { login, percent, type Row, rsa } from "../RawRequest.ts"
import { row } from "./OAuthChanges.ts"

const pem = rsa.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
const publicPem = createPublicKey(rsa.privateKey).export({ type: "spki", format: "pem" }).toString()
const secretOf =
  (make: (own: string) => string | Buffer): Change =>
  () => ({
    sign: (base, own) => createHmac("sha1", make(own)).update(base).digest("base64")
  })

export const keys: ReadonlyArray<Row> = [
  row(
    "payout",
    "& and the key",
    "token-secret",
    secret((own) => `&${own}`)
  ),
  row(
    "payout-form",
    "undefined after &",
    "token-secret",
    secret((own) => `${own}&undefined`)
  ),
  row(
    "payout",
    "null after &",
    "token-secret",
    secret((own) => `${own}&null`)
  ),
  row(
    "pan-eligibility/send",
    "the login and the key without &",
    "token-secret",
    secret((own) => login + own),
    { or: ["token-secret and ampersand-missing"] }
  ),
  row(
    "payout",
    "two &",
    "token-secret",
    secret((own) => `${own}&&`)
  ),
  row(
    "payout",
    "the key percent-encoded twice",
    "key-encoded",
    () => ({
      key: "a/b+c=",
      sign: (base, own) =>
        createHmac("sha1", `${percent(percent(own))}&`)
          .update(base)
          .digest("base64")
    }),
    { env: { PAY_CONTROL_KEY: "a/b+c=" } }
  ),
  row(
    "payout",
    "the key in Base64",
    "key-encoded",
    key((own) => Buffer.from(own).toString("base64"))
  ),
  row(
    "payout-form",
    "the hex digits of the key as bytes",
    "key-decoded",
    secretOf(() => Buffer.concat([Buffer.from("ff00aa11bb22", "hex"), Buffer.from("&")])),
    { env: { PAY_CONTROL_KEY: "ff00aa11bb22" }, or: ["key-decoded and ampersand-missing"] }
  ),
  row(
    "payout",
    "the key with a blank",
    "key-blank",
    key((own) => `${own} `),
    { or: ["key-line-end"] }
  ),
  row(
    "payout",
    "the key with CR LF and no &",
    "key-line-end and ampersand-missing",
    secret((own) => `${own}\r\n`),
    { or: ["ampersand-missing and key-line-end"] }
  ),
  row(
    "payout",
    "the key hashed by SHA-256",
    "key-hashed",
    key((own) => hash("sha256", own))
  ),
  row("v4/payout", "HMAC-SHA256 with the private key's file", "hmac-for-rsa", () => ({
    sign: (base) => createHmac("sha256", pem).update(base).digest("base64")
  })),
  row("v4/sale", "HMAC-SHA1 with the private key's file and &", "hmac-for-rsa", () => ({
    sign: (base) =>
      createHmac("sha1", `${percent(pem)}&`)
        .update(base)
        .digest("base64")
  })),
  row("transfer", "HMAC-SHA256 with the public key's file", "hmac-for-rsa", () => ({
    sign: (base) => createHmac("sha256", publicPem).update(base).digest("base64")
  })),
  row(
    "v4/status",
    "HMAC with the control key, without &",
    "hmac-for-rsa",
    () => ({ sign: (base, own) => createHmac("sha256", own).update(base).digest("base64") }),
    { or: ["ampersand-missing and hmac-for-rsa", "hmac-for-rsa and ampersand-missing"] }
  )
]

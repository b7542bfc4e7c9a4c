/** Other algorithms, and other ways to print a signature. */
import { hash, privateEncrypt, sign } from "node:crypto"
import { print } from "../OAuthPayout.ts"
import { percent, type Row, rsa, rsaSha256 } from "../RawRequest.ts"
import { hmacWith, lower, row } from "./OAuthChanges.ts"

export const algorithms: ReadonlyArray<Row> = [
  row("v4/payout", "RSA with SHA-384", "hash-other", () => ({ sign: rsaSha256(rsa.privateKey, "sha384") })),
  row("transfer", "RSA with MD5", "hash-other", () => ({ sign: rsaSha256(rsa.privateKey, "md5") })),
  row(
    "v4/sale",
    "the base string itself encrypted",
    "rsa-bare-hash",
    () => ({ sign: (base) => privateEncrypt(rsa.privateKey, Buffer.from(base).subarray(0, 200)).toString("base64") }),
    { or: ["unexplained"] }
  ),
  row("payout-check", "the hex digits of the hash encrypted", "rsa-bare-hash", () => ({
    sign: (base) => privateEncrypt(rsa.privateKey, Buffer.from(hash("sha256", base))).toString("base64")
  })),
  row("transfer-by-ref", "the Base64 of the hash signed", "hash-twice", () => ({
    sign: (base) => sign("sha256", Buffer.from(hash("sha256", base, "base64")), rsa.privateKey).toString("base64")
  })),
  row("v4/create-card-ref", "capital hex digits of the hash signed", "hash-twice", () => ({
    sign: (base) => sign("sha256", Buffer.from(hash("sha256", base).toUpperCase()), rsa.privateKey).toString("base64")
  })),
  row(
    "v4/status",
    "the Base64 of the base string signed",
    "text-changed",
    () => ({
      sign: (base) =>
        sign("sha256", Buffer.from(Buffer.from(base).toString("base64")), rsa.privateKey).toString("base64")
    }),
    { or: ["hash-twice", "parts-not-encoded"] }
  ),
  row("payout", "HMAC-SHA512", "hash-other", hmacWith("sha512")),
  row("payout-form", "HMAC-SHA256 in hex", "hash-other and hex", hmacWith("sha256", "hex")),
  row("payout", "SHA-1 of text and key in hex, as a control", "hash-without-key and hex", () => ({
    sign: (base, own) => hash("sha1", base + own)
  })),
  row(
    "pan-eligibility/send",
    "SHA-256 of key and text",
    "hash-without-key",
    () => ({ sign: (base, own) => hash("sha256", own + base, "base64") }),
    { or: ["hash-other and hash-without-key"] }
  ),
  row("payout", "MD5 under the key", "hash-other", hmacWith("md5")),
  row(
    "v4/payout",
    "hex digits in capitals, with RSA",
    "hex",
    print((made) => Buffer.from(made, "base64").toString("hex").toUpperCase())
  ),
  row(
    "v4/payout",
    "lines of 76 with CR LF",
    "base64-lines",
    print((made) => made.replace(/.{76}(?=.)/g, "$&\r\n"))
  ),
  row(
    "v4/payout",
    "Base64url with =",
    "base64url",
    print((made) => made.replaceAll("+", "-").replaceAll("/", "_"))
  ),
  row(
    "payout",
    "the mark of bytes of Python",
    "signature-decorated",
    print((made) => `b'${made}'`)
  ),
  row(
    "v4/sale",
    "double quotes around the signature",
    "signature-decorated",
    print((made) => `"${made}"`)
  ),
  row(
    "payout",
    "the signature in small letters",
    "signature-case",
    print((made) => made.toLowerCase())
  ),
  row(
    "v4/payout",
    "blanks in place of +",
    "signature-encoding",
    print((made) => made.replaceAll("+", " "))
  ),
  row(
    "payout",
    "the name of the method before the signature",
    "signature-decorated",
    print((made) => `HMAC-SHA1 ${made}`)
  ),
  row(
    "payout",
    "the signature encoded twice in small digits",
    "signature-encoding",
    print((made) => lower(percent(made)))
  ),
  row(
    "payout",
    "a column of 20 characters for the signature",
    "signature-cut",
    print((made) => made.slice(0, 20))
  )
]

/** Mistakes with the key and the algorithm of an OAuth signature. */
import { constants, createHmac, hash, privateEncrypt, sign } from "node:crypto"
import { hmac, key, print, secret, withRsa } from "./OAuthPayout.ts"
import {
  hmacSha1,
  login,
  otherKeys,
  otherPublicKey,
  otherRsa,
  percent,
  type Row,
  rsa,
  rsaSha256
} from "./RawRequest.ts"

const keys: ReadonlyArray<Row> = [
  hmac(
    "no & after the key",
    "ampersand-missing",
    secret((own) => own)
  ),
  hmac(
    "the key on both sides of &",
    "token-secret",
    secret((own) => `${own}&${own}`)
  ),
  hmac(
    "the login after &",
    "token-secret",
    secret((own) => `${own}&${login}`)
  ),
  hmac(
    "& escaped",
    "ampersand-escaped",
    secret((own) => `${own}%26`)
  ),
  hmac(
    "a line feed after the key",
    "key-line-end",
    secret((own) => `${own}\n&`)
  ),
  hmac(
    "the key in small letters",
    "key-case",
    key((own) => own.toLowerCase())
  ),
  hmac(
    "no key",
    "key-missing",
    key(() => "")
  ),
  hmac(
    "the key hashed",
    "key-hashed",
    key((own) => hash("sha1", own))
  ),
  hmac(
    "a key that is not percent-encoded",
    "key-not-encoded",
    () => ({ key: "a/b+c=", sign: (base, own) => createHmac("sha1", `${own}&`).update(base).digest("base64") }),
    {
      env: { PAY_CONTROL_KEY: "a/b+c=" }
    }
  ),
  hmac(
    "a key of --other-keys-file",
    "key-other",
    key(() => "second-key"),
    { args: [`--other-keys-file=${otherKeys}`] }
  ),
  withRsa("the private key of the settings, which is not that of the public key", "public-key-other", () => ({}), {
    or: ["rsa-key-other"],
    args: [`--public-key-file=${otherPublicKey}`]
  }),
  withRsa("another RSA key", "rsa-key-other", () => ({ sign: rsaSha256(otherRsa.privateKey) }))
]

const algorithms: ReadonlyArray<Row> = [
  hmac("HMAC with SHA-256", "hash-other", () => ({
    sign: (base, own) => createHmac("sha256", `${own}&`).update(base).digest("base64")
  })),
  hmac("SHA-1 without a key", "hash-without-key", () => ({ sign: (base) => hash("sha1", base, "base64") })),
  hmac("SHA-1 over text and key, as a control", "hash-without-key", () => ({
    sign: (base, own) => hash("sha1", base + own, "base64")
  })),
  hmac("key and text exchanged", "hmac-exchanged", () => ({
    sign: (base, own) => createHmac("sha1", base).update(`${own}&`).digest("base64")
  })),
  hmac("the key itself", "plaintext", () => ({ sign: (_, own) => `${own}&` })),
  hmac("RSA where HMAC is expected", "rsa-for-hmac", () => ({ sign: rsaSha256(rsa.privateKey) })),
  withRsa("RSA with SHA-1", "hash-other", () => ({ sign: rsaSha256(rsa.privateKey, "sha1") })),
  withRsa("RSA with SHA-512", "hash-other", () => ({ sign: rsaSha256(rsa.privateKey, "sha512") })),
  withRsa("the bytes of the signature backwards, as Windows makes them", "rsa-reversed", () => ({
    sign: (base) => sign("sha256", Buffer.from(base), rsa.privateKey).reverse().toString("base64")
  })),
  withRsa(
    "Base64 of hex digits, with RSA",
    "base64-of-hex",
    print((made) => Buffer.from(Buffer.from(made, "base64").toString("hex")).toString("base64"))
  ),
  withRsa(
    "Base64 of Base64, with RSA",
    "base64-of-hex",
    print((made) => Buffer.from(made).toString("base64"))
  ),
  withRsa("PSS", "rsa-pss", () => ({
    sign: (base) =>
      sign("sha256", Buffer.from(base), { key: rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING }).toString(
        "base64"
      )
  })),
  withRsa("PSS with the longest salt", "rsa-pss", () => ({
    sign: (base) =>
      sign("sha256", Buffer.from(base), {
        key: rsa.privateKey,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: constants.RSA_PSS_SALTLEN_MAX_SIGN
      }).toString("base64")
  })),
  withRsa("the hash hashed once more by RSA", "hash-twice", () => ({
    sign: (base) => sign("sha256", hash("sha256", base, "buffer"), rsa.privateKey).toString("base64")
  })),
  withRsa("the hex digits of the hash hashed by RSA", "hash-twice", () => ({
    sign: (base) => sign("sha256", Buffer.from(hash("sha256", base)), rsa.privateKey).toString("base64")
  })),
  withRsa("the hash encrypted without its name", "rsa-bare-hash", () => ({
    sign: (base) => privateEncrypt(rsa.privateKey, hash("sha256", base, "buffer")).toString("base64")
  })),
  withRsa("HMAC where RSA is expected", "hmac-for-rsa", () => ({ sign: hmacSha1 })),
  withRsa(
    "Base64url",
    "base64url",
    print((made) => made.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""))
  ),
  hmac(
    "no = at the end",
    "base64url",
    print((made) => made.replaceAll("=", ""))
  ),
  hmac(
    "hex digits",
    "hex",
    print((made) => Buffer.from(made, "base64").toString("hex"))
  ),
  hmac(
    "Base64 of hex digits",
    "base64-of-hex",
    print((made) => Buffer.from(Buffer.from(made, "base64").toString("hex")).toString("base64"))
  ),
  hmac(
    "Base64 of Base64",
    "base64-of-hex",
    print((made) => Buffer.from(made).toString("base64"))
  ),
  withRsa(
    "lines of 64 characters",
    "base64-lines",
    print((made) => made.replace(/.{64}(?=.)/g, "$&\n"))
  ),
  withRsa(
    "a line feed after the signature",
    "base64-lines",
    print((made) => `${made}\n`)
  ),
  hmac("the signature encoded twice", "signature-encoding", print(percent))
]

export const oauthSteps: ReadonlyArray<Row> = [...keys, ...algorithms]

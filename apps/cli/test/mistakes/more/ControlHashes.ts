/** Hashes of other kinds, and other ways to print one. */
import { createHash, createHmac } from "node:crypto"
import { type Row, sha1 } from "../RawRequest.ts"
import { both, money, print, row, text, value } from "./ControlChanges.ts"

const sha = (name: string) => (all: string) => createHash(name).update(all).digest("hex")

export const hashes: ReadonlyArray<Row> = [
  row("void", "Java: digest() a second time, which begins anew", "hash-of-nothing", () => ({ sign: () => sha1("") })),
  row(
    "status",
    "PHP: sha1 with true, whose bytes a library takes for Latin-1",
    "digest-bytes",
    print((_, digest) => digest.toString("latin1"))
  ),
  row(
    "capture",
    "capital digits hashed again",
    "hash-twice",
    text((all, own) => sha1(all.join("") + own).toUpperCase()),
    { with: money }
  ),
  row(
    "void",
    "a signed number of Java",
    "digest-as-number",
    print((_, digest) => BigInt.asIntN(160, BigInt(`0x${digest.toString("hex")}`)).toString(16)),
    {
      with: { client_orderid: "4" },
      or: ["right", "zeros-dropped"]
    }
  ),
  row(
    "status",
    "a decimal number",
    "digest-as-number",
    print((hex) => BigInt(`0x${hex}`).toString())
  ),
  row(
    "sale",
    "bin2hex of the hex digits in PHP",
    "hex-twice",
    print((hex) => Buffer.from(hex).toString("hex"))
  ),
  row(
    "return",
    "escapes of bytes in Python",
    "hex-decorated",
    print((hex) => `b'${hex.replace(/../g, "\\x$&")}'`),
    { with: money }
  ),
  row(
    "preauth",
    "what openssl dgst prints",
    "hex-decorated",
    print((hex) => `SHA1(stdin)= ${hex}`)
  ),
  row(
    "void",
    "what an older openssl prints",
    "hex-decorated",
    print((hex) => `(stdin)= ${hex}`)
  ),
  row(
    "sale-form",
    "what sha1sum prints",
    "hex-decorated",
    print((hex) => `${hex}  -`)
  ),
  row(
    "make-rebill",
    "bytes of Python as a text",
    "hex-decorated",
    print((hex) => `b'${hex}'`)
  ),
  row(
    "capture",
    "a list of bytes of Java",
    "digest-as-number",
    print((_, digest) => `[${[...digest].map((each) => (each > 127 ? each - 256 : each)).join(", ")}]`),
    { with: money }
  ),
  row(
    "get-card-info",
    "Base32",
    "base64",
    print((hex) => {
      const bits = [...Buffer.from(hex, "hex")].map((each) => each.toString(2).padStart(8, "0")).join("")
      return (bits.match(/.{5}/g) ?? [])
        .map((each) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(each, 2)])
        .join("")
    }),
    { or: ["base32"] }
  ),
  row("void", "HASHBYTES of SQL Server over nvarchar", "character-set and hex-decorated", () => ({
    sign: (all, own) => `0x${sha1(Buffer.from(all.join("") + own, "utf16le")).toUpperCase()}`
  })),
  row("payment-form", "HMAC in Base64", "hmac and base64", () => ({
    sign: (all, own) => createHmac("sha1", own).update(all.join("")).digest("base64")
  })),
  row(
    "return",
    "HMAC-SHA256 over names and values",
    "names-signed and hmac",
    () => ({
      sign: ([a, b, c, d, e], own) =>
        createHmac("sha256", own)
          .update(`login=${a}&client_orderid=${b}&orderid=${c}&amount=${d}&currency=${e}`)
          .digest("hex")
    }),
    { with: money }
  ),
  row("account-verification", "SHA-384", "hash-other", () => ({
    sign: (all, own) => sha("sha384")(all.join("") + own)
  })),
  row(
    "v2/transfer-by-ref",
    "MD5 of major units",
    "amount-major and hash-other",
    both(value(4, "10.42"), () => ({
      sign: (all, own) => sha("md5")(all.join("") + own)
    }))
  ),
  row("sync/account-verification", "Base64 of SHA-256", "hash-other and base64", () => ({
    sign: (all, own) =>
      createHash("sha256")
        .update(all.join("") + own)
        .digest("base64")
  })),
  row(
    "create-card-ref",
    "SHA-256 cut to 32",
    "hash-other and hex-cut",
    () => ({
      sign: (all, own) => sha("sha256")(all.join("") + own).slice(0, 32)
    }),
    { or: ["hex-cut"] }
  ),
  row(
    "upload-pares-result",
    "the whole text percent-encoded",
    "values-encoded",
    text((all, own) => encodeURIComponent(all.join("|") + own)),
    {
      or: ["values-encoded and separator", "separator and values-encoded", "separator"]
    }
  )
]

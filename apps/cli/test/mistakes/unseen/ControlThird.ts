/** A third list of mistakes of developers with `control`, written before any of them was tried. */
import { createHash, createHmac } from "node:crypto"
import * as C from "../more/ControlChanges.ts"
import { login, type Row, sha1 } from "../RawRequest.ts"

const { both, bytes, changed, key, money, order, row, text, value } = C
const hash = (name: string) => (all: ReadonlyArray<string>, own: string) =>
  createHash(name)
    .update(all.join("") + own)
    .digest("hex")
export const controlThird: ReadonlyArray<Row> = [
  row(
    "sale",
    "PHP: floatval, and strtoupper of the key",
    "amount-major and key-case",
    both(
      value(2, "10.42"),
      key((own) => own.toLowerCase())
    )
  ),
  row(
    "void",
    "PHP: print_r of the array before the key",
    "names-signed",
    text((all, own) => `Array\n(\n${all.map((each, at) => `    [${at}] => ${each}\n`).join("")})\n${own}`)
  ),
  row(
    "capture",
    "PHP: md5 of the key, and the currency before the amount",
    "key-hashed and parts-order",
    both(
      key((own) => createHash("md5").update(own).digest("hex")),
      order(0, 1, 2, 4, 3)
    ),
    { with: money }
  ),
  row(
    "status",
    "PHP: addslashes of the order's number, and hash('sha256')",
    "values-escaped and hash-other",
    both(
      changed(1, (each) => each.replace("'", "\\'")),
      () => ({ sign: hash("sha256") })
    ),
    { with: { client_orderid: "O'Neil-7" } }
  ),
  row(
    "return",
    "PHP: an empty currency, and the key twice",
    "part-missing and key-twice",
    both(
      value(4, ""),
      key((own) => own + own)
    ),
    { with: money }
  ),
  row(
    "preauth",
    "Python: repr of the email, and a line end after the key",
    "values-escaped and key-line-end",
    both(
      changed(3, (each) => `'${each}'`),
      key((own) => `${own}\n`)
    ),
    { or: ["values-escaped and text-line-end"] }
  ),
  row(
    "sale-form",
    "Python: int(amount), and join with a line end",
    "amount-whole and separator",
    both(
      value(2, "10"),
      text((all, own) => [...all, own].join("\n"))
    )
  ),
  row(
    "make-rebill",
    "Python: None for the currency, and sha512",
    "placeholder-signed and hash-other",
    both(value(4, "None"), () => ({ sign: hash("sha512") })),
    { with: money, or: ["absent-as-word and hash-other"] }
  ),
  row("create-card-ref", "Python: base64 of hexdigest, with a line end", "base64", ({ sign }) => ({
    sign: (all, own) => `${Buffer.from(sign(all, own)).toString("base64")}\n`
  })),
  row(
    "sale",
    "C#: decimal.ToString() of 1042.00, and the login in place of the endpoint",
    "amount-decimals and login-or-endpoint",
    both(value(2, "1042.00"), value(0, login))
  ),
  row(
    "void",
    "C#: Guid.Parse(key).ToString() fails, so the key without hyphens; Encoding.BigEndianUnicode",
    "key-without-hyphens and character-set",
    both(
      key((own) => own.replaceAll("-", "")),
      bytes((all) => Buffer.from(all, "utf16le").swap16())
    )
  ),
  row(
    "preauth-form",
    "C#: a trailing ; and hex in capitals with hyphens",
    "separator and hex-decorated",
    both(
      text((all, own) => [...all, own].map((each) => `${each};`).join("")),
      C.print((hex) => hex.toUpperCase().replace(/..(?!$)/g, "$&-"))
    )
  ),
  row(
    "capture",
    "Java: toString of a map",
    "names-signed",
    text(([a, b, c, d, e], own) => `{login=${a}, client_orderid=${b}, orderid=${c}, amount=${d}, currency=${e}}${own}`),
    { with: money }
  ),
  row(
    "transfer-form",
    "Java: Base64 of the key, and cents as a double",
    "key-encoded and amount-decimals",
    both(
      key((own) => Buffer.from(own).toString("base64")),
      value(2, "1042.0")
    )
  ),
  row(
    "get-card-info",
    "Java: the digest of byte[] as Arrays.toString",
    "digest-as-number",
    C.print((_, digest) => `[${[...digest].map((byte) => (byte > 127 ? byte - 256 : byte)).join(", ")}]`)
  ),
  row(
    "return",
    "Go: %x of the HMAC, over the amount in major units",
    "amount-major and hmac",
    both(value(3, "10.42"), () => ({ sign: (all, own) => createHmac("sha1", own).update(all.join("")).digest("hex") })),
    { with: money }
  ),
  row(
    "sale",
    "Go: json.Marshal escapes & in the email, and a key with quotes",
    "values-escaped and key-quoted",
    both(
      changed(3, (each) => each.replace("&", "\\u0026")),
      key((own) => `"${own}"`)
    ),
    { with: { email: "a&b@example.com" } }
  ),
  row(
    "void",
    "Ruby: key.strip! returns nil",
    "key-missing",
    key(() => "")
  ),
  row(
    "payment-form",
    "Ruby: format('%.2f'), and SHA256",
    "amount-major and hash-other",
    both(value(2, "10.42"), () => ({ sign: hash("sha256") }))
  ),
  row(
    "make-rebill-preauth",
    "Ruby: the order's number as a symbol, and a colon",
    "separator and values-case",
    both(
      changed(1, (each) => each.toLowerCase()),
      text((all, own) => [...all, own].join(":"))
    ),
    { with: money }
  ),
  row(
    "sale",
    "Node: undefined for the email, and md5",
    "placeholder-signed and hash-other",
    both(value(3, "undefined"), () => ({ sign: hash("md5") }))
  ),
  row(
    "status",
    "Node: the secret as Buffer.from(key, 'base64') in an HMAC",
    "hmac",
    () => ({ sign: (all, own) => createHmac("sha1", Buffer.from(own, "base64")).update(all.join("")).digest("hex") }),
    { or: ["key-decoded and hmac"] }
  ),
  row(
    "upload-cres-result",
    "Node: hash of the values, and the key with a colon",
    "hash-twice",
    () => ({ sign: (all, own) => sha1(`${sha1(all.join(""))}:${own}`) }),
    { or: ["separator and hash-twice"] }
  ),
  row(
    "capture",
    "Bash: bc prints 1042.00, and sha1sum's name",
    "amount-decimals and hex-decorated",
    both(
      value(3, "1042.00"),
      C.print((hex) => `${hex}  -`)
    ),
    { with: money }
  ),
  row(
    "sale-form",
    "Bash: openssl's prefix and a line end",
    "text-line-end and hex-decorated",
    both(
      text((all, own) => `${all.join("")}${own}\n`),
      C.print((hex) => `SHA1(stdin)= ${hex}`)
    ),
    { or: ["key-line-end and hex-decorated"] }
  ),
  row(
    "return",
    "Postman: a copied order's number with a blank before it, and CryptoJS words",
    "values-untrimmed and base64",
    both(
      changed(1, (each) => ` ${each}`),
      C.print((_, digest) => digest.toString("base64"))
    ),
    { with: money }
  ),
  row(
    "v2/transfer-by-ref",
    "Postman: an older card",
    "unexplained",
    both(
      value(3, "ref-8f27ab"),
      key((own) => `${own}x`)
    )
  )
]

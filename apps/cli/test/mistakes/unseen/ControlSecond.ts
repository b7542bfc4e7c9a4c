/** A second list of mistakes of developers with `control`, written before any of them was tried. */
import { createHash, createHmac } from "node:crypto"
import { both, bytes, changed, key, money, order, print, row, text, value } from "../more/ControlChanges.ts"
import type { Row } from "../RawRequest.ts"

const md5 = (all: ReadonlyArray<string>, own: string): string =>
  createHash("md5")
    .update(all.join("") + own)
    .digest("hex")

export const controlSecond: ReadonlyArray<Row> = [
  // PHP
  row("sale", "PHP: a number from '1,234.56', times 100", "amount-whole", value(2, "100"), {
    with: { amount: "1234.56" },
    or: ["amount-format"]
  }),
  row(
    "void",
    "PHP: rtrim($key, '0'), and md5",
    "key-cut and hash-other",
    both(
      key((own) => own.slice(0, -1)),
      () => ({ sign: md5 })
    )
  ),
  row(
    "sale-form",
    "PHP: strtolower of the email, and number_format($amount * 100, 2)",
    "values-case and amount-format",
    both(
      value(2, "1,042.00"),
      changed(3, (each) => each.toLowerCase())
    ),
    { with: { email: "John.Smith@Example.com" }, or: ["values-case and amount-decimals"] }
  ),
  row(
    "capture",
    "PHP: implode(' ', …) with a key that config() does not have",
    "separator and key-missing",
    both(
      key(() => ""),
      text((all, own) => [...all, own].join(" "))
    ),
    { with: money }
  ),
  // Python
  row("preauth", "Python: hmac.new(…, sha256), and b64encode", "hmac and base64", () => ({
    sign: (all, own) => createHmac("sha256", own).update(all.join("")).digest("base64")
  })),
  row(
    "return",
    "Python: a float, and the order's number in small letters",
    "amount-decimals and values-case",
    both(
      value(3, "1042.0"),
      changed(1, (each) => each.toLowerCase())
    ),
    { with: money }
  ),
  row("sale", "Python: ''.join(sorted(values))", "parts-order", ({ values }) => ({ values: values.toSorted() })),
  row(
    "payment-form",
    "Python: quote(email), and the amount after the email",
    "values-encoded and parts-order",
    both(
      changed(3, (each) => each.replace("@", "%40")),
      order(0, 1, 3, 2)
    )
  ),
  // C#
  row(
    "preauth-form",
    'C#: ToString("F2") in Russian, and Encoding.Default',
    "amount-major and character-set",
    both(
      value(2, "10,42"),
      bytes((all) =>
        Buffer.from(
          [...all].map((letter) => (letter >= "А" ? letter.charCodeAt(0) - 0x410 + 0xc0 : letter.charCodeAt(0)))
        )
      )
    ),
    { with: { email: "Иван@example.com" } }
  ),
  row(
    "create-card-ref",
    "C#: AppendLine of each part",
    "separator",
    text((all, own) => [...all, own].map((each) => `${each}\r\n`).join(""))
  ),
  row("void", "C#: hash.ToString()", "digest-unprinted", () => ({ sign: () => "System.Byte[]" })),
  // Java
  row(
    "status",
    "Java: update(key) first, and new String(digest)",
    "key-first and digest-bytes",
    both(
      text((all, own) => own + all.join("")),
      print((_, digest) => digest.toString("latin1"))
    )
  ),
  row(
    "make-rebill",
    "Java: hashUnencodedChars of Guava, and the amount of the form",
    "amount-major and character-set",
    both(
      value(3, "10.42"),
      bytes((all) => Buffer.from(all, "utf16le"))
    ),
    { with: money }
  ),
  row("sale", "Java: stripTrailingZeros().toString()", "amount-format", value(2, "1E+3"), {
    with: { amount: "10.00" }
  }),
  // Go
  row("capture", "Go: %d for a string", "amount-format", value(3, "%!d(string=10.42)"), {
    with: money,
    or: ["placeholder-signed"]
  }),
  row(
    "return",
    "Go: int(amount * 100), and an id that is not set",
    "amount-float and part-missing",
    both(value(3, "1998"), value(2, "")),
    { with: { amount: "19.99", currency: "USD" } }
  ),
  // Ruby
  row(
    "account-verification",
    "Ruby: params.values.join, and Digest::MD5",
    "body-signed and hash-other",
    ({ fields }) => ({ sign: (_, own) => md5(Object.values(fields), own) })
  ),
  row(
    "void",
    "Ruby: File.read of the key, and escapeHTML of the order's number",
    "values-escaped and key-line-end",
    both(
      changed(1, (each) => each.replace("&", "&amp;")),
      key((own) => `${own}\n`)
    ),
    { with: { client_orderid: "A&B-7" }, or: ["values-escaped and text-line-end"] }
  ),
  // Node
  row(
    "make-rebill-sale",
    "Node: Object.values(…).toString() + key, with the amount of the form",
    "amount-major and separator",
    both(
      value(3, "10.42"),
      text((all, own) => all.join() + own)
    ),
    { with: money }
  ),
  row(
    "sale-form",
    "Node: Number(id), and digest() in a template",
    "placeholder-signed and digest-bytes",
    both(
      value(1, "NaN"),
      print((_, digest) => digest.toString("latin1"))
    )
  ),
  row("sale", "Node: crypto.subtle.digest without await", "digest-unprinted", () => ({
    sign: () => "[object Promise]"
  })),
  // Shells
  row(
    "upload-method-url-result",
    "Bash: sha1sum <<< text, and cut -c1-39",
    "text-line-end and hex-cut",
    both(
      text((all, own) => `${all.join("")}${own}\n`),
      print((hex) => hex.slice(0, 39))
    ),
    { or: ["key-line-end and hex-cut"] }
  ),
  row(
    "void",
    "PowerShell: Out-File, and Get-FileHash",
    "character-set and text-line-end",
    bytes((all) => Buffer.from(`\ufeff${all}\r\n`, "utf16le")),
    { or: ["character-set and key-line-end"] }
  ),
  row(
    "status",
    "Bash: :-0 for an absent orderid, and a key with its line end",
    "absent-as-word and key-line-end",
    both(
      value(2, "0"),
      key((own) => `${own}\n`)
    ),
    { or: ["absent-as-word and text-line-end"] }
  ),
  // Postman
  row("sale", "Postman: {{$guid}} in two places", "unexplained", value(1, "5e0d3c1a-7f0e-4a56-9d0f-0d4a5f9a4c11")),
  row(
    "void",
    "Postman: the key before the order's number, and the login in capitals",
    "key-first and values-case",
    both(
      changed(0, (each) => each.toUpperCase()),
      text(([login = "", ...rest], own) => login + own + rest.join(""))
    )
  )
]

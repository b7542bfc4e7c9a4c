/** The list of `ControlFirst.ts`, for the other languages. */
import { createHash, createHmac } from "node:crypto"
import { both, bytes, changed, key, money, order, print, row, text, value } from "../more/ControlChanges.ts"
import { login, type Row, sha1 } from "../RawRequest.ts"

/** Signs with another function than SHA-1 over the text. */
const signing = (make: (text: string, key: string) => string) => () => ({
  sign: (all: ReadonlyArray<string>, own: string) => make(all.join(""), own)
})
const unlucky = { amount: "19.99" }

export const controlOthers: ReadonlyArray<Row> = [
  // Java
  row("make-rebill", "Java: String.valueOf of a large double", "amount-decimals", value(3, "1.042E7"), {
    with: { amount: "104200.00", currency: "USD" },
    or: ["amount-format"]
  }),
  row(
    "return",
    "Java: List.toString(), and SHA-256",
    "names-signed and hash-other",
    signing((_, own) =>
      createHash("sha256")
        .update(`[${[login, "902B4FF5", "6768788", "1042", "USD"].join(", ")}]${own}`)
        .digest("hex")
    ),
    { with: money, or: ["separator and hash-other"] }
  ),
  row(
    "transfer-form",
    "Java: the login, and null + for the email",
    "login-or-endpoint and placeholder-signed",
    both(value(0, login), value(3, "null")),
    { or: ["login-or-endpoint and absent-as-word"] }
  ),
  row(
    "get-card-info",
    "Java: Integer.toHexString, and the parts exchanged",
    "parts-order and zeros-dropped",
    both(
      order(1, 0),
      print((hex) => hex.replace(/0(.)|(..)/g, "$1$2"))
    )
  ),
  row(
    "preauth",
    "Java: getBytes of UTF-16, which writes a mark first",
    "character-set",
    bytes((all) => Buffer.from(`\ufeff${all}`, "utf16le").swap16())
  ),
  // Go
  row(
    "sale",
    "Go: Sprintln of the parts",
    "separator and text-line-end",
    text((all, own) => `${[...all, own].join(" ")}\n`),
    { or: ["separator and key-line-end"] }
  ),
  row(
    "capture",
    "Go: sha1.New().Sum(text)",
    "hash-missing",
    () => ({ sign: (all, own) => Buffer.from(all.join("") + own).toString("hex") + sha1("") }),
    { with: money }
  ),
  row(
    "void",
    "Go: Sprint of the array, and the key with its line end",
    "key-line-end and digest-as-number",
    both(
      key((own) => `${own}\n`),
      print((_, digest) => `[${[...digest].join(" ")}]`)
    ),
    { or: ["text-line-end and digest-as-number"] }
  ),
  row(
    "v2/transfer-by-ref",
    "Go: FormatFloat, and the currency before the amount",
    "amount-major and parts-order",
    both(value(4, "10.42"), order(0, 1, 2, 3, 5, 4))
  ),
  // Ruby
  row(
    "return",
    "Ruby: join(',') and base64digest",
    "separator and base64",
    both(
      text((all, own) => [...all, own].join(",")),
      print((_, digest) => digest.toString("base64"))
    ),
    { with: money }
  ),
  row(
    "sale",
    "Ruby: (amount.to_f * 100).to_i, and ENV without the key",
    "amount-float and key-missing",
    both(
      value(2, "1998"),
      key(() => "")
    ),
    { with: unlucky }
  ),
  row(
    "upload-pares-result",
    "Ruby: inspect of the order's number",
    "values-escaped",
    changed(1, (each) => `"${each}"`),
    { or: ["names-signed"] }
  ),
  // Node
  row(
    "sale",
    "Node: amount * 100, and latin1",
    "amount-float and character-set",
    both(
      value(2, String(19.99 * 100)),
      bytes((all) => Buffer.from(all, "latin1"))
    ),
    { with: { ...unlucky, email: "josé@example.com" } }
  ),
  row(
    "preauth",
    "Node: an object for the email, and the key in small letters",
    "placeholder-signed and key-case",
    both(
      value(3, "[object Object]"),
      key((own) => own.toLowerCase())
    )
  ),
  row(
    "account-verification",
    "Node: an amount of 0, and the hash of the values with the key hashed",
    "part-extra and hash-twice",
    both(order(0, 1, "0", 2), () => ({ sign: (all, own) => sha1(sha1(all.join("")) + own) }))
  ),
  // Bash
  row(
    "status",
    "Bash: echo | sha1sum with its file name",
    "text-line-end and hex-decorated",
    both(
      text((all, own) => `${all.join("")}${own}\n`),
      print((hex) => `${hex}  -`)
    ),
    { or: ["key-line-end and hex-decorated"] }
  ),
  row(
    "void",
    "Bash: the key in single quotes, and openssl's prefix",
    "key-missing and hex-decorated",
    both(
      key(() => "$CONTROL_KEY"),
      print((hex) => `SHA1(stdin)= ${hex}`)
    )
  ),
  row(
    "capture",
    "Bash: $client_orderid_ is another variable, and the amount of the form",
    "amount-major and part-missing",
    both(value(3, "10.42"), value(1, "")),
    { with: money }
  ),
  // Postman
  row(
    "sale",
    "Postman: {{amount}} in a script, and Base64",
    "placeholder-signed and base64",
    both(
      value(2, "{{amount}}"),
      print((_, digest) => digest.toString("base64"))
    )
  ),
  row(
    "make-rebill-preauth",
    "Postman: HmacSHA1 of CryptoJS, and usd",
    "currency-form and hmac",
    both(
      value(4, "usd"),
      signing((all, own) => createHmac("sha1", own).update(all).digest("hex"))
    ),
    { with: money, or: ["values-case and hmac"] }
  ),
  row(
    "sale-form",
    "Postman: a blank after the order's number and a line break after the key in the environment",
    "values-untrimmed and key-line-end",
    both(
      changed(1, (each) => `${each} `),
      key((own) => `${own}\n`)
    ),
    { or: ["values-untrimmed and text-line-end"] }
  ),
  row(
    "upload-cres-result",
    "curl: sha512sum cut to 40 digits",
    "hash-other and hex-cut",
    both(
      signing((all, own) =>
        createHash("sha512")
          .update(all + own)
          .digest("hex")
      ),
      print((hex) => hex.slice(0, 40))
    ),
    { or: ["hash-other"] }
  )
]

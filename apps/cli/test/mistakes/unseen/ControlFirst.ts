/** Mistakes of developers with `control`, written before the catalogue was read. Half of them are made two at a time. */
import { createHash, createHmac } from "node:crypto"
import { both, bytes, changed, key, money, order, print, row, text, value } from "../more/ControlChanges.ts"
import type { Row } from "../RawRequest.ts"

/** Signs with another function than SHA-1 over the text. */
const signing = (make: (text: string, key: string) => string) => () => ({
  sign: (all: ReadonlyArray<string>, own: string) => make(all.join(""), own)
})
const unlucky = { amount: "19.99" }

export const controlFirst: ReadonlyArray<Row> = [
  // PHP
  row(
    "sale-form",
    "PHP: (int) ($amount * 100), and the key from file()",
    "amount-float and key-line-end",
    both(
      value(2, "1998"),
      key((own) => `${own}\n`)
    ),
    { with: unlucky, or: ["amount-float and text-line-end"] }
  ),
  row(
    "return",
    "PHP: http_build_query of the values, and the key",
    "names-signed",
    text(
      ([who, own, id, amount, currency], secret) =>
        `login=${who}&client_orderid=${own}&orderid=${id}&amount=${amount}&currency=${currency}${secret}`
    ),
    { with: money, or: ["body-signed"] }
  ),
  row(
    "void",
    "PHP: the key first, and base64_encode of the bytes",
    "key-first and base64",
    both(
      text((all, own) => own + all.join("")),
      print((_, digest) => digest.toString("base64"))
    )
  ),
  row(
    "status",
    "PHP: var_export of an absent orderid, and md5",
    "absent-as-word and hash-other",
    both(
      value(2, "NULL"),
      signing((all, own) => createHash("md5").update(`${all}${own}`).digest("hex"))
    )
  ),
  row("make-rebill", "PHP: number_format($amount)", "amount-whole", value(3, "10"), { with: money }),
  row(
    "make-rebill-sale",
    "PHP: round($amount) * 100, and an implode with |",
    "amount-whole and separator",
    both(
      value(3, "1000"),
      text((all, own) => [...all, own].join("|"))
    ),
    { with: money }
  ),
  // Python
  row(
    "sale",
    "Python: str() of a tuple",
    "names-signed",
    text(([id, own, amount, email], secret) => `('${id}', '${own}', ${amount}, '${email}')${secret}`),
    { or: ["separator"] }
  ),
  row(
    "preauth",
    "Python: Decimal * 100, and the bytes of the key as text",
    "amount-decimals and key-quoted",
    both(
      value(2, "1042.00"),
      key((own) => `b'${own}'`)
    )
  ),
  row(
    "create-card-ref",
    "Python: digest().hex(':'), and two numbers exchanged",
    "parts-order and hex-decorated",
    both(
      order(0, 2, 1),
      print((hex) => hex.replace(/..(?!$)/g, "$&:"))
    )
  ),
  row(
    "capture",
    "Python: json.dumps of the list",
    "names-signed",
    text((all, own) => `[${all.map((each) => `"${each}"`).join(", ")}]${own}`),
    { with: money, or: ["separator"] }
  ),
  row(
    "payment-form",
    "Python: all.lower(), with the amount of the form",
    "amount-major and text-changed",
    both(
      value(2, "10.42"),
      text((all, own) => (all.join("") + own).toLowerCase())
    )
  ),
  // C#
  row(
    "sale",
    'C#: ToString("C"), and Encoding.Unicode',
    "amount-format and character-set",
    both(
      value(2, "$10.42"),
      bytes((all) => Buffer.from(all, "utf16le"))
    )
  ),
  row(
    "void",
    "C#: BitConverter.ToString, and a key column of 36 characters",
    "key-cut and hex-decorated",
    both(
      key((own) => own.slice(0, 36)),
      print((hex) => hex.toUpperCase().replace(/..(?!$)/g, "$&-"))
    )
  ),
  row(
    "preauth-form",
    "C#: Convert.ToBase64String of the hex digits",
    "base64",
    print((hex) => Buffer.from(hex).toString("base64"))
  ),
  row(
    "capture",
    "C#: string.Join(';') and the login in capitals",
    "values-case and separator",
    both(
      changed(0, (each) => each.toUpperCase()),
      text((all, own) => [...all, own].join(";"))
    ),
    { with: money }
  ),
  row(
    "sale-form",
    "C#: HMACSHA1, over the amount of the form",
    "amount-major and hmac",
    both(
      value(2, "10.42"),
      signing((all, own) => createHmac("sha1", own).update(all).digest("hex"))
    )
  )
]

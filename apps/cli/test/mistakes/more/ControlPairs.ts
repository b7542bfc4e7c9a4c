/** Two mistakes that are made together. */
import { createHash } from "node:crypto"
import { controlKey, login, type Row } from "../RawRequest.ts"
import { both, bytes, changed, key, money, order, print, row, text, value } from "./ControlChanges.ts"

const sha = (name: string) => (all: string) => createHash(name).update(all).digest("hex")

export const pairs: ReadonlyArray<Row> = [
  row(
    "sale",
    "major units and the key first",
    "amount-major and key-first",
    both(
      value(2, "10.42"),
      text((all, own) => own + all.join(""))
    )
  ),
  row(
    "capture",
    "major units and a pipe",
    "amount-major and separator",
    both(
      value(3, "10.42"),
      text((all, own) => [...all, own].join("|"))
    ),
    { with: money }
  ),
  row(
    "return",
    "major units and a line feed",
    "amount-major and text-line-end",
    both(
      value(3, "10.42"),
      text((all, own) => `${all.join("")}${own}\n`)
    ),
    {
      with: money,
      or: ["amount-major and key-line-end"]
    }
  ),
  row(
    "make-rebill",
    "the endpoint and major units",
    "amount-major and login-or-endpoint",
    both(value(0, "1111"), value(3, "10.42"))
  ),
  row("preauth", "no email and major units", "amount-major and part-missing", both(value(2, "10.42"), order(0, 1, 2)), {
    or: ["amount-major and recipe-other", "parts-other"]
  }),
  row(
    "sale-form",
    "the currency, too, and major units",
    "amount-major and part-extra",
    both(value(2, "10.42"), order(0, 1, 2, "USD", 3)),
    { or: ["amount-format"] }
  ),
  row(
    "payment-form",
    "another order and a comma",
    "amount-major and parts-order",
    both(value(2, "10,42"), order(0, 1, 3, 2))
  ),
  row(
    "void",
    "numbers exchanged and SHA-256",
    "hash-other and parts-order",
    both(order(0, 2, 1), () => ({
      sign: (all, own) => sha("sha256")(all.join("") + own)
    }))
  ),
  row(
    "status",
    "the key first, in Base64",
    "base64 and key-first",
    both(
      text((all, own) => own + all.join("")),
      print((_, digest) => digest.toString("base64"))
    )
  ),
  row("capture", "no orderid, and a float", "amount-float and part-missing", both(value(3, "819"), order(0, 1, 3, 4)), {
    with: { amount: "8.20", currency: "USD" }
  }),
  row(
    "sale",
    "a lower-case email and major units",
    "amount-major and values-case",
    both(
      value(2, "10.42"),
      changed(3, (all) => all.toLowerCase())
    ),
    {
      with: { email: "John@Example.com" }
    }
  ),
  row(
    "transfer-form",
    "an encoded email and a line feed after the key",
    "key-line-end and values-encoded",
    both(
      changed(3, encodeURIComponent),
      key((own) => `${own}\n`)
    ),
    {
      or: ["text-line-end and values-encoded"]
    }
  ),
  row(
    "void",
    "a separator and the login in capitals",
    "separator and values-case",
    both(
      value(0, login.toUpperCase()),
      text((all, own) => [...all, own].join(";"))
    )
  ),
  row(
    "make-rebill-preauth",
    "quotes around the key, and a pipe",
    "key-quoted and separator",
    both(
      key((own) => `"${own}"`),
      text((all, own) => [...all, own].join("|"))
    )
  ),
  row(
    "create-card-ref",
    "UTF-16 and a key in small letters",
    "character-set and key-case",
    both(
      key(() => controlKey.toLowerCase()),
      bytes((all) => Buffer.from(all, "utf16le"))
    )
  ),
  row(
    "account-verification",
    "the email first, and MD5",
    "hash-other and parts-order",
    both(order(2, 0, 1), () => ({
      sign: (all, own) => sha("md5")(all.join("") + own)
    }))
  )
]

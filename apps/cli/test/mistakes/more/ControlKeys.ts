/** Keys as files of settings, programs and shells change them. */
import { createHash } from "node:crypto"
import { login, type Row } from "../RawRequest.ts"
import { key, money, row, text } from "./ControlChanges.ts"

const uuid = "4a1f0b6e-55c1-4f0c-8a36-7a0f5f6c1d2e"

export const keys: ReadonlyArray<Row> = [
  row(
    "void",
    "the key in Base64",
    "key-encoded",
    key((own) => Buffer.from(own).toString("base64"))
  ),
  row(
    "capture",
    "the key in hex digits",
    "key-encoded",
    key((own) => Buffer.from(own).toString("hex")),
    { with: money }
  ),
  row("status", "the key percent-encoded", "key-encoded", () => ({ key: "a%2Fb%2Bc%3D" }), {
    env: { PAY_CONTROL_KEY: "a/b+c=" },
    or: ["values-encoded"]
  }),
  row("sale", "the key in capitals", "key-case", () => ({ key: uuid.toUpperCase() }), {
    env: { PAY_CONTROL_KEY: uuid }
  }),
  row(
    "return",
    "the key without hyphens",
    "key-without-hyphens",
    key((own) => own.replaceAll("-", "")),
    { with: money }
  ),
  row(
    "preauth",
    "a blank of no width after the key",
    "key-blank",
    key((own) => `${own}\u200b`)
  ),
  row(
    "void",
    "a blank that does not break after the key",
    "key-blank",
    key((own) => `${own}\u00a0`)
  ),
  row(
    "capture",
    "a semicolon after the key",
    "key-quoted",
    key((own) => `${own};`),
    { with: money, or: ["separator"] }
  ),
  row(
    "make-rebill",
    "the name of the setting before the key",
    "key-quoted",
    key((own) => `PAY_CONTROL_KEY=${own}`),
    {
      or: ["separator", "key-named"]
    }
  ),
  row(
    "sale-form",
    "single quotes around the key",
    "key-quoted",
    key((own) => `'${own}'`)
  ),
  row(
    "get-card-info",
    "the key hashed by MD5",
    "key-hashed",
    key((own) => createHash("md5").update(own).digest("hex"))
  ),
  row(
    "void",
    "the key before and after",
    "key-twice",
    text((all, own) => own + all.join("") + own),
    {
      or: ["key-first"]
    }
  ),
  row(
    "upload-cres-result",
    "the key after the login",
    "key-first",
    text(([first = "", ...rest], own) => first + own + rest.join(""))
  ),
  row(
    "transfer-form",
    "the login and the key",
    "part-extra",
    key((own) => login + own)
  ),
  row(
    "status",
    "the key as a variable's name",
    "key-missing",
    key(() => ["$", "{CONTROL_KEY}"].join("")),
    { or: ["placeholder-signed"] }
  ),
  row(
    "create-card-ref",
    "the key as null",
    "key-missing",
    key(() => "null"),
    { or: ["placeholder-signed"] }
  ),
  row(
    "void",
    "the key in lower case with a line feed",
    "key-case and key-line-end",
    key((own) => `${own.toLowerCase()}\n`),
    {
      or: ["key-case and text-line-end", "key-line-end and key-case"]
    }
  ),
  row(
    "payment-form",
    "the key backwards",
    "unexplained",
    key((own) => [...own].reverse().join(""))
  ),
  row(
    "preauth-form",
    "the name of the setting and a colon before the key",
    "key-named",
    key((own) => `merchant_control: ${own}`)
  )
]

/** Texts that are joined in another way. */
import type { Row } from "../RawRequest.ts"
import { bytes, money, order, row, text } from "./ControlChanges.ts"

export const joins: ReadonlyArray<Row> = [
  row(
    "void",
    "echo -n of a shell that prints -n",
    "text-line-end",
    text((all, own) => `-n ${all.join("")}${own}\n`)
  ),
  row(
    "status",
    "echo of cmd",
    "text-line-end",
    text((all, own) => `${all.join("")}${own} \r\n`),
    {
      or: ["key-blank and text-line-end", "key-line-end"]
    }
  ),
  row(
    "return",
    "Out-File of PowerShell",
    "character-set and text-line-end",
    bytes((all) => Buffer.from(`\uFEFF${all}\r\n`, "utf16le")),
    {
      with: money,
      or: ["key-line-end and character-set"]
    }
  ),
  row(
    "capture",
    "implode with a hyphen",
    "separator",
    text((all, own) => [...all, own].join("-")),
    { with: money }
  ),
  row(
    "sale",
    "points between the values",
    "separator",
    text((all, own) => [...all, own].join("."))
  ),
  row(
    "void",
    "slashes",
    "separator",
    text((all, own) => [...all, own].join("/"))
  ),
  row(
    "make-rebill",
    "underscores",
    "separator",
    text((all, own) => [...all, own].join("_"))
  ),
  row(
    "transfer-form",
    "commas and a blank",
    "separator",
    text((all, own) => [...all, own].join(", "))
  ),
  row(
    "payment-form",
    "equals signs",
    "separator",
    text((all, own) => [...all, own].join("="))
  ),
  row(
    "sale",
    "carets",
    "separator",
    text((all, own) => [...all, own].join("^"))
  ),
  row(
    "status",
    "a zero byte",
    "separator",
    text((all, own) => [...all, own].join("\0"))
  ),
  row(
    "preauth-form",
    "a separator only between the values",
    "separator",
    text((all, own) => all.join("|") + own)
  ),
  row(
    "capture",
    "values sorted by their text",
    "parts-order",
    text((all, own) => [...all].sort().join("") + own),
    { with: money }
  ),
  row("return", "values of a sorted map", "parts-order", order(3, 1, 4, 0, 2), { with: money }),
  row(
    "sale",
    "print_r of an array of PHP",
    "names-signed",
    text((all, own) => `Array\n(\n${all.map((each, at) => `    [${at}] => ${each}\n`).join("")})\n${own}`)
  ),
  row(
    "void",
    "a list of Python as text",
    "names-signed",
    text((all, own) => `[${all.map((each) => `'${each}'`).join(", ")}]${own}`)
  ),
  row(
    "get-card-info",
    "names and values with colons",
    "names-signed",
    text(([a, b], own) => `login:${a},cardrefid:${b}${own}`)
  ),
  row(
    "account-verification-form",
    "the name of the key, too",
    "names-signed",
    text(([a, b, c], own) => `endpointId=${a}&client_orderid=${b}&email=${c}&control=${own}`)
  ),
  row(
    "make-rebill-sale",
    "names without equals signs",
    "names-signed",
    text(([a, b, c, d, e], own) => `login${a}client_orderid${b}cardrefid${c}amount${d}currency${e}${own}`)
  )
]

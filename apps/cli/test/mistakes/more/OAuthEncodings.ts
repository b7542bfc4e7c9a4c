/** Percent-encodings of many languages in the base string. */
import { sign } from "node:crypto"
import { percent, type Row, rsa } from "../RawRequest.ts"
import { encode, field, left, lower, plus, row, sending } from "./OAuthChanges.ts"

export const encodings: ReadonlyArray<Row> = [
  row(
    "payout",
    "urlencode of PHP",
    "space-as-plus",
    encode((text) => plus(percent(text)).replaceAll("~", "%7E"))
  ),
  row(
    "v4/payout",
    "http_build_query of PHP",
    "space-as-plus",
    encode((text) => plus(percent(text)).replaceAll("~", "%7E"))
  ),
  row("payout-check", "quote of Python", "reserved-unescaped", (parts) => ({
    ...field("order_desc", (text) => text)(parts),
    ...sending([["note", "a/b"]], [["note", "a/b"]])(parts),
    encode: (text) => left(percent(text), "/")
  })),
  row(
    "transfer",
    "quote_plus of Python",
    "space-as-plus",
    encode((text) => plus(percent(text)))
  ),
  row(
    "v4/sale",
    "URLEncoder of Java",
    "space-as-plus",
    encode((text) => left(plus(percent(text)), "*").replaceAll("~", "%7E"))
  ),
  row(
    "payout-form",
    "EscapeDataString of an older C#",
    "reserved-unescaped",
    encode((text) => left(percent(text), "!*'()"))
  ),
  row(
    "payout",
    "HttpUtility.UrlEncode of C#",
    "hex-lower",
    encode((text) => lower(left(plus(percent(text)), "!*()")).replaceAll("~", "%7e")),
    {
      or: ["space-as-plus", "encoding-other"]
    }
  ),
  row(
    "v4/status",
    "WebUtility.UrlEncode of C#",
    "space-as-plus",
    encode((text) => left(plus(percent(text)), "!*()").replaceAll("~", "%7E"))
  ),
  row(
    "transfer-by-ref",
    "PathEscape of Go",
    "reserved-unescaped",
    encode((text) => left(percent(text), "$&+=:@"))
  ),
  row(
    "v4/payout",
    "QueryEscape of Go",
    "space-as-plus",
    encode((text) => plus(percent(text)))
  ),
  row(
    "pan-eligibility/send",
    "encode_www_form of Ruby",
    "space-as-plus",
    encode((text) => left(plus(percent(text)), "*").replaceAll("~", "%7E"))
  ),
  row(
    "payout",
    "escape of JavaScript",
    "character-set",
    encode((text) => escape(text)),
    { or: ["reserved-unescaped", "encoding-other"] }
  ),
  row("payout-pay", "encodeURI of JavaScript", "reserved-unescaped", encode(encodeURI)),
  row(
    "v4/create-card-ref",
    "uri_escape of Perl",
    "reserved-unescaped",
    encode((text) => left(percent(text), "!*'()"))
  ),
  row(
    "create-recurring-payment",
    "only the letters of ASCII escaped in small digits",
    "hex-lower",
    encode((text) => lower(percent(text)))
  ),
  row(
    "v4/payout",
    "the hyphen and the underscore escaped, too",
    "reserved-unescaped",
    encode((text) => percent(text).replaceAll("-", "%2D").replaceAll("_", "%5F").replaceAll(".", "%2E")),
    { or: ["encoding-other"] }
  ),
  row("payout", "values encoded and names not, then all once", "encoding-missing", () => ({
    encode: (text) => text,
    base: (...all) => all.map(percent).join("&")
  })),
  row(
    "transfer",
    "only the values encoded twice, by a form and by hand",
    "encoding-double",
    encode((text) => percent(plus(percent(text)))),
    { or: ["encoding-double and space-as-plus", "space-as-plus and encoding-double", "encoding-other"] }
  ),
  row(
    "v4/sale",
    "UTF-8 encoded as Latin-1 before",
    "character-set",
    encode((text) => percent(Buffer.from(text).toString("latin1")))
  ),
  row(
    "payout",
    "letters with separate accents",
    "values-normalized",
    field("order_desc", (text) => text.normalize("NFD"))
  ),
  row("process-recurring-payment", "the base string in UTF-16", "character-set", () => ({
    sign: (base) => sign("sha256", Buffer.from(base, "utf16le"), rsa.privateKey).toString("base64")
  }))
]

import { amount, cyrillic, digest, hashOf, latin1, sale, signing, windows1251 } from "./ControlSale.ts"
import { controlRequest, type Row, sha1 } from "./RawRequest.ts"

const amounts: ReadonlyArray<Row> = [
  sale("the amount as it is sent", "amount-major", amount("19.99")),
  sale("the amount with a decimal comma", "amount-major", amount("19,99")),
  sale("the amount with one zero more", "amount-major", amount("19.990")),
  sale("the product of a binary fraction, cut", "amount-float", amount("1998")),
  sale("the product of a binary fraction", "amount-float", amount("1998.9999999999998")),
  sale("the minor units as a float of Python", "amount-decimals", amount("1999.0")),
  sale("the minor units with two decimals", "amount-decimals", amount("1999.00")),
  sale("only the whole units", "amount-whole", amount("19")),
  sale("the amount rounded to whole units", "amount-whole", amount("20")),
  sale("the whole units in cents", "amount-whole", amount("1900")),
  sale("the rounded units in cents", "amount-whole", amount("2000")),
  sale("the minor units times 100 once more", "amount-exponent", amount("199900")),
  sale("the minor units divided by 100 once more", "amount-exponent", amount("0.1999")),
  sale("yen in hundredths", "amount-exponent", amount("50000"), { fields: { amount: "500", currency: "JPY" } }),
  sale("dinars in hundredths", "amount-exponent", amount("1250"), { fields: { amount: "12.500", currency: "BHD" } }),
  sale("the minor units with a separator of thousands", "amount-format", amount("1,999")),
  sale("the minor units with leading zeros", "amount-format", amount("000000001999")),
  sale("the amount with its currency", "amount-format", amount("19.99 USD")),
  sale("the amount with a sign of its currency", "amount-format", amount("$19.99")),
  sale("yen with decimals, which the currency does not have", "value-refused", amount("50050"), {
    fields: { amount: "500.50", currency: "JPY" }
  }),
  sale(
    "no amount",
    "part-missing",
    signing((id, order, _, email) => [id, order, email]),
    { or: ["recipe-other"] }
  ),
  sale("the amount of dollars without its zeros", "amount-major", amount("20.5"), { fields: { amount: "20.50" } }),
  sale("the whole dollars of an even amount", "amount-major", amount("20"), {
    fields: { amount: "20.00" },
    or: ["amount-whole", "amount-exponent"]
  })
]

const valueRows: ReadonlyArray<Row> = [
  sale(
    "a value without its blanks",
    "values-normalized",
    signing((id, order, minor, email) => [id, order.replaceAll(" ", ""), minor, email])
  ),
  sale(
    "a tab after the order's number",
    "values-untrimmed",
    signing((id, order, minor, email) => [id, `${order}\t`, minor, email])
  ),
  sale("values encoded before signing", "values-encoded", (parts) => ({
    values: parts.values.map(encodeURIComponent)
  })),
  sale(
    "one value encoded before signing",
    "values-encoded",
    signing((id, order, minor, email) => [id, order, minor, encodeURIComponent(email)])
  ),
  sale("values encoded as a form", "values-encoded", (parts) => ({
    values: parts.values.map((value) => new URLSearchParams([["", value]]).toString().slice(1))
  })),
  sale(
    "a blank signed where + was sent",
    "plus-as-blank",
    signing((id, order, minor, email) => [id, order, minor, email.replace("+", " ")])
  ),
  sale("+ sent without its escape", "plus-unescaped", () => ({
    body: (fields, made) => `${new URLSearchParams({ ...fields, control: made })}`.replace("John%2B", "John+")
  })),
  sale("a field encoded twice in the body", "field-encoded-twice", () => ({
    body: (fields, made) =>
      `${new URLSearchParams({ ...fields, email: encodeURIComponent(fields.email ?? ""), control: made })}`
  })),
  sale(
    "a blank after the email",
    "values-untrimmed",
    signing((id, order, minor, email) => [id, order, minor, `${email} `]),
    { or: ["key-blank", "separator"] }
  ),
  sale(
    "a line feed after the order's number",
    "values-untrimmed",
    signing((id, order, minor, email) => [id, `${order}\n`, minor, email])
  ),
  sale(
    "the email in lower case",
    "values-case",
    signing((id, order, minor, email) => [id, order, minor, email.toLowerCase()])
  ),
  sale(
    "the order's number in upper case",
    "values-case",
    signing((id, order, minor, email) => [id, order.toUpperCase(), minor, email])
  ),
  sale(
    "values escaped for HTML",
    "values-escaped",
    signing((id, order, minor, email) => [id, order.replace("&", "&amp;"), minor, email]),
    {
      fields: { client_orderid: "A&B" }
    }
  ),
  sale(
    "values escaped for JSON",
    "values-escaped",
    signing((id, order, minor, email) => [id, order, minor, email.replace("é", "\\u00e9")])
  ),
  sale(
    "values in quotes",
    "values-escaped",
    signing((id, order, minor, email) => [id, order, minor, email].map((value) => `"${value}"`))
  ),
  sale(
    "letters with separate accents",
    "values-normalized",
    signing((id, order, minor, email) => [id, order, minor, email.normalize("NFD")])
  ),
  sale(
    "accents dropped",
    "values-normalized",
    signing((id, order, minor, email) => [id, order, minor, email.replace("é", "e")])
  ),
  sale(
    "the text in Latin-1",
    "character-set",
    digest((all) => hashOf("sha1")(latin1(all)))
  ),
  sale(
    "the text in UTF-16",
    "character-set",
    digest((all) => hashOf("sha1")(Buffer.from(all, "utf16le")))
  ),
  sale(
    "UTF-8 taken for Latin-1 and encoded again",
    "character-set",
    digest((all) => sha1(Buffer.from(all).toString("latin1")))
  ),
  sale(
    "a text in ASCII with question marks",
    "character-set",
    digest((all) => sha1(all.replace("é", "?")))
  ),
  sale(
    "the text in windows-1251",
    "character-set",
    digest((all) => hashOf("sha1")(windows1251(all))),
    { fields: cyrillic }
  ),
  {
    did: "null for a value that is absent",
    cause: "absent-as-word",
    request: controlRequest("status", ({ values: [own = "", order = ""] }) => ({ values: [own, order, "null"] }), {
      client_orderid: "7",
      orderid: ""
    })
  }
]

export const controlValues: ReadonlyArray<Row> = [...amounts, ...valueRows]

/** Parameters that are signed and not sent, sent and not signed, or in another form. */
import { header, set } from "../OAuthPayout.ts"
import { headerOf, now, type Pair, type Row } from "../RawRequest.ts"
import { field, row, sending } from "./OAuthChanges.ts"

export const parameters: ReadonlyArray<Row> = [
  row("v4/payout", "an empty realm signed", "realm-included", (parts) => ({
    protocol: [...parts.protocol, ["realm", ""]],
    header: (pairs, made) => headerOf(pairs, made).replace("OAuth ", 'OAuth realm="", ')
  })),
  row(
    "payout",
    "an empty realm",
    "right",
    header((all) => all.replace("OAuth ", 'OAuth realm="", '))
  ),
  row("payout", "a hash of the body sent and signed", "right", (parts) => {
    const all: ReadonlyArray<Pair> = [...parts.protocol, ["oauth_body_hash", "2jmj7l5rSw0yVb/vlWAYkK/YBwk="]]
    return { protocol: all, sentProtocol: all }
  }),
  row("v4/payout", "a hash of the body sent and not signed", "parameter-missing", (parts) => ({
    sentProtocol: [...parts.protocol, ["oauth_body_hash", "2jmj7l5rSw0yVb/vlWAYkK/YBwk="]]
  })),
  row(
    "payout",
    "an empty token sent and not signed",
    "parameter-missing",
    (parts) => ({ sentProtocol: [...parts.protocol, ["oauth_token", ""]] }),
    { or: ["empty-missing"] }
  ),
  row("payout", "an empty token sent and signed", "right", (parts) => {
    const all: ReadonlyArray<Pair> = [...parts.protocol, ["oauth_token", ""]]
    return { protocol: all, sentProtocol: all }
  }),
  row(
    "transfer",
    "two empty fields not signed",
    "empty-missing",
    sending(
      [
        ["phone", ""],
        ["bank_name", ""]
      ],
      []
    )
  ),
  row(
    "payout-check",
    "card data not signed",
    "parameter-missing",
    sending(
      [
        ["credit_card_number", "4444333322221111"],
        ["cvv2", "123"]
      ],
      []
    )
  ),
  row(
    "v4/sale",
    "three fields not signed",
    "parameter-missing",
    sending(
      [
        ["city", "Rome"],
        ["zip_code", "00100"],
        ["country", "IT"]
      ],
      []
    )
  ),
  row("transfer-by-ref", "a field with an underscore in its name signed", "parameter-renamed", (parts) => ({
    sent: [...parts.sent, ["client-order-id", "Order 7"]].filter(
      ([name]) => name !== "client_orderid"
    ) as ReadonlyArray<Pair>,
    fields: [...parts.fields]
  })),
  row("v4/payout", "a name in camel case signed", "parameter-renamed", ({ fields }) => ({
    fields: fields.map(([name, text]): Pair => [name === "order_desc" ? "orderDesc" : name, text])
  })),
  row(
    "transfer",
    "the masked card number signed",
    "values-masked",
    sending([["credit_card_number", "4444333322221111"]], [["credit_card_number", "444433******1111"]])
  ),
  row(
    "transfer",
    "the card number with blanks signed",
    "values-normalized",
    sending([["credit_card_number", "4444333322221111"]], [["credit_card_number", "4444 3333 2222 1111"]])
  ),
  row(
    "create-recurring-payment",
    "a month without its zero signed",
    "values-number",
    sending([["expire_month", "01"]], [["expire_month", "1"]])
  ),
  row(
    "transfer",
    "True of Python signed",
    "values-case",
    sending([["deposit2card", "true"]], [["deposit2card", "True"]])
  ),
  row("transfer", "1 for true signed", "values-number", sending([["deposit2card", "true"]], [["deposit2card", "1"]])),
  row("payout", "an amount with groups signed", "amount-differs", (parts) => ({
    sent: set(parts.sent, "amount", "1234.50"),
    fields: set(parts.fields, "amount", "1,234.50")
  })),
  row("v4/payout", "a float of Python signed", "amount-differs", (parts) => ({
    sent: set(parts.sent, "amount", "20.00"),
    fields: set(parts.fields, "amount", "20.0")
  })),
  row("payout-check", "yen with decimals signed", "amount-differs", (parts) => ({
    sent: set(set(parts.sent, "amount", "500"), "currency", "JPY"),
    fields: set(set(parts.fields, "amount", "500.00"), "currency", "JPY")
  })),
  row(
    "payout",
    "the amount of an earlier try signed",
    "request-other",
    field("amount", () => "15.99")
  ),
  row(
    "v4/payout",
    "the own number of the order before signed",
    "request-other",
    field("client_orderid", () => "Order 6")
  ),
  row("v4/status", "the timestamp of 40 seconds before signed", "timestamp-differs", (parts) => ({
    protocol: set(parts.protocol, "oauth_timestamp", String(now - 40))
  })),
  row("payout", "the timestamp with decimals signed", "timestamp-differs", (parts) => ({
    protocol: set(parts.protocol, "oauth_timestamp", `${now}.0`)
  })),
  row("payout", "the nonce made twice", "unexplained", (parts) => ({
    protocol: set(parts.protocol, "oauth_nonce", "another")
  })),
  row("v4/payout", "the nonce in capitals signed", "values-case", (parts) => ({
    protocol: set(parts.protocol, "oauth_nonce", "ABC123")
  })),
  row("v4/payout", "a signature of capitals in the base string", "signature-included", (parts) => ({
    protocol: [...parts.protocol, ["oauth_signature", ""]]
  })),
  row("payout-form", "the fields of the query given a second time in the body", "right", (parts) => ({
    line: parts.line.replace(" HTTP", "?tag=1 HTTP"),
    query: [["tag", "1"]]
  })),
  row("v4/payout", "the query's fields only, without the body", "body-missing", (parts) => ({
    line: parts.line.replace(" HTTP", "?tag=1 HTTP"),
    query: [["tag", "1"]],
    fields: []
  })),
  row(
    "payout",
    "neither query nor body",
    "body-missing and query-missing",
    (parts) => ({
      line: parts.line.replace(" HTTP", "?tag=1 HTTP"),
      query: [],
      fields: []
    }),
    { or: ["query-missing and body-missing"] }
  ),
  row("v4/sale", "sorted without regard to case", "sorted-by-language", () => ({
    sort: (pairs) => pairs.toSorted(([one], [other]) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
  })),
  row("transfer-by-ref", "sorted by length", "not-sorted", () => ({
    sort: (pairs) => pairs.toSorted(([one], [other]) => one.length - other.length)
  })),
  row("payout", "the header's parameters first", "not-sorted", (parts) => ({
    sort: (pairs) => {
      const own = parts.protocol.map(([name]) => name)
      return [...pairs.filter(([name]) => own.includes(name)), ...pairs.filter(([name]) => !own.includes(name))]
    }
  })),
  row(
    "v4/payout",
    "joined by commas",
    "parts-separator",
    (parts) => ({ base: (method, all, pairs) => parts.base(method, all, pairs.replaceAll("&", ",")) }),
    { or: ["pairs-joined"] }
  ),
  row(
    "payout",
    "values in quotes, as in the header",
    "values-escaped",
    ({ encode: own }) => ({
      encode: (text) => own(text),
      sort: (pairs) =>
        pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, text]): Pair => [name, `"${text}"`])
    }),
    { or: ["pairs-joined"] }
  ),
  row("payout", "the fields of the body signed twice", "fields-twice", ({ fields }) => ({
    fields: [...fields, ...fields]
  })),
  row("v4/payout", "only the values joined", "pairs-joined", (parts) => ({
    base: (method, all, pairs) => parts.base(method, all, pairs.replaceAll(/[^&]*=/g, ""))
  }))
]

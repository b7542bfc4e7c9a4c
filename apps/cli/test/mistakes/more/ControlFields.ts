/** Values of fields that are signed in another form, another selection or another order. */
import { login, type Row } from "../RawRequest.ts"
import { changed, money, order, row, value } from "./ControlChanges.ts"

export const values: ReadonlyArray<Row> = [
  row("status", "the own number twice", "part-twice", order(0, 1, 1), { or: ["part-replaced"] }),
  row("upload-cres-result", "the result, too", "part-extra", ({ values, fields }) => ({
    values: [...values, fields.cRes ?? ""]
  })),
  row("upload-pares-result", "the endpoint in place of the login", "login-or-endpoint", value(0, "1111")),
  row(
    "upload-method-url-result",
    "the server's transaction in place of the order",
    "part-replaced",
    ({ values, fields }) => ({
      values: values.with(2, fields.threeDSServerTransID ?? "")
    })
  ),
  row(
    "make-rebill",
    "the recipe of 2013",
    "parts-other",
    ({ values: [, own = "", ref = "", minor = ""] }) => ({
      values: ["1111", own, minor, ref]
    }),
    { or: ["login-or-endpoint and parts-order", "login-or-endpoint and part-missing"] }
  ),
  row(
    "return",
    "the endpoint, the own number and 0, as a shop's module",
    "parts-other",
    ({ values: [, own = ""] }) => ({
      values: ["1111", own, "0"]
    }),
    { with: money, or: ["amount-other and recipe-other"] }
  ),
  row("capture", "the currency before the amount", "parts-order", order(0, 1, 2, 4, 3), { with: money }),
  row(
    "sale",
    "the number of the card in place of the email",
    "part-replaced",
    ({ values, fields }) => ({
      values: values.with(3, fields.credit_card_number ?? "")
    }),
    { or: ["part-missing and part-extra", "part-extra"] }
  ),
  row(
    "preauth",
    "the masked number of the card, too",
    "part-extra",
    ({ values }) => ({
      values: [...values, "444433******1111"]
    }),
    { or: ["values-masked"] }
  ),
  row(
    "get-card-info",
    "the own number of the order, too",
    "part-extra",
    ({ values: [own = "", ref = ""] }) => ({
      values: [own, "Order 7", ref]
    }),
    { with: { client_orderid: "Order 7" }, or: ["recipe-other"] }
  ),
  row("v2/transfer-by-ref", "without the currency", "part-missing", order(0, 1, 2, 3, 4)),
  row("v2/transfer-by-ref", "amount before the cards", "parts-order", order(0, 1, 4, 2, 3, 5)),
  row("account-verification", "an amount of zero, as in a sale", "part-extra", order(0, 1, "0", 2), {
    or: ["recipe-other", "absent-as-word", "parts-other"]
  }),
  row("account-verification-form", "without the email", "part-missing", order(0, 1), { or: ["recipe-other"] }),
  row("sync/account-verification", "the login first", "login-or-endpoint", value(0, login)),
  row("create-card-ref", "own and gateway's numbers exchanged", "parts-order", order(0, 2, 1)),
  row(
    "void",
    "an amount and currency, as in a return",
    "recipe-other",
    ({ values }) => ({
      values: [...values, "1042", "USD"]
    }),
    { with: money, or: ["part-extra", "parts-other"] }
  ),
  row("void", "leading zeros lost in a number", "values-number", value(1, "4711"), {
    with: { client_orderid: "0004711" }
  }),
  row("capture", "the order as a float of a table", "values-number", value(2, "6768788.0"), { with: money }),
  row("void", "the order as a number of Excel", "values-number", value(2, "6.768788E6")),
  row("status", "a long number rounded by JavaScript", "values-number", value(1, "12345678901234568"), {
    with: { client_orderid: "12345678901234567" }
  }),
  row("return", "the currency in small letters", "values-case", value(4, "usd"), { with: money }),
  row("return", "the currency's number", "currency-form", value(4, "840"), { with: money }),
  row("make-rebill", "the currency's sign", "currency-form", value(4, "$"), { with: money }),
  row(
    "sale",
    "an apostrophe escaped by Python",
    "values-escaped",
    changed(3, (all) => all.replace("'", "&#x27;")),
    {
      with: { email: "o'brien@example.com" }
    }
  ),
  row(
    "sale",
    "an apostrophe escaped by Go",
    "values-escaped",
    changed(3, (all) => all.replace("'", "&#39;")),
    {
      with: { email: "o'brien@example.com" }
    }
  ),
  row(
    "preauth-form",
    "an apostrophe with a backslash",
    "values-escaped",
    changed(3, (all) => all.replace("'", "\\'")),
    {
      with: { email: "o'brien@example.com" }
    }
  ),
  row(
    "preauth-form",
    "an apostrophe doubled for SQL",
    "values-escaped",
    changed(3, (all) => all.replace("'", "''")),
    {
      with: { email: "o'brien@example.com" }
    }
  ),
  row("sale", "encodeURI", "values-encoded", changed(1, encodeURI), { with: { client_orderid: "Order 7/ü" } }),
  row(
    "payment-form",
    "HttpUtility.UrlEncode of C#",
    "values-encoded",
    changed(3, () => "john%2bshop%40example.com"),
    {
      with: { email: "john+shop@example.com" }
    }
  ),
  row(
    "void",
    "quote of Python",
    "values-encoded",
    changed(1, () => "a/b%20c"),
    { with: { client_orderid: "a/b c" } }
  ),
  row(
    "sale-form",
    "an email without its tag",
    "values-normalized",
    changed(3, () => "john@example.com"),
    {
      with: { email: "john+shop@example.com" }
    }
  ),
  row("sale-form", "a template that was not filled in", "placeholder-signed", value(2, "{{amount}}")),
  row("capture", "undefined for the currency", "placeholder-signed", value(4, "undefined"), { with: money }),
  row("sale", "null for the email", "placeholder-signed", value(3, "null")),
  row("void", "the name of a variable of a shell", "placeholder-signed", value(2, "$orderid")),
  row("void", "the own number of the order before", "request-other", value(1, "902B4FF4")),
  row("status", "the gateway's number of the next order", "request-other", value(2, "6768789"), {
    with: { orderid: "6768788" }
  }),
  row("status", "a number with a suffix of the retry", "request-other", value(1, "902B4FF5-1"), {}),
  row("create-card-ref", "login with a blank", "values-untrimmed", value(0, ` ${login}`), {
    or: ["key-blank", "separator", "text-line-end"]
  }),
  row(
    "sale",
    "the email in capitals",
    "values-case",
    changed(3, (all) => all.toUpperCase())
  ),
  row(
    "void",
    "the login in capitals",
    "values-case",
    changed(0, (all) => all.toUpperCase())
  ),
  row(
    "sale",
    "letters of full width made narrow",
    "values-normalized",
    changed(1, (all) => all.normalize("NFKC")),
    {
      with: { client_orderid: "ＡＢ１２" }
    }
  ),
  row(
    "sale-form",
    "umlauts spelt out",
    "values-normalized",
    changed(1, () => "Mueller-1"),
    {
      with: { client_orderid: "Müller-1" }
    }
  ),
  row(
    "sale-form",
    "an en dash made a hyphen",
    "values-normalized",
    changed(1, () => "A-1"),
    {
      with: { client_orderid: "A–1" }
    }
  )
]

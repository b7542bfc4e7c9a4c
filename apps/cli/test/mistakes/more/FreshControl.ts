/** One more table of mistakes with `control`, over all operations: as programs in PHP, Python, C#, Java, Go, Ruby, JavaScript and shells make them. */
import { createHash, createHmac } from "node:crypto"
import { type ControlParts, controlKey, controlRequest, login, type Row, sha1 } from "../RawRequest.ts"

type Change = (parts: ControlParts) => Partial<ControlParts>
type Fields = Readonly<Record<string, string>>
type More = Partial<Pick<Row, "or" | "args" | "env">> & { readonly with?: Fields }

export const row = (
  command: string,
  did: string,
  cause: string,
  change: Change,
  { with: fields = {}, ...more }: More = {}
): Row => ({ did: `${command}: ${did}`, cause, request: controlRequest(command, change, fields), ...more })

/** Replaces the value with the index `at` in the signed text. */
export const value =
  (at: number, text: string): Change =>
  ({ values }) => ({ values: values.with(at, text) })
export const changed =
  (at: number, change: (text: string) => string): Change =>
  ({ values }) => ({ values: values.with(at, change(values[at] ?? "")) })
export const order =
  (...places: ReadonlyArray<number | string>): Change =>
  ({ values }) => ({ values: places.map((place) => (typeof place === "string" ? place : (values[place] ?? ""))) })
export const text =
  (make: (values: ReadonlyArray<string>, key: string) => string): Change =>
  () => ({ sign: (values, key) => sha1(make(values, key)) })
export const bytes =
  (make: (text: string) => Buffer): Change =>
  () => ({ sign: (values, key) => sha1(make(values.join("") + key)) })
export const print =
  (make: (hex: string, digest: Buffer) => string): Change =>
  ({ sign }) => ({
    sign: (values, key) => {
      const hex = sign(values, key)
      return make(hex, Buffer.from(hex, "hex"))
    }
  })
export const key =
  (change: (key: string) => string): Change =>
  (parts) => ({ key: change(parts.key) })
/** Makes two mistakes, one after the other. */
export const both =
  (...changes: ReadonlyArray<Change>): Change =>
  (parts) =>
    changes.reduce<ControlParts>((all, change) => ({ ...all, ...change(all) }), parts)

const money = { amount: "10.42", currency: "USD" }
const big = { amount: "1234.56", currency: "EUR" }

export const amounts: ReadonlyArray<Row> = [
  row("preauth", "PHP number_format($amount, 2)", "amount-format", value(2, "1,234.56"), { with: big }),
  row("capture", "a German locale with points of thousands", "amount-format", value(3, "1.234,56"), {
    with: big,
    or: ["amount-major"]
  }),
  row("return", "a French locale with narrow blanks", "amount-format", value(3, "1\u202f234,56"), { with: big }),
  row("make-rebill", "a Swiss locale", "amount-format", value(3, "1’234.56"), { with: big }),
  row("sale", "Indian groups of digits", "amount-format", value(2, "1,23,456.00"), {
    with: { amount: "123456.00", currency: "INR" }
  }),
  row("sale-form", "Arabic digits", "amount-format", value(2, "١٠٤٢")),
  row("capture", "a float of Python, int(8.2*100)", "amount-float", value(3, "819"), {
    with: { amount: "8.20", currency: "USD" }
  }),
  row("make-rebill", "a float of JavaScript, 1.1*100", "amount-float", value(3, "110.00000000000001"), {
    with: { amount: "1.10", currency: "USD" }
  }),
  row("payment-form", "a float of JavaScript, 4.35*100", "amount-float", value(2, "434.99999999999994"), {
    with: { amount: "4.35" }
  }),
  row("make-rebill", "dinars times 100", "amount-exponent", ({ values }) => ({ values: values.with(3, "123") }), {
    with: { amount: "1.234", currency: "KWD" }
  }),
  row("return", "dinars as they are sent", "amount-major", value(3, "1.234"), {
    with: { amount: "1.234", currency: "KWD" }
  }),
  row("preauth-form", "yen with two decimals", "amount-major", value(2, "500.00"), {
    with: { amount: "500", currency: "JPY" },
    or: ["amount-decimals"]
  }),
  row("capture", "yen divided by 100", "amount-exponent", value(3, "5"), { with: { amount: "500", currency: "JPY" } }),
  row("sale", "the point taken out of 10.4", "amount-exponent", value(2, "104"), { with: { amount: "10.4" } }),
  row("preauth", "a column of four decimals", "amount-major", value(2, "10.4200")),
  row("return", "BigDecimal of Ruby", "amount-format", value(3, "0.1042e4"), { with: money, or: ["amount-decimals"] }),
  row("sale", "a float64 of Go", "amount-format", value(2, "1.234567e+06"), { with: { amount: "12345.67" } }),
  row("return", "a negative amount", "amount-format", value(3, "-1042"), { with: money }),
  row("v2/transfer-by-ref", "major units", "amount-major", value(4, "10.42")),
  row("transfer-form", "ten thousandths", "amount-exponent", value(2, "104200")),
  row("make-rebill-sale", "a comma and no groups", "amount-major", value(3, "10,42")),
  row("make-rebill-preauth", "minor units with a comma", "amount-decimals", value(3, "1042,00")),
  row("capture", "the amount of an earlier try", "request-other", value(3, "1599"), { with: money }),
  row("sale-form", "the amount without the tax", "request-other", value(2, "876"))
]

export const values: ReadonlyArray<Row> = [
  row("status", "the own number twice", "part-twice", order(0, 1, 1), { or: ["part-replaced"] }),
  row("upload-cres-result", "the result, too", "part-extra", ({ values, fields }) => ({
    values: [...values, fields.cRes ?? ""]
  })),
  row("upload-pares-result", "the endpoint in place of the login", "login-or-endpoint", value(0, "1111")),
  row("upload-method-url-result", "the server's transaction in place of the order", "part-replaced", ({ values, fields }) => ({
    values: values.with(2, fields.threeDSServerTransID ?? "")
  })),
  row("make-rebill", "the recipe of 2013", "parts-other", ({ values: [, own = "", ref = "", minor = ""] }) => ({
    values: ["1111", own, minor, ref]
  }), { or: ["login-or-endpoint and parts-order", "login-or-endpoint and part-missing"] }),
  row("return", "the endpoint, the own number and 0, as a shop's module", "parts-other", ({ values: [, own = ""] }) => ({
    values: ["1111", own, "0"]
  }), { with: money, or: ["amount-other and recipe-other"] }),
  row("capture", "the currency before the amount", "parts-order", order(0, 1, 2, 4, 3), { with: money }),
  row("sale", "the number of the card in place of the email", "part-replaced", ({ values, fields }) => ({
    values: values.with(3, fields.credit_card_number ?? "")
  }), { or: ["part-missing and part-extra", "part-extra"] }),
  row("preauth", "the masked number of the card, too", "part-extra", ({ values }) => ({
    values: [...values, "444433******1111"]
  }), { or: ["values-masked"] }),
  row("get-card-info", "the own number of the order, too", "part-extra", ({ values: [own = "", ref = ""] }) => ({
    values: [own, "Order 7", ref]
  }), { with: { client_orderid: "Order 7" }, or: ["recipe-other"] }),
  row("v2/transfer-by-ref", "without the currency", "part-missing", order(0, 1, 2, 3, 4)),
  row("v2/transfer-by-ref", "amount before the cards", "parts-order", order(0, 1, 4, 2, 3, 5)),
  row("account-verification", "an amount of zero, as in a sale", "part-extra", order(0, 1, "0", 2), {
    or: ["recipe-other", "absent-as-word", "parts-other"]
  }),
  row("account-verification-form", "without the email", "part-missing", order(0, 1), { or: ["recipe-other"] }),
  row("sync/account-verification", "the login first", "login-or-endpoint", value(0, login)),
  row("create-card-ref", "own and gateway's numbers exchanged", "parts-order", order(0, 2, 1)),
  row("void", "an amount and currency, as in a return", "recipe-other", ({ values }) => ({
    values: [...values, "1042", "USD"]
  }), { with: money, or: ["part-extra", "parts-other"] }),
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
  row("sale", "an apostrophe escaped by Python", "values-escaped", changed(3, (all) => all.replace("'", "&#x27;")), {
    with: { email: "o'brien@example.com" }
  }),
  row("sale", "an apostrophe escaped by Go", "values-escaped", changed(3, (all) => all.replace("'", "&#39;")), {
    with: { email: "o'brien@example.com" }
  }),
  row("preauth-form", "an apostrophe with a backslash", "values-escaped", changed(3, (all) => all.replace("'", "\\'")), {
    with: { email: "o'brien@example.com" }
  }),
  row("preauth-form", "an apostrophe doubled for SQL", "values-escaped", changed(3, (all) => all.replace("'", "''")), {
    with: { email: "o'brien@example.com" }
  }),
  row("sale", "encodeURI", "values-encoded", changed(1, encodeURI), { with: { client_orderid: "Order 7/ü" } }),
  row("payment-form", "HttpUtility.UrlEncode of C#", "values-encoded", changed(3, () => "john%2bshop%40example.com"), {
    with: { email: "john+shop@example.com" }
  }),
  row("void", "quote of Python", "values-encoded", changed(1, () => "a/b%20c"), { with: { client_orderid: "a/b c" } }),
  row("sale-form", "an email without its tag", "values-normalized", changed(3, () => "john@example.com"), {
    with: { email: "john+shop@example.com" }
  }),
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
  row("sale", "the email in capitals", "values-case", changed(3, (all) => all.toUpperCase())),
  row("void", "the login in capitals", "values-case", changed(0, (all) => all.toUpperCase())),
  row("sale", "letters of full width made narrow", "values-normalized", changed(1, (all) => all.normalize("NFKC")), {
    with: { client_orderid: "ＡＢ１２" }
  }),
  row("sale-form", "umlauts spelt out", "values-normalized", changed(1, () => "Mueller-1"), {
    with: { client_orderid: "Müller-1" }
  }),
  row("sale-form", "an en dash made a hyphen", "values-normalized", changed(1, () => "A-1"), {
    with: { client_orderid: "A–1" }
  })
]

const uuid = "4a1f0b6e-55c1-4f0c-8a36-7a0f5f6c1d2e"

export const keys: ReadonlyArray<Row> = [
  row("void", "the key in Base64", "key-encoded", key((own) => Buffer.from(own).toString("base64"))),
  row("capture", "the key in hex digits", "key-encoded", key((own) => Buffer.from(own).toString("hex")), { with: money }),
  row("status", "the key percent-encoded", "key-encoded", () => ({ key: "a%2Fb%2Bc%3D" }), {
    env: { PAY_CONTROL_KEY: "a/b+c=" }
  }),
  row("sale", "the key in capitals", "key-case", () => ({ key: uuid.toUpperCase() }), { env: { PAY_CONTROL_KEY: uuid } }),
  row("return", "the key without hyphens", "key-without-hyphens", key((own) => own.replaceAll("-", "")), { with: money }),
  row("preauth", "a blank of no width after the key", "key-blank", key((own) => `${own}\u200b`)),
  row("void", "a blank that does not break after the key", "key-blank", key((own) => `${own}\u00a0`)),
  row("capture", "a semicolon after the key", "key-quoted", key((own) => `${own};`), { with: money, or: ["separator"] }),
  row("make-rebill", "the name of the setting before the key", "key-quoted", key((own) => `PAY_CONTROL_KEY=${own}`), {
    or: ["separator", "key-named"]
  }),
  row("sale-form", "single quotes around the key", "key-quoted", key((own) => `'${own}'`)),
  row("get-card-info", "the key hashed by MD5", "key-hashed", key((own) => createHash("md5").update(own).digest("hex"))),
  row("void", "the key before and after", "key-twice", text((all, own) => own + all.join("") + own), {
    or: ["key-first"]
  }),
  row("upload-cres-result", "the key after the login", "key-first", text(([first = "", ...rest], own) => first + own + rest.join(""))),
  row("transfer-form", "the login and the key", "part-extra", key((own) => login + own)),
  row("status", "the key as a variable's name", "key-missing", key(() => "${CONTROL_KEY}"), { or: ["placeholder-signed"] }),
  row("create-card-ref", "the key as null", "key-missing", key(() => "null"), { or: ["placeholder-signed"] }),
  row("void", "the key in lower case with a line feed", "key-case and key-line-end", key((own) => `${own.toLowerCase()}\n`), {
    or: ["key-case and text-line-end", "key-line-end and key-case"]
  }),
  row("payment-form", "the key backwards", "unexplained", key((own) => [...own].reverse().join("")))
]

const sha = (name: string) => (all: string) => createHash(name).update(all).digest("hex")

export const hashes: ReadonlyArray<Row> = [
  row("capture", "capital digits hashed again", "hash-twice", text((all, own) => sha1(all.join("") + own).toUpperCase()), { with: money }),
  row("void", "a signed number of Java", "digest-as-number", print((_, digest) => BigInt.asIntN(160, BigInt(`0x${digest.toString("hex")}`)).toString(16)), {
    with: { client_orderid: "4" }, or: ["right", "zeros-dropped"]
  }),
  row("status", "a decimal number", "digest-as-number", print((hex) => BigInt(`0x${hex}`).toString())),
  row("sale", "bin2hex of the hex digits in PHP", "hex-twice", print((hex) => Buffer.from(hex).toString("hex"))),
  row("return", "escapes of bytes in Python", "hex-decorated", print((hex) => `b'${hex.replace(/../g, "\\x$&")}'`), { with: money }),
  row("preauth", "what openssl dgst prints", "hex-decorated", print((hex) => `SHA1(stdin)= ${hex}`)),
  row("void", "what an older openssl prints", "hex-decorated", print((hex) => `(stdin)= ${hex}`)),
  row("sale-form", "what sha1sum prints", "hex-decorated", print((hex) => `${hex}  -`)),
  row("make-rebill", "bytes of Python as a text", "hex-decorated", print((hex) => `b'${hex}'`)),
  row("capture", "a list of bytes of Java", "digest-as-number", print((_, digest) => `[${[...digest].map((each) => (each > 127 ? each - 256 : each)).join(", ")}]`), { with: money }),
  row("get-card-info", "Base32", "base64", print((hex) => {
    const bits = [...Buffer.from(hex, "hex")].map((each) => each.toString(2).padStart(8, "0")).join("")
    return (bits.match(/.{5}/g) ?? []).map((each) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(each, 2)]).join("")
  }), { or: ["base32"] }),
  row("void", "HASHBYTES of SQL Server over nvarchar", "character-set and hex-decorated", () => ({
    sign: (all, own) => `0x${sha1(Buffer.from(all.join("") + own, "utf16le")).toUpperCase()}`
  })),
  row("payment-form", "HMAC in Base64", "hmac and base64", () => ({
    sign: (all, own) => createHmac("sha1", own).update(all.join("")).digest("base64")
  })),
  row("return", "HMAC-SHA256 over names and values", "names-signed and hmac", () => ({
    sign: ([a, b, c, d, e], own) =>
      createHmac("sha256", own).update(`login=${a}&client_orderid=${b}&orderid=${c}&amount=${d}&currency=${e}`).digest("hex")
  }), { with: money }),
  row("account-verification", "SHA-384", "hash-other", () => ({ sign: (all, own) => sha("sha384")(all.join("") + own) })),
  row("v2/transfer-by-ref", "MD5 of major units", "amount-major and hash-other", both(value(4, "10.42"), () => ({
    sign: (all, own) => sha("md5")(all.join("") + own)
  }))),
  row("sync/account-verification", "Base64 of SHA-256", "hash-other and base64", () => ({
    sign: (all, own) => createHash("sha256").update(all.join("") + own).digest("base64")
  })),
  row("create-card-ref", "SHA-256 cut to 32", "hash-other and hex-cut", () => ({
    sign: (all, own) => sha("sha256")(all.join("") + own).slice(0, 32)
  }), { or: ["hex-cut"] }),
  row("upload-pares-result", "the whole text percent-encoded", "values-encoded", text((all, own) => encodeURIComponent(all.join("|") + own)), {
    or: ["values-encoded and separator", "separator and values-encoded", "separator"]
  })
]

export const joins: ReadonlyArray<Row> = [
  row("void", "echo -n of a shell that prints -n", "text-line-end", text((all, own) => `-n ${all.join("")}${own}\n`)),
  row("status", "echo of cmd", "text-line-end", text((all, own) => `${all.join("")}${own} \r\n`), {
    or: ["key-blank and text-line-end", "key-line-end"]
  }),
  row("return", "Out-File of PowerShell", "character-set and text-line-end", bytes((all) => Buffer.from(`\uFEFF${all}\r\n`, "utf16le")), {
    with: money, or: ["key-line-end and character-set"]
  }),
  row("capture", "implode with a hyphen", "separator", text((all, own) => [...all, own].join("-")), { with: money }),
  row("sale", "points between the values", "separator", text((all, own) => [...all, own].join("."))),
  row("void", "slashes", "separator", text((all, own) => [...all, own].join("/"))),
  row("make-rebill", "underscores", "separator", text((all, own) => [...all, own].join("_"))),
  row("transfer-form", "commas and a blank", "separator", text((all, own) => [...all, own].join(", "))),
  row("payment-form", "equals signs", "separator", text((all, own) => [...all, own].join("="))),
  row("sale", "carets", "separator", text((all, own) => [...all, own].join("^"))),
  row("status", "a zero byte", "separator", text((all, own) => [...all, own].join("\0"))),
  row("preauth-form", "a separator only between the values", "separator", text((all, own) => all.join("|") + own)),
  row("capture", "values sorted by their text", "parts-order", text((all, own) => [...all].sort().join("") + own), { with: money }),
  row("return", "values of a sorted map", "parts-order", order(3, 1, 4, 0, 2), { with: money }),
  row("sale", "print_r of an array of PHP", "names-signed", text((all, own) => `Array\n(\n${all.map((each, at) => `    [${at}] => ${each}\n`).join("")})\n${own}`)),
  row("void", "a list of Python as text", "names-signed", text((all, own) => `[${all.map((each) => `'${each}'`).join(", ")}]${own}`)),
  row("get-card-info", "names and values with colons", "names-signed", text(([a, b], own) => `login:${a},cardrefid:${b}${own}`)),
  row("account-verification-form", "the name of the key, too", "names-signed", text(([a, b, c], own) => `endpointId=${a}&client_orderid=${b}&email=${c}&control=${own}`)),
  row("make-rebill-sale", "names without equals signs", "names-signed", text(([a, b, c, d, e], own) => `login${a}client_orderid${b}cardrefid${c}amount${d}currency${e}${own}`))
]

export const pairs: ReadonlyArray<Row> = [
  row("sale", "major units and the key first", "amount-major and key-first", both(value(2, "10.42"), text((all, own) => own + all.join("")))),
  row("capture", "major units and a pipe", "amount-major and separator", both(value(3, "10.42"), text((all, own) => [...all, own].join("|"))), { with: money }),
  row("return", "major units and a line feed", "amount-major and text-line-end", both(value(3, "10.42"), text((all, own) => `${all.join("")}${own}\n`)), {
    with: money, or: ["amount-major and key-line-end"]
  }),
  row("make-rebill", "the endpoint and major units", "amount-major and login-or-endpoint", both(value(0, "1111"), value(3, "10.42"))),
  row("preauth", "no email and major units", "amount-major and part-missing", both(value(2, "10.42"), order(0, 1, 2)), {
    or: ["amount-major and recipe-other", "parts-other"]
  }),
  row("sale-form", "the currency, too, and major units", "amount-major and part-extra", both(value(2, "10.42"), order(0, 1, 2, "USD", 3))),
  row("payment-form", "another order and a comma", "amount-major and parts-order", both(value(2, "10,42"), order(0, 1, 3, 2))),
  row("void", "numbers exchanged and SHA-256", "hash-other and parts-order", both(order(0, 2, 1), () => ({
    sign: (all, own) => sha("sha256")(all.join("") + own)
  }))),
  row("status", "the key first, in Base64", "base64 and key-first", both(text((all, own) => own + all.join("")), print((_, digest) => digest.toString("base64")))),
  row("capture", "no orderid, and a float", "amount-float and part-missing", both(value(3, "819"), order(0, 1, 3, 4)), {
    with: { amount: "8.20", currency: "USD" }
  }),
  row("sale", "a lower-case email and major units", "amount-major and values-case", both(value(2, "10.42"), changed(3, (all) => all.toLowerCase())), {
    with: { email: "John@Example.com" }
  }),
  row("transfer-form", "an encoded email and a line feed after the key", "key-line-end and values-encoded", both(changed(3, encodeURIComponent), key((own) => `${own}\n`)), {
    or: ["text-line-end and values-encoded"]
  }),
  row("void", "a separator and the login in capitals", "separator and values-case", both(value(0, login.toUpperCase()), text((all, own) => [...all, own].join(";")))),
  row("make-rebill-preauth", "quotes around the key, and a pipe", "key-quoted and separator", both(key((own) => `"${own}"`), text((all, own) => [...all, own].join("|")))),
  row("create-card-ref", "UTF-16 and a key in small letters", "character-set and key-case", both(key(() => controlKey.toLowerCase()), bytes((all) => Buffer.from(all, "utf16le")))),
  row("account-verification", "the email first, and MD5", "hash-other and parts-order", both(order(2, 0, 1), () => ({
    sign: (all, own) => sha("md5")(all.join("") + own)
  })))
]

export const freshControl: ReadonlyArray<Row> = [...amounts, ...values, ...keys, ...hashes, ...joins, ...pairs]

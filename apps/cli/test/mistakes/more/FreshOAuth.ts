/** One more table of mistakes with OAuth, over all operations: as libraries and programs of many languages make them. */
import { createHmac, createPublicKey, hash, privateEncrypt, sign } from "node:crypto"
import { type Change, header, key, type More, print, protocol, row as rowOf, secret, set, without } from "../OAuthPayout.ts"
import { headerOf, hmacSha1, login, now, type OAuthParts, type Pair, percent, type Row, rsa, rsaSha256 } from "../RawRequest.ts"

const row = (command: string, did: string, cause: string, change: Change, more: More = {}): Row =>
  rowOf(command)(`${command}: ${did}`, cause, change, more)

const field =
  (name: string, change: (value: string) => string): Change =>
  ({ fields }) => ({ fields: fields.map(([each, text]): Pair => (each === name ? [each, change(text)] : [each, text])) })
const encode =
  (make: (text: string) => string): Change =>
  () => ({ encode: make })
const address =
  (change: (address: string) => string): Change =>
  (parts) => ({ address: change(parts.address) })
/** Adds fields that are sent, and signs `signed` of them. */
const sending =
  (sent: ReadonlyArray<Pair>, signed: ReadonlyArray<Pair>): Change =>
  (parts) => ({ sent: [...parts.sent, ...sent], fields: [...parts.fields, ...signed] })
const both =
  (...changes: ReadonlyArray<Change>): Change =>
  (parts) =>
    changes.reduce<OAuthParts>((all, change) => ({ ...all, ...change(all) }), parts)
const hmacWith =
  (name: string, as: "base64" | "hex" = "base64"): Change =>
  () => ({ sign: (base, own) => createHmac(name, `${percent(own)}&`).update(base).digest(as) })
const time = (text: string): Change => protocol("oauth_timestamp", text)

const lower = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (all) => all.toLowerCase())
const plus = (text: string): string => text.replaceAll("%20", "+")
const left = (text: string, kept: string): string =>
  [...kept].reduce((all, character) => all.replaceAll(percent(character), character), text)

export const encodings: ReadonlyArray<Row> = [
  row("payout", "urlencode of PHP", "space-as-plus", encode((text) => plus(percent(text)).replaceAll("~", "%7E"))),
  row("v4/payout", "http_build_query of PHP", "space-as-plus", encode((text) => plus(percent(text)).replaceAll("~", "%7E"))),
  row("payout-check", "quote of Python", "reserved-unescaped", (parts) => ({
    ...field("order_desc", (text) => text)(parts), ...sending([["note", "a/b"]], [["note", "a/b"]])(parts),
    encode: (text) => left(percent(text), "/")
  })),
  row("transfer", "quote_plus of Python", "space-as-plus", encode((text) => plus(percent(text)))),
  row("v4/sale", "URLEncoder of Java", "space-as-plus", encode((text) => left(plus(percent(text)), "*").replaceAll("~", "%7E"))),
  row("payout-form", "EscapeDataString of an older C#", "reserved-unescaped", encode((text) => left(percent(text), "!*'()"))),
  row("payout", "HttpUtility.UrlEncode of C#", "hex-lower", encode((text) => lower(left(plus(percent(text)), "!*()")).replaceAll("~", "%7e")), {
    or: ["space-as-plus", "encoding-other"]
  }),
  row("v4/status", "WebUtility.UrlEncode of C#", "space-as-plus", encode((text) => left(plus(percent(text)), "!*()").replaceAll("~", "%7E"))),
  row("transfer-by-ref", "PathEscape of Go", "reserved-unescaped", encode((text) => left(percent(text), "$&+=:@"))),
  row("v4/payout", "QueryEscape of Go", "space-as-plus", encode((text) => plus(percent(text)))),
  row("pan-eligibility/send", "encode_www_form of Ruby", "space-as-plus", encode((text) => left(plus(percent(text)), "*").replaceAll("~", "%7E"))),
  row("payout", "escape of JavaScript", "character-set", encode((text) => escape(text)), { or: ["reserved-unescaped", "encoding-other"] }),
  row("payout-pay", "encodeURI of JavaScript", "reserved-unescaped", encode(encodeURI)),
  row("v4/create-card-ref", "uri_escape of Perl", "reserved-unescaped", encode((text) => left(percent(text), "!*'()"))),
  row("create-recurring-payment", "only the letters of ASCII escaped in small digits", "hex-lower", encode((text) => lower(percent(text)))),
  row("v4/payout", "the hyphen and the underscore escaped, too", "reserved-unescaped", encode((text) => percent(text).replaceAll("-", "%2D").replaceAll("_", "%5F").replaceAll(".", "%2E")), { or: ["encoding-other"] }),
  row("payout", "values encoded and names not, then all once", "encoding-missing", () => ({ encode: (text) => text, base: (...all) => all.map(percent).join("&") })),
  row("transfer", "only the values encoded twice, by a form and by hand", "encoding-double", encode((text) => percent(plus(percent(text)))), { or: ["encoding-double and space-as-plus", "space-as-plus and encoding-double", "encoding-other"] }),
  row("v4/sale", "UTF-8 encoded as Latin-1 before", "character-set", encode((text) => percent(Buffer.from(text).toString("latin1")))),
  row("payout", "letters with separate accents", "values-normalized", field("order_desc", (text) => text.normalize("NFD"))),
  row("process-recurring-payment", "the base string in UTF-16", "character-set", () => ({ sign: (base) => sign("sha256", Buffer.from(base, "utf16le"), rsa.privateKey).toString("base64") }))
]

export const parameters: ReadonlyArray<Row> = [
  row("v4/payout", "an empty realm signed", "realm-included", (parts) => ({
    protocol: [...parts.protocol, ["realm", ""]], header: (pairs, made) => headerOf(pairs, made).replace("OAuth ", 'OAuth realm="", ')
  })),
  row("payout", "an empty realm", "right", header((all) => all.replace("OAuth ", 'OAuth realm="", '))),
  row("payout", "a hash of the body sent and signed", "right", (parts) => {
    const all: ReadonlyArray<Pair> = [...parts.protocol, ["oauth_body_hash", "2jmj7l5rSw0yVb/vlWAYkK/YBwk="]]
    return { protocol: all, sentProtocol: all }
  }),
  row("v4/payout", "a hash of the body sent and not signed", "parameter-missing", (parts) => ({
    sentProtocol: [...parts.protocol, ["oauth_body_hash", "2jmj7l5rSw0yVb/vlWAYkK/YBwk="]]
  })),
  row("payout", "an empty token sent and not signed", "parameter-missing", (parts) => ({ sentProtocol: [...parts.protocol, ["oauth_token", ""]] }), { or: ["empty-missing"] }),
  row("payout", "an empty token sent and signed", "right", (parts) => {
    const all: ReadonlyArray<Pair> = [...parts.protocol, ["oauth_token", ""]]
    return { protocol: all, sentProtocol: all }
  }),
  row("transfer", "two empty fields not signed", "empty-missing", sending([["phone", ""], ["bank_name", ""]], [])),
  row("payout-check", "card data not signed", "parameter-missing", sending([["credit_card_number", "4444333322221111"], ["cvv2", "123"]], [])),
  row("v4/sale", "three fields not signed", "parameter-missing", sending([["city", "Rome"], ["zip_code", "00100"], ["country", "IT"]], [])),
  row("transfer-by-ref", "a field with an underscore in its name signed", "parameter-renamed", (parts) => ({
    sent: [...parts.sent, ["client-order-id", "Order 7"]].filter(([name]) => name !== "client_orderid") as ReadonlyArray<Pair>,
    fields: [...parts.fields]
  })),
  row("v4/payout", "a name in camel case signed", "parameter-renamed", ({ fields }) => ({
    fields: fields.map(([name, text]): Pair => [name === "order_desc" ? "orderDesc" : name, text])
  })),
  row("transfer", "the masked card number signed", "values-masked", sending([["credit_card_number", "4444333322221111"]], [["credit_card_number", "444433******1111"]])),
  row("transfer", "the card number with blanks signed", "values-normalized", sending([["credit_card_number", "4444333322221111"]], [["credit_card_number", "4444 3333 2222 1111"]])),
  row("create-recurring-payment", "a month without its zero signed", "values-number", sending([["expire_month", "01"]], [["expire_month", "1"]])),
  row("transfer", "True of Python signed", "values-case", sending([["deposit2card", "true"]], [["deposit2card", "True"]])),
  row("transfer", "1 for true signed", "values-number", sending([["deposit2card", "true"]], [["deposit2card", "1"]])),
  row("payout", "an amount with groups signed", "amount-differs", (parts) => ({
    sent: set(parts.sent, "amount", "1234.50"), fields: set(parts.fields, "amount", "1,234.50")
  })),
  row("v4/payout", "a float of Python signed", "amount-differs", (parts) => ({
    sent: set(parts.sent, "amount", "20.00"), fields: set(parts.fields, "amount", "20.0")
  })),
  row("payout-check", "yen with decimals signed", "amount-differs", (parts) => ({
    sent: set(set(parts.sent, "amount", "500"), "currency", "JPY"), fields: set(set(parts.fields, "amount", "500.00"), "currency", "JPY")
  })),
  row("payout", "the amount of an earlier try signed", "request-other", field("amount", () => "15.99")),
  row("v4/payout", "the own number of the order before signed", "request-other", field("client_orderid", () => "Order 6")),
  row("v4/status", "the timestamp of 40 seconds before signed", "timestamp-differs", (parts) => ({ protocol: set(parts.protocol, "oauth_timestamp", String(now - 40)) })),
  row("payout", "the timestamp with decimals signed", "timestamp-differs", (parts) => ({ protocol: set(parts.protocol, "oauth_timestamp", `${now}.0`) })),
  row("payout", "the nonce made twice", "unexplained", (parts) => ({ protocol: set(parts.protocol, "oauth_nonce", "another") })),
  row("v4/payout", "the nonce in capitals signed", "values-case", (parts) => ({ protocol: set(parts.protocol, "oauth_nonce", "ABC123") })),
  row("v4/payout", "a signature of capitals in the base string", "signature-included", (parts) => ({ protocol: [...parts.protocol, ["oauth_signature", ""]] })),
  row("payout-form", "the fields of the query given a second time in the body", "right", (parts) => ({
    line: parts.line.replace(" HTTP", "?tag=1 HTTP"), query: [["tag", "1"]]
  })),
  row("v4/payout", "the query's fields only, without the body", "body-missing", (parts) => ({
    line: parts.line.replace(" HTTP", "?tag=1 HTTP"), query: [["tag", "1"]], fields: []
  })),
  row("payout", "neither query nor body", "body-missing and query-missing", (parts) => ({
    line: parts.line.replace(" HTTP", "?tag=1 HTTP"), query: [], fields: []
  }), { or: ["query-missing and body-missing"] }),
  row("v4/sale", "sorted without regard to case", "sorted-by-language", () => ({
    sort: (pairs) => pairs.toSorted(([one], [other]) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
  })),
  row("transfer-by-ref", "sorted by length", "not-sorted", () => ({ sort: (pairs) => pairs.toSorted(([one], [other]) => one.length - other.length) })),
  row("payout", "the header's parameters first", "not-sorted", (parts) => ({
    sort: (pairs) => {
      const own = parts.protocol.map(([name]) => name)
      return [...pairs.filter(([name]) => own.includes(name)), ...pairs.filter(([name]) => !own.includes(name))]
    }
  })),
  row("v4/payout", "joined by commas", "parts-separator", (parts) => ({ base: (method, all, pairs) => parts.base(method, all, pairs.replaceAll("&", ",")) }), { or: ["pairs-joined"] }),
  row("payout", "values in quotes, as in the header", "values-escaped", ({ encode: own }) => ({ encode: (text) => own(text), sort: (pairs) => pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, text]): Pair => [name, `"${text}"`]) }), { or: ["pairs-joined"] })
]

export const addresses: ReadonlyArray<Row> = [
  row("v4/payout", "the port 80 with https", "default-port", address((all) => all.replace("example/", "example:80/"))),
  row("v4/status", "the default port with RSA", "default-port", address((all) => all.replace("example/", "example:443/"))),
  row("payout-form", "the scheme in capitals", "host-case", address((all) => all.replace("https", "HTTPS")), { or: ["scheme"] }),
  row("transfer", "a ? at the end", "query-in-address", address((all) => `${all}?`), { or: ["slash-at-end"] }),
  row("payout", "a fragment", "query-in-address", address((all) => `${all}#top`), { or: ["slash-at-end", "address-incomplete"] }),
  row("v4/sale", "a point after the host", "host-other", address((all) => all.replace("example/", "example./"))),
  row("payout-check", "the path's slashes escaped", "address-encoded-twice", address((all) => all.replace(/example(.*)/, (_, path) => `example${percent(path)}`)), { or: ["path-case"] }),
  row("payout-pay", "the path of payout-check", "operation-other", address((all) => all.replace("payout-pay", "payout-check"))),
  row("v4/create-card-ref", "the version 2 of the path", "operation-other", address((all) => all.replace("/v4/", "/v2/"))),
  row("pan-eligibility/send", "the prefix twice", "prefix-missing", address((all) => all.replace("/paynet", "/paynet/paynet"))),
  row("update-recurring-payment", "the host of a stage", "host-other", address((all) => all.replace("gateway", "stage.gateway"))),
  row("payout", "a blank after the method", "http-method", () => ({ method: "POST " })),
  row("v4/payout", "PATCH", "http-method", () => ({ method: "PATCH" })),
  row("transfer-by-ref", "the endpoint's number from the settings", "endpoint-or-group", address((all) => all.replace("1111", "4242")), { env: { PAY_ENDPOINT_ID: "4242" } }),
  row("payout", "a semicolon with a session in the path", "address-incomplete", address((all) => `${all};jsessionid=1`), { or: ["unexplained"] })
]

const pem = rsa.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
const publicPem = createPublicKey(rsa.privateKey).export({ type: "spki", format: "pem" }).toString()
const secretOf = (make: (own: string) => string | Buffer): Change => () => ({
  sign: (base, own) => createHmac("sha1", make(own)).update(base).digest("base64")
})

export const keys: ReadonlyArray<Row> = [
  row("payout", "& and the key", "token-secret", secret((own) => `&${own}`)),
  row("payout-form", "undefined after &", "token-secret", secret((own) => `${own}&undefined`)),
  row("payout", "null after &", "token-secret", secret((own) => `${own}&null`)),
  row("pan-eligibility/send", "the login and the key without &", "token-secret", secret((own) => login + own), { or: ["token-secret and ampersand-missing"] }),
  row("payout", "two &", "token-secret", secret((own) => `${own}&&`)),
  row("payout", "the key percent-encoded twice", "key-encoded", () => ({ key: "a/b+c=", sign: (base, own) => createHmac("sha1", `${percent(percent(own))}&`).update(base).digest("base64") }), { env: { PAY_CONTROL_KEY: "a/b+c=" } }),
  row("payout", "the key in Base64", "key-encoded", key((own) => Buffer.from(own).toString("base64"))),
  row("payout-form", "the hex digits of the key as bytes", "key-decoded", secretOf(() => Buffer.concat([Buffer.from("ff00aa11bb22", "hex"), Buffer.from("&")])), { env: { PAY_CONTROL_KEY: "ff00aa11bb22" }, or: ["key-decoded and ampersand-missing"] }),
  row("payout", "the key with a blank", "key-blank", key((own) => `${own} `), { or: ["key-line-end"] }),
  row("payout", "the key with CR LF and no &", "key-line-end and ampersand-missing", secret((own) => `${own}\r\n`), { or: ["ampersand-missing and key-line-end"] }),
  row("payout", "the key hashed by SHA-256", "key-hashed", key((own) => hash("sha256", own))),
  row("v4/payout", "HMAC-SHA256 with the private key's file", "hmac-for-rsa", () => ({ sign: (base) => createHmac("sha256", pem).update(base).digest("base64") })),
  row("v4/sale", "HMAC-SHA1 with the private key's file and &", "hmac-for-rsa", () => ({ sign: (base) => createHmac("sha1", `${percent(pem)}&`).update(base).digest("base64") })),
  row("transfer", "HMAC-SHA256 with the public key's file", "hmac-for-rsa", () => ({ sign: (base) => createHmac("sha256", publicPem).update(base).digest("base64") })),
  row("v4/status", "HMAC with the control key, without &", "hmac-for-rsa", () => ({ sign: (base, own) => createHmac("sha256", own).update(base).digest("base64") }), { or: ["ampersand-missing and hmac-for-rsa", "hmac-for-rsa and ampersand-missing"] })
]

export const algorithms: ReadonlyArray<Row> = [
  row("v4/payout", "RSA with SHA-384", "hash-other", () => ({ sign: rsaSha256(rsa.privateKey, "sha384") })),
  row("transfer", "RSA with MD5", "hash-other", () => ({ sign: rsaSha256(rsa.privateKey, "md5") })),
  row("v4/sale", "the base string itself encrypted", "rsa-bare-hash", () => ({ sign: (base) => privateEncrypt(rsa.privateKey, Buffer.from(base).subarray(0, 200)).toString("base64") }), { or: ["unexplained"] }),
  row("payout-check", "the hex digits of the hash encrypted", "rsa-bare-hash", () => ({ sign: (base) => privateEncrypt(rsa.privateKey, Buffer.from(hash("sha256", base))).toString("base64") })),
  row("transfer-by-ref", "the Base64 of the hash signed", "hash-twice", () => ({ sign: (base) => sign("sha256", Buffer.from(hash("sha256", base, "base64")), rsa.privateKey).toString("base64") })),
  row("v4/create-card-ref", "capital hex digits of the hash signed", "hash-twice", () => ({ sign: (base) => sign("sha256", Buffer.from(hash("sha256", base).toUpperCase()), rsa.privateKey).toString("base64") })),
  row("v4/status", "the Base64 of the base string signed", "text-encoded", () => ({ sign: (base) => sign("sha256", Buffer.from(Buffer.from(base).toString("base64")), rsa.privateKey).toString("base64") }), { or: ["hash-twice", "parts-not-encoded"] }),
  row("payout", "HMAC-SHA512", "hash-other", hmacWith("sha512")),
  row("payout-form", "HMAC-SHA256 in hex", "hash-other and hex", hmacWith("sha256", "hex")),
  row("payout", "SHA-1 of text and key in hex, as a control", "hash-without-key and hex", () => ({ sign: (base, own) => hash("sha1", base + own) })),
  row("pan-eligibility/send", "SHA-256 of key and text", "hash-without-key", () => ({ sign: (base, own) => hash("sha256", own + base, "base64") }), { or: ["hash-other and hash-without-key"] }),
  row("payout", "MD5 under the key", "hash-other", hmacWith("md5")),
  row("v4/payout", "hex digits in capitals, with RSA", "hex", print((made) => Buffer.from(made, "base64").toString("hex").toUpperCase())),
  row("v4/payout", "lines of 76 with CR LF", "base64-lines", print((made) => made.replace(/.{76}(?=.)/g, "$&\r\n"))),
  row("v4/payout", "Base64url with =", "base64url", print((made) => made.replaceAll("+", "-").replaceAll("/", "_"))),
  row("payout", "the mark of bytes of Python", "signature-decorated", print((made) => `b'${made}'`)),
  row("v4/sale", "double quotes around the signature", "signature-decorated", print((made) => `"${made}"`)),
  row("payout", "the signature in small letters", "signature-case", print((made) => made.toLowerCase())),
  row("v4/payout", "blanks in place of +", "signature-encoding", print((made) => made.replaceAll("+", " "))),
  row("payout", "the name of the method before the signature", "signature-decorated", print((made) => `HMAC-SHA1 ${made}`)),
  row("payout", "the signature encoded twice in small digits", "signature-encoding", print((made) => lower(percent(made))))
]

export const headers: ReadonlyArray<Row> = [
  row("payout", "the scheme in small letters", "right", header((all) => all.replace("OAuth", "oauth"))),
  row("v4/payout", "two blanks after the scheme", "right", header((all) => all.replace("OAuth ", "OAuth  "))),
  row("payout", "a colon after the scheme", "header-scheme", header((all) => all.replace("OAuth ", "OAuth: ")), { or: ["header-quotes"] }),
  row("v4/status", "Basic", "header-scheme", header(() => "Basic bWVyY2hhbnRsb2dpbjpzZWNyZXQ=")),
  row("v4/sale", "the name of the header twice", "header-scheme", header((all) => `Authorization: ${all}`)),
  row("payout", "a comma at the end", "header-quotes", header((all) => `${all},`), { or: ["right", "header-comma"] }),
  row("payout", "JSON", "header-quotes", header(() => 'OAuth {"oauth_nonce":"abc123"}'), { or: ["header-scheme"] }),
  row("transfer", "colons in place of =", "header-quotes", header((all) => all.replaceAll('="', ':"'))),
  row("payout", "names in capitals", "parameter-absent", header((all) => all.replaceAll(/oauth_\w+(?==")/g, (name) => name.toUpperCase()))),
  row("payout", "HMAC_SHA1", "method-unsupported", protocol("oauth_signature_method", "HMAC_SHA1")),
  row("v4/payout", "RSA-SHA512", "method-unsupported", protocol("oauth_signature_method", "RSA-SHA512")),
  row("payout", "the version 1", "version-other", protocol("oauth_version", "1")),
  row("payout", "nanoseconds", "timestamp-milliseconds", time(`${now}000000000`)),
  row("v4/payout", "blanks around the time", "timestamp-form", time(` ${now} `)),
  row("payout", "the local time, three hours ahead", "timestamp-early", time(String(now + 10800))),
  row("v4/sale", "a time with thousands", "timestamp-form", time("1,700,000,000")),
  row("payout", "the control key's owner in capitals", "consumer-other", protocol("oauth_consumer_key", login.toUpperCase())),
  row("v4/status", "the endpoint and the login", "consumer-other", protocol("oauth_consumer_key", `1111:${login}`)),
  row("payout", "a blank after the login", "consumer-other", protocol("oauth_consumer_key", `${login} `)),
  row("v4/payout", "the method under another name", "parameter-absent", (parts) => {
    const all = parts.protocol.map(([name, text]): Pair => [name === "oauth_signature_method" ? "oauth_method" : name, text])
    return { protocol: all, sentProtocol: all }
  })
]

export const pairs: ReadonlyArray<Row> = [
  row("payout", "no & and small escapes", "hex-lower and ampersand-missing", both(encode((text) => lower(percent(text))), secret((own) => own)), { or: ["ampersand-missing and hex-lower"] }),
  row("payout-form", "not sorted, and no body", "body-missing and not-sorted", both(() => ({ fields: [] }), () => ({ sort: (pairs) => [...pairs].reverse() })), { or: ["not-sorted and body-missing"] }),
  row("payout", "the port and a blank as +", "space-as-plus and default-port", both(address((all) => all.replace("example/", "example:443/")), encode((text) => plus(percent(text)))), { or: ["default-port and space-as-plus"] }),
  row("v4/payout", "http and a slash", "scheme and slash-at-end", address((all) => `${all.replace("https", "http")}/`), { or: ["slash-at-end and scheme"] }),
  row("v4/sale", "SHA-1 and Base64url", "hash-other and base64url", both(() => ({ sign: rsaSha256(rsa.privateKey, "sha1") }), print((made) => made.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")))),
  row("payout", "no version, and no &", "parameter-missing and ampersand-missing", both(({ protocol: own }) => ({ protocol: without(own, "oauth_version") }), secret((own) => own)), { or: ["ampersand-missing and parameter-missing"] }),
  row("transfer", "no encoding at all", "encoding-missing and parts-not-encoded", both(encode((text) => text), () => ({ base: (...all) => all.join("&") })), { or: ["parts-not-encoded and encoding-missing"] }),
  row("payout", "encodeURIComponent and minor units", "amount-minor and reserved-unescaped", both(encode(encodeURIComponent), field("amount", () => "1999")), { or: ["reserved-unescaped and amount-minor"] }),
  row("v4/payout", "URLEncoder, and http", "space-as-plus and scheme", both(address((all) => all.replace("https", "http")), encode((text) => left(plus(percent(text)), "*").replaceAll("~", "%7E"))), { or: ["scheme and space-as-plus"] }),
  row("payout", "SHA-256 without &", "ampersand-missing and hash-other", () => ({ sign: (base, own) => createHmac("sha256", own).update(base).digest("base64") }), { or: ["hash-other and ampersand-missing"] }),
  row("v4/payout", "only the path, in small escapes", "hex-lower and address-incomplete", both(address((all) => new URL(all).pathname), encode((text) => lower(percent(text)))), { or: ["address-incomplete and hex-lower"] }),
  row("transfer-by-ref", "PSS would be two mistakes: not sorted, and SHA-1", "not-sorted and hash-other", both(() => ({ sort: (pairs) => pairs }), () => ({ sign: rsaSha256(rsa.privateKey, "sha1") })), { or: ["hash-other and not-sorted"] }),
  row("payout", "a right signature of an hour ago, by another login", "consumer-other and timestamp-stale", both(protocol("oauth_consumer_key", "somebody"), (parts) => {
    const all = set(parts.protocol, "oauth_timestamp", String(now - 3600))
    return { protocol: all, sentProtocol: set(all, "oauth_consumer_key", "somebody") }
  }), { or: ["timestamp-stale and consumer-other"] })
]

export const freshOAuth: ReadonlyArray<Row> = [...encodings, ...parameters, ...addresses, ...keys, ...algorithms, ...headers, ...pairs]
void hmacSha1

import { createHmac } from "node:crypto"
import { field, hmac, set, without, withRsa } from "./OAuthPayout.ts"
import { headerOf, login, now, percent, type Row } from "./RawRequest.ts"

const parameters: ReadonlyArray<Row> = [
  hmac("sorted as the text name=value", "not-sorted", (parts) => ({
    fields: [...parts.fields, ["order", "1"], ["order-id", "2"]],
    sent: [...parts.sent, ["order", "1"], ["order-id", "2"]],
    sort: (pairs) => pairs.toSorted((one, other) => (one.join("=") < other.join("=") ? -1 : 1))
  })),
  hmac("no oauth_signature", "parameter-absent", (parts) => ({
    header: (pairs) => parts.header(pairs, "").replace(', oauth_signature=""', "")
  })),
  hmac("the login signed, which is not sent", "parameter-extra", (parts) => ({
    fields: [...parts.fields, ["login", login]]
  })),
  hmac("another version signed than sent", "version-differs", (parts) => ({
    protocol: set(parts.protocol, "oauth_version", "1.0a")
  })),
  hmac("no & after the key, and a blank as +", "space-as-plus and ampersand-missing", () => ({
    encode: (text) => percent(text).replaceAll("%20", "+"),
    sign: (base, own) => createHmac("sha1", own).update(base).digest("base64")
  })),
  hmac("the body left out", "body-missing", () => ({ fields: [] })),
  hmac("one field left out", "parameter-missing", (parts) => ({ fields: without(parts.fields, "email") })),
  hmac("the nonce left out", "parameter-missing", (parts) => ({ protocol: without(parts.protocol, "oauth_nonce") })),
  hmac("the version left out", "parameter-missing", (parts) => ({
    protocol: without(parts.protocol, "oauth_version")
  })),
  hmac("all oauth_ parameters left out", "protocol-missing", () => ({ protocol: [] })),
  hmac("an empty oauth_token signed", "token-included", (parts) => ({
    protocol: [...parts.protocol, ["oauth_token", ""]]
  })),
  hmac("an empty oauth_signature signed", "signature-included", (parts) => ({
    protocol: [...parts.protocol, ["oauth_signature", ""]]
  })),
  hmac("the oauth_ parameters signed twice", "protocol-twice", (parts) => ({
    protocol: [...parts.protocol, ...parts.protocol]
  })),
  hmac("the realm signed", "realm-included", (parts) => ({
    protocol: [...parts.protocol, ["realm", "pay"]],
    header: (pairs, signature) => headerOf(pairs, signature).replace("OAuth ", 'OAuth realm="pay", ')
  })),
  hmac("empty fields left out", "empty-missing", (parts) => ({ sent: [...parts.sent, ["phone", ""]] }), {
    or: ["parameter-missing"]
  }),
  hmac("the body in the order in which it is sent", "not-sorted", () => ({ sort: (pairs) => pairs })),
  hmac("sorted by a language", "sorted-by-language", () => ({
    sort: (pairs) => pairs.toSorted((one, other) => one[0].localeCompare(other[0], "en"))
  })),
  hmac("sorted backwards", "not-sorted", (parts) => ({ sort: (pairs) => parts.sort(pairs).toReversed() })),
  hmac("another timestamp signed than sent", "timestamp-differs", (parts) => ({
    protocol: set(parts.protocol, "oauth_timestamp", String(now + 1))
  })),
  hmac("milliseconds signed, seconds sent", "timestamp-differs", (parts) => ({
    protocol: set(parts.protocol, "oauth_timestamp", `${now}000`)
  })),
  hmac("another name of the method signed than sent", "method-name-differs", (parts) => ({
    protocol: set(parts.protocol, "oauth_signature_method", "HMAC-SHA256")
  })),
  hmac("the login in capitals signed", "values-case", (parts) => ({
    protocol: set(parts.protocol, "oauth_consumer_key", login.toUpperCase())
  })),
  hmac("a blank after a value signed", "values-untrimmed", field("order_desc", "José's gift ~ 50% (a+b)* ")),
  hmac("a blank signed where + was sent", "plus-as-blank", field("email", "john shop@example.com")),
  hmac("+ sent without its escape", "plus-unescaped", (parts) => ({
    body: (fields) => parts.body(fields).replace("john%2B", "john+")
  })),
  hmac("a field encoded twice in the body", "field-encoded-twice", (parts) => ({
    sent: set(parts.sent, "email", percent("john+shop@example.com"))
  })),
  hmac("the amount in minor units signed", "amount-minor", field("amount", "1999")),
  hmac("the amount without its zeros signed", "amount-differs", (parts) => ({
    sent: set(parts.sent, "amount", "20.00"),
    fields: set(parts.fields, "amount", "20")
  }))
]

const encodings: ReadonlyArray<Row> = [
  hmac("no encoding of values", "encoding-missing", () => ({ encode: (text) => text })),
  hmac("values encoded twice", "encoding-double", () => ({ encode: (text) => percent(percent(text)) })),
  hmac("a blank as +", "space-as-plus", () => ({ encode: (text) => percent(text).replaceAll("%20", "+") })),
  hmac("the encoding of forms", "space-as-plus", () => ({
    encode: (text) => new URLSearchParams([["", text]]).toString().slice(1)
  })),
  hmac("encodeURIComponent", "reserved-unescaped", () => ({ encode: encodeURIComponent })),
  hmac("~ encoded", "reserved-unescaped", () => ({ encode: (text) => percent(text).replaceAll("~", "%7E") })),
  hmac("escapes in small letters", "hex-lower", () => ({
    encode: (text) => percent(text).replace(/%../g, (triplet) => triplet.toLowerCase())
  })),
  hmac("Latin-1", "character-set", () => ({ encode: (text) => percent(text).replace("%C3%A9", "%E9") })),
  hmac("UTF-8 taken for Latin-1 and encoded again", "character-set", () => ({
    encode: (text) => percent(Buffer.from(text).toString("latin1"))
  })),
  hmac("the parts not encoded once more", "parts-not-encoded", () => ({ base: (...parts) => parts.join("&") })),
  hmac("the address not encoded", "parts-not-encoded", () => ({
    base: (method, all, pairs) => `${method}&${all}&${percent(pairs)}`
  })),
  hmac("a line feed after the base string", "text-line-end", (parts) => ({
    base: (...all) => `${parts.base(...all)}\n`
  })),
  withRsa("a line feed after the base string of RSA", "text-line-end", (parts) => ({
    base: (...all) => `${parts.base(...all)}\n`
  })),
  withRsa("CR LF after the base string of RSA", "text-line-end", (parts) => ({
    base: (...all) => `${parts.base(...all)}\r\n`
  })),
  hmac("line feeds between the parts", "parts-separator", (parts) => ({
    base: (...all) => parts.base(...all).replaceAll("&", "\n")
  })),
  hmac("& after the base string", "parts-separator", (parts) => ({ base: (...all) => `${parts.base(...all)}&` }))
]

export const oauthParameters: ReadonlyArray<Row> = [...parameters, ...encodings]

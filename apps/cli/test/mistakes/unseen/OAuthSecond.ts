/** A second list of mistakes of developers with OAuth, written before any of them was tried. */
import { createHash, createHmac } from "node:crypto"
import { address, both, encode, field, left, lower, plus, row } from "../more/OAuthChanges.ts"
import { key, print, secret, set, without } from "../OAuthPayout.ts"
import { percent, type Row, rsa, rsaSha256 } from "../RawRequest.ts"

const noAmpersand = secret((own) => percent(own))
/** Encodes with one function in both places. */
const everywhere = (make: (text: string) => string) => () => ({
  encode: make,
  base: (...parts: ReadonlyArray<string>) => parts.map(make).join("&")
})
const whole = (change: (base: string) => string) => () => ({
  base: (...parts: ReadonlyArray<string>) => change(parts.map(percent).join("&"))
})
const withSha1 = () => ({ sign: rsaSha256(rsa.privateKey, "sha1") })

export const oauthSecond: ReadonlyArray<Row> = [
  row(
    "payout",
    "Node: digest('hex'), and the bare key",
    "ampersand-missing and hex",
    both(
      noAmpersand,
      print((made) => Buffer.from(made, "base64").toString("hex"))
    )
  ),
  row("payout", "Node: encodeURIComponent everywhere", "reserved-unescaped", everywhere(encodeURIComponent)),
  row(
    "payout",
    "Python: quote_plus everywhere, and the bare key",
    "space-as-plus and ampersand-missing",
    both(
      everywhere((each) => plus(percent(each))),
      noAmpersand
    )
  ),
  row(
    "v4/sale",
    "C#: HttpUtility.UrlEncode everywhere",
    "space-as-plus",
    everywhere((each) => lower(left(plus(percent(each)), "!()*")).replaceAll("~", "%7e")),
    { or: ["hex-lower", "hex-lower and space-as-plus"] }
  ),
  row(
    "v4/payout",
    'C#: SignData(…, "SHA1"), and the http of a listener',
    "hash-other and scheme",
    both(
      withSha1,
      address((all) => all.replace("https:", "http:"))
    )
  ),
  row(
    "payout",
    "Java: an empty token of a library, and URLEncoder",
    "token-included and space-as-plus",
    both(
      ({ protocol }) => ({ protocol: [...protocol, ["oauth_token", ""]] }),
      encode((each) => left(plus(percent(each)), "*").replaceAll("~", "%7E"))
    )
  ),
  row(
    "payout",
    "Go: http.Method in small letters, and the nonce only in the header",
    "parameter-missing and http-method",
    both(
      ({ protocol }) => ({ protocol: without(protocol, "oauth_nonce") }),
      () => ({ method: "Post" })
    )
  ),
  row(
    "payout",
    "Ruby: request.path behind a proxy, and a blank after the key",
    "prefix-missing and key-blank",
    both(
      address((all) => all.replace("/paynet", "")),
      key((own) => `${own} `)
    )
  ),
  row(
    "payout",
    "Bash: echo, and openssl without -binary",
    "text-line-end and hex",
    both(
      whole((base) => `${base}\n`),
      print((made) => Buffer.from(made, "base64").toString("hex"))
    )
  ),
  row(
    "payout",
    "PHP: the amount in cents, and the bare key",
    "amount-minor and ampersand-missing",
    both(
      field("amount", () => "1999"),
      noAmpersand
    )
  ),
  row(
    "v4/payout",
    "PHP: openssl_sign of hash('sha256', …), and :443",
    "hash-twice and default-port",
    both(
      address((all) => all.replace("example/", "example:443/")),
      ({ sign }) => ({ sign: (base, own) => sign(createHash("sha256").update(base).digest("hex"), own) })
    )
  ),
  row(
    "transfer-by-ref",
    "Python: base.lower(), and sha1",
    "text-changed and hash-other",
    both(
      whole((base) => base.toLowerCase()),
      withSha1
    )
  ),
  row(
    "v4/status",
    "Postman: RSA-SHA1 in the list, and RSA-SHA256 in the header",
    "method-name-differs and hash-other",
    both(({ protocol }) => ({ protocol: set(protocol, "oauth_signature_method", "RSA-SHA1") }), withSha1)
  ),
  row(
    "payout",
    "Postman: the consumer key in capitals where it is signed, and the bare key",
    "values-case and ampersand-missing",
    both(
      ({ protocol }) => ({
        protocol: protocol.map(([name, own]) => [name, name === "oauth_consumer_key" ? own.toUpperCase() : own])
      }),
      noAmpersand
    )
  ),
  row(
    "payout",
    "curl: a script in Latin-1, and %26",
    "character-set and ampersand-escaped",
    both(
      encode((each) => percent(each).replaceAll("%C3%A9", "%E9")),
      secret((own) => `${percent(own)}%26`)
    )
  ),
  row("payout", "Java: a key of another shop", "unexplained", () => ({
    sign: (base) => createHmac("sha1", "8C0F4B7E-another-shop&").update(base).digest("base64")
  }))
]

/** Mistakes of developers with OAuth, written before the catalogue was read. Half of them are made two at a time. */
import { constants, createHmac, hash, sign } from "node:crypto"
import { address, both, encode, field, left, lower, plus, row } from "../more/OAuthChanges.ts"
import { print, secret, set, without } from "../OAuthPayout.ts"
import { now, type Pair, percent, type Row, rsa, rsaSha256 } from "../RawRequest.ts"

/** Percent-encoding of PHP's urlencode. */
const urlencode = (text: string) => plus(percent(text)).replaceAll("~", "%7E")
const noAmpersand = secret((own) => percent(own))
const line = (change: (base: string) => string) => ({
  base: (...parts: ReadonlyArray<string>) => change(parts.map(percent).join("&"))
})

export const oauthFirst: ReadonlyArray<Row> = [
  // PHP
  row(
    "payout",
    "PHP: urlencode, and base64_encode of hash_hmac without true",
    "space-as-plus and base64-of-hex",
    both(
      encode(urlencode),
      print((made) => Buffer.from(Buffer.from(made, "base64").toString("hex")).toString("base64"))
    )
  ),
  row(
    "v4/payout",
    "PHP: openssl_sign with its default, and no ksort",
    "hash-other and not-sorted",
    both(
      () => ({ sign: rsaSha256(rsa.privateKey, "sha1") }),
      () => ({ sort: (pairs) => pairs })
    )
  ),
  row(
    "payout",
    "PHP: http_build_query in the base string, and no &",
    "space-as-plus and ampersand-missing",
    both(encode(urlencode), noAmpersand)
  ),
  // Python
  row(
    "payout",
    "Python: quote() leaves the slashes of the address",
    "parts-not-encoded",
    () => ({ base: (...parts) => parts.map((part) => left(percent(part), "/")).join("&") }),
    { or: ["reserved-unescaped"] }
  ),
  row(
    "v4/sale",
    "Python: the client signs no JSON, and the address with :443",
    "body-missing and default-port",
    both(
      () => ({ fields: [] }),
      address((all) => all.replace("example/", "example:443/"))
    )
  ),
  row(
    "payout",
    "Python: the bytes of the key as text, and small escapes",
    "key-quoted and hex-lower",
    both(
      encode((each) => lower(percent(each))),
      secret((own) => `b'${own}'&`)
    )
  ),
  // C#
  row(
    "payout",
    "C#: Uri.EscapeDataString of .NET 4, and no &",
    "reserved-unescaped and ampersand-missing",
    both(
      encode((each) => left(percent(each), "!'()*")),
      noAmpersand
    )
  ),
  row(
    "transfer",
    "C#: HttpUtility.UrlEncode",
    "hex-lower and space-as-plus",
    encode((each) => lower(left(plus(percent(each)), "!()*")).replaceAll("~", "%7e")),
    { or: ["space-as-plus", "hex-lower"] }
  ),
  row("v4/status", "C#: RSASignaturePadding.Pss, and Encoding.Unicode", "rsa-pss and character-set", () => ({
    sign: (base) =>
      sign("sha256", Buffer.from(base, "utf16le"), {
        key: rsa.privateKey,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: 32
      }).toString("base64")
  })),
  // Java
  row(
    "payout",
    "Java: URLEncoder, and URI.toString() with :443",
    "space-as-plus and default-port",
    both(
      encode((each) => left(urlencode(each), "*")),
      address((all) => all.replace("example/", "example:443/"))
    )
  ),
  row(
    "v4/create-card-ref",
    "Java: SHA1withRSA, in hex digits",
    "hash-other and hex",
    both(
      () => ({ sign: rsaSha256(rsa.privateKey, "sha1") }),
      print((made) => Buffer.from(made, "base64").toString("hex"))
    )
  ),
  row(
    "payout",
    "Java: a TreeMap of CASE_INSENSITIVE_ORDER, and http of a server behind a proxy",
    "sorted-by-language and scheme",
    both(
      () => ({
        sort: (pairs) => pairs.toSorted(([one], [other]) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
      }),
      address((all) => all.replace("https:", "http:"))
    )
  ),
  // Go
  row(
    "v4/payout",
    "Go: url.QueryEscape, and r.URL.Path",
    "space-as-plus and address-incomplete",
    both(
      encode((each) => plus(percent(each))),
      address((all) => all.replace("https://gateway.example", ""))
    )
  ),
  row(
    "payout",
    "Go: RawURLEncoding, and oauth_version only in the header",
    "parameter-missing and base64url",
    both(
      ({ protocol }) => ({ protocol: without(protocol, "oauth_version") }),
      print((made) => made.replaceAll("+", "-").replaceAll("/", "_").replace("=", ""))
    )
  ),
  row(
    "payout",
    "Go: time.Now() a second time, and no &",
    "timestamp-differs and ampersand-missing",
    both(({ protocol }) => ({ protocol: set(protocol, "oauth_timestamp", String(now + 1)) }), noAmpersand)
  ),
  // Ruby
  row(
    "v4/sale",
    "Ruby: CGI.escape, and SHA1.new",
    "space-as-plus and hash-other",
    both(
      encode((each) => left(plus(percent(each)), "*")),
      () => ({ sign: rsaSha256(rsa.privateKey, "sha1") })
    )
  ),
  row(
    "payout",
    "Ruby: Base64.encode64, and :post",
    "http-method and base64-lines",
    both(
      () => ({ method: "post" }),
      print((made) => `${made}\n`)
    )
  ),
  // Node
  row(
    "v4/payout",
    "Node: encodeURIComponent and localeCompare",
    "reserved-unescaped and sorted-by-language",
    both(encode(encodeURIComponent), () => ({
      sort: (pairs) => pairs.toSorted(([one], [other]) => one.localeCompare(other))
    }))
  ),
  row(
    "payout",
    "Node: a library that signs oauth_body_hash and no fields",
    "body-missing and parameter-extra",
    ({ body, protocol, sent }) => ({
      fields: [],
      protocol: [...protocol, ["oauth_body_hash", hash("sha1", body(sent), "base64")] satisfies Pair]
    }),
    { or: ["body-missing and token-included"] }
  ),
  // Bash
  row(
    "payout",
    "Bash: echo | openssl dgst -hmac, without &",
    "text-line-end and ampersand-missing",
    both(() => line((base) => `${base}\n`), noAmpersand)
  ),
  row(
    "v4/payout",
    "Bash: echo | openssl dgst -sign | base64",
    "text-line-end and base64-lines",
    both(
      () => line((base) => `${base}\n`),
      print((made) => `${made.match(/.{1,76}/g)?.join("\n")}\n`)
    )
  ),
  // Postman
  row(
    "payout",
    "Postman: an empty token, and a blank after the secret",
    "key-blank and token-included",
    both(
      ({ protocol }) => ({ protocol: [...protocol, ["oauth_token", ""]] }),
      () => ({
        sign: (base, own) =>
          createHmac("sha1", `${percent(`${own} `)}&`)
            .update(base)
            .digest("base64")
      })
    )
  ),
  row(
    "payout",
    "Postman: a parameter encoded before it is set, and GET left in the list",
    "encoding-double and http-method",
    both(
      encode((each) => percent(percent(each))),
      () => ({ method: "GET" })
    )
  ),
  row(
    "payout",
    "curl: a number for the amount, and %26 after the key",
    "amount-differs and ampersand-escaped",
    both(
      field("amount", () => "19.990"),
      secret((own) => `${percent(own)}%26`)
    )
  )
]

/** A third list of mistakes of developers with OAuth, written before any of them was tried. */
import { createHash } from "node:crypto"
import * as O from "../more/OAuthChanges.ts"
import { print, protocol, secret, set, without } from "../OAuthPayout.ts"
import { now, percent, type Row, rsa, rsaSha256, sha1 } from "../RawRequest.ts"

const encoded = (make: (text: string) => string) => () => ({
  encode: make,
  base: (...parts: ReadonlyArray<string>) => parts.map(make).join("&")
})
const noAmpersand = secret((own) => percent(own))

export const oauthThird: ReadonlyArray<Row> = [
  O.row(
    "payout",
    "PHP: rawurlencode everywhere, ksort after the encoding of another text, and base64 of hex without &",
    "ampersand-missing and base64-of-hex",
    O.both(
      noAmpersand,
      print((made) => Buffer.from(Buffer.from(made, "base64").toString("hex")).toString("base64"))
    )
  ),
  O.row(
    "v4/payout",
    "PHP: http_build_query, and the address with a slash",
    "space-as-plus and slash-at-end",
    O.both(
      O.encode((each) => O.plus(percent(each)).replaceAll("~", "%7E")),
      O.address((all) => `${all}/`)
    )
  ),
  O.row(
    "payout",
    "Python: sorted(params, key=str.lower), and quote_plus",
    "sorted-by-language and space-as-plus",
    O.both(
      O.encode((each) => O.plus(percent(each))),
      () => ({
        sort: (pairs) => pairs.toSorted(([one], [other]) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
      })
    )
  ),
  O.row(
    "payout",
    "Python: no version signed, and the key with a line end",
    "parameter-missing and key-line-end",
    O.both(
      ({ protocol: own }) => ({ protocol: without(own, "oauth_version") }),
      secret((own) => `${percent(`${own}\n`)}&`)
    )
  ),
  O.row(
    "payout",
    "C#: WebUtility.UrlEncode everywhere, and ASCII",
    "space-as-plus",
    encoded((each) => O.left(O.plus(percent(each)), "!()*").replaceAll("~", "%7E"))
  ),
  O.row(
    "v4/status",
    "C#: SHA512, in hex",
    "hash-other and hex",
    O.both(
      () => ({ sign: rsaSha256(rsa.privateKey, "sha512") }),
      print((made) => Buffer.from(made, "base64").toString("hex"))
    )
  ),
  O.row(
    "payout",
    "Java: URI.getHost without the scheme, and HmacSHA256",
    "address-incomplete and hash-other",
    O.both(
      O.address((all) => all.replace("https://", "")),
      O.hmacWith("sha256")
    )
  ),
  O.row(
    "transfer",
    "Java: URLEncoder everywhere",
    "space-as-plus",
    encoded((each) => O.left(O.plus(percent(each)), "*").replaceAll("~", "%7E"))
  ),
  O.row(
    "payout",
    "Go: milliseconds signed, and seconds sent; URLEncoding",
    "timestamp-differs and base64url",
    O.both(
      ({ protocol: own }) => ({ protocol: set(own, "oauth_timestamp", `${now}000`) }),
      print((made) => made.replaceAll("+", "-").replaceAll("/", "_"))
    )
  ),
  O.row(
    "payout",
    "Ruby: the hash of the secret, and http",
    "key-hashed and scheme",
    O.both(
      secret((own) => `${sha1(own)}&`),
      O.address((all) => all.replace("https", "http"))
    )
  ),
  O.row(
    "v4/sale",
    "Node: RSA over the hex of SHA-256, and encodeURIComponent",
    "reserved-unescaped and hash-twice",
    O.both(O.encode(encodeURIComponent), ({ sign }) => ({
      sign: (base, own) => sign(createHash("sha256").update(base).digest("hex"), own)
    }))
  ),
  O.row(
    "payout",
    "Bash: the base string in small letters, without &",
    "text-changed and ampersand-missing",
    O.both(() => ({ base: (...parts) => parts.map(percent).join("&").toLowerCase() }), noAmpersand)
  ),
  O.row(
    "payout",
    "Postman: the port of a proxy, and a token secret of null",
    "default-port and token-secret",
    O.both(
      O.address((all) => all.replace("example/", "example:8443/")),
      secret((own) => `${percent(own)}&null`)
    )
  ),
  O.row("payout", "Postman: seconds of yesterday", "timestamp-stale", protocol("oauth_timestamp", String(now - 86_400)))
]

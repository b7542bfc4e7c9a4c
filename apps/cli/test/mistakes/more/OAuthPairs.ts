/** Two mistakes that are made together. */
import { createHmac } from "node:crypto"
import { print, protocol, secret, set, without } from "../OAuthPayout.ts"
import { now, percent, type Row, rsa, rsaSha256 } from "../RawRequest.ts"
import { address, both, encode, field, left, lower, plus, row } from "./OAuthChanges.ts"

export const pairs: ReadonlyArray<Row> = [
  row(
    "payout",
    "no & and small escapes",
    "hex-lower and ampersand-missing",
    both(
      encode((text) => lower(percent(text))),
      secret((own) => own)
    ),
    { or: ["ampersand-missing and hex-lower"] }
  ),
  row(
    "payout-form",
    "not sorted, and no body",
    "body-missing and not-sorted",
    both(
      () => ({ fields: [] }),
      () => ({ sort: (pairs) => [...pairs].reverse() })
    ),
    { or: ["not-sorted and body-missing"] }
  ),
  row(
    "payout",
    "the port and a blank as +",
    "space-as-plus and default-port",
    both(
      address((all) => all.replace("example/", "example:443/")),
      encode((text) => plus(percent(text)))
    ),
    { or: ["default-port and space-as-plus"] }
  ),
  row(
    "v4/payout",
    "http and a slash",
    "scheme and slash-at-end",
    address((all) => `${all.replace("https", "http")}/`),
    { or: ["slash-at-end and scheme"] }
  ),
  row(
    "v4/sale",
    "SHA-1 and Base64url",
    "hash-other and base64url",
    both(
      () => ({ sign: rsaSha256(rsa.privateKey, "sha1") }),
      print((made) => made.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""))
    )
  ),
  row(
    "payout",
    "no version, and no &",
    "parameter-missing and ampersand-missing",
    both(
      ({ protocol: own }) => ({ protocol: without(own, "oauth_version") }),
      secret((own) => own)
    ),
    { or: ["ampersand-missing and parameter-missing"] }
  ),
  row(
    "transfer",
    "no encoding at all",
    "encoding-missing and parts-not-encoded",
    both(
      encode((text) => text),
      () => ({ base: (...all) => all.join("&") })
    ),
    { or: ["parts-not-encoded and encoding-missing"] }
  ),
  row(
    "payout",
    "encodeURIComponent and minor units",
    "amount-minor and reserved-unescaped",
    both(
      encode(encodeURIComponent),
      field("amount", () => "1999")
    ),
    { or: ["reserved-unescaped and amount-minor"] }
  ),
  row(
    "v4/payout",
    "URLEncoder, and http",
    "space-as-plus and scheme",
    both(
      address((all) => all.replace("https", "http")),
      encode((text) => left(plus(percent(text)), "*").replaceAll("~", "%7E"))
    ),
    { or: ["scheme and space-as-plus"] }
  ),
  row(
    "payout",
    "SHA-256 without &",
    "ampersand-missing and hash-other",
    () => ({ sign: (base, own) => createHmac("sha256", own).update(base).digest("base64") }),
    { or: ["hash-other and ampersand-missing"] }
  ),
  row(
    "v4/payout",
    "only the path, in small escapes",
    "hex-lower and address-incomplete",
    both(
      address((all) => new URL(all).pathname),
      encode((text) => lower(percent(text)))
    ),
    { or: ["address-incomplete and hex-lower"] }
  ),
  row(
    "transfer-by-ref",
    "PSS would be two mistakes: not sorted, and SHA-1",
    "not-sorted and hash-other",
    both(
      () => ({ sort: (pairs) => pairs }),
      () => ({ sign: rsaSha256(rsa.privateKey, "sha1") })
    ),
    { or: ["hash-other and not-sorted"] }
  ),
  row(
    "payout",
    "a right signature of an hour ago, by another login",
    "consumer-other and timestamp-stale",
    both(protocol("oauth_consumer_key", "somebody"), (parts) => {
      const all = set(parts.protocol, "oauth_timestamp", String(now - 3600))
      return { protocol: all, sentProtocol: set(all, "oauth_consumer_key", "somebody") }
    }),
    { or: ["timestamp-stale and consumer-other"] }
  )
]

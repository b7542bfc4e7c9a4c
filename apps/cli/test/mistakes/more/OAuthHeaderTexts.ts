/** Headers that are written in another way. */
import { header, protocol } from "../OAuthPayout.ts"
import { login, now, type Pair, type Row } from "../RawRequest.ts"
import { row, time } from "./OAuthChanges.ts"

export const headers: ReadonlyArray<Row> = [
  row(
    "payout",
    "the scheme in small letters",
    "right",
    header((all) => all.replace("OAuth", "oauth"))
  ),
  row(
    "v4/payout",
    "two blanks after the scheme",
    "right",
    header((all) => all.replace("OAuth ", "OAuth  "))
  ),
  row(
    "payout",
    "a colon after the scheme",
    "header-scheme",
    header((all) => all.replace("OAuth ", "OAuth: ")),
    { or: ["header-quotes"] }
  ),
  row(
    "v4/status",
    "Basic",
    "header-scheme",
    header(() => "Basic bWVyY2hhbnRsb2dpbjpzZWNyZXQ=")
  ),
  row(
    "v4/sale",
    "the name of the header twice",
    "header-scheme",
    header((all) => `Authorization: ${all}`)
  ),
  row(
    "payout",
    "a comma at the end",
    "header-quotes",
    header((all) => `${all},`),
    { or: ["right", "header-comma"] }
  ),
  row(
    "payout",
    "JSON",
    "header-quotes",
    header(() => 'OAuth {"oauth_nonce":"abc123"}'),
    { or: ["header-scheme"] }
  ),
  row(
    "transfer",
    "colons in place of =",
    "header-quotes",
    header((all) => all.replaceAll('="', ':"'))
  ),
  row(
    "payout",
    "names in capitals",
    "parameter-absent",
    header((all) => all.replaceAll(/oauth_\w+(?==")/g, (name) => name.toUpperCase()))
  ),
  row("payout", "HMAC_SHA1", "method-unsupported", protocol("oauth_signature_method", "HMAC_SHA1")),
  row("v4/payout", "RSA-SHA512", "method-unsupported", protocol("oauth_signature_method", "RSA-SHA512")),
  row("payout", "the version 1", "version-other", protocol("oauth_version", "1")),
  row("payout", "nanoseconds", "timestamp-milliseconds", time(`${now}000000000`)),
  row("v4/payout", "blanks around the time", "timestamp-form", time(` ${now} `)),
  row("payout", "the local time, three hours ahead", "timestamp-early", time(String(now + 10800))),
  row("v4/sale", "a time with thousands", "timestamp-form", time("1,700,000,000")),
  row(
    "payout",
    "the control key's owner in capitals",
    "consumer-other",
    protocol("oauth_consumer_key", login.toUpperCase())
  ),
  row("v4/status", "the endpoint and the login", "consumer-other", protocol("oauth_consumer_key", `1111:${login}`)),
  row("payout", "a blank after the login", "consumer-other", protocol("oauth_consumer_key", `${login} `)),
  row("v4/payout", "the method under another name", "parameter-absent", (parts) => {
    const all = parts.protocol.map(
      ([name, text]): Pair => [name === "oauth_signature_method" ? "oauth_method" : name, text]
    )
    return { protocol: all, sentProtocol: all }
  })
]

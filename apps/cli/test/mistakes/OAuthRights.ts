import { header, here, hmac, key, local, protocol, row, withQuery } from "./OAuthPayout.ts"
import { now, type Row } from "./RawRequest.ts"

const right: ReadonlyArray<Row> = [
  ...["payout", "payout-form", "pan-eligibility/send"].map((command) =>
    row(command)("a right request with HMAC", "right", () => ({}))
  ),
  ...["v4/payout", "v4/status", "v4/create-card-ref", "v4/sale"].map((command) =>
    row(command)("a right request with RSA", "right", () => ({}))
  ),
  hmac("a right request with a query", "right", withQuery()),
  hmac("a right request with the oauth_ parameters in the body, too", "right", (parts) => ({
    sent: [...parts.sent, ...parts.protocol]
  })),
  hmac("a right request to a gateway with http", "right", local(), { env: here }),
  hmac("a right request to a gateway with http, without settings", "right", local(), { env: { PAY_BASE_URL: "" } }),
  hmac("a right request to a gateway with http, with the settings of another", "right", local()),
  hmac(
    "a right request to a gateway with http that has a name",
    "right",
    (parts) => ({ address: parts.address.replace("https", "http") }),
    {
      env: { PAY_BASE_URL: "http://gateway.example/paynet" }
    }
  ),
  hmac(
    "a right request of which nothing tells whether it was sent by http",
    "right",
    (parts) => ({ address: parts.address.replace("https", "http") }),
    {
      env: { PAY_BASE_URL: "" }
    }
  ),
  hmac("a right request that names http in its line", "right", (parts) => ({
    line: parts.line.replace("/paynet", "http://gateway.example/paynet"),
    address: parts.address.replace("https", "http")
  })),
  hmac("a right request at a gateway whose profile adds the prefix", "right", () => ({}), {
    env: { PAY_BASE_URL: "https://gateway.example", PAY_GATEWAY_PROFILE: "paynet" }
  }),
  hmac("a right request to a port", "right", (parts) => ({
    headers: ["Host: gateway.example:8443", ...parts.headers.slice(1)],
    address: parts.address.replace("example/", "example:8443/")
  })),
  hmac("a right request to a group's path", "right", (parts) => ({
    line: parts.line.replace("/1111", "/group/17"),
    address: parts.address.replace("/1111", "/group/17")
  })),
  hmac(
    "a right request with an unescaped signature",
    "right",
    header((all) => all.replace(/%3D|%2B|%2F/g, decodeURIComponent))
  ),
  hmac(
    "a right request without blanks after the commas",
    "right",
    header((all) => all.replaceAll(", ", ","))
  ),
  hmac("a right request of four minutes ago", "right", protocol("oauth_timestamp", String(now - 240))),
  hmac(
    "a key that nothing tells of",
    "unexplained",
    key(() => "another key")
  ),
  hmac("a signature that is none", "unexplained", () => ({ sign: () => "AAAAAAAAAAAAAAAAAAAAAAAAAAA=" }))
]

export const oauthRights: ReadonlyArray<Row> = [...right]

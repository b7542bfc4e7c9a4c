import { address, here, hmac, local, withQuery, withRsa } from "./OAuthPayout.ts"
import { percent, type Row } from "./RawRequest.ts"

const addresses: ReadonlyArray<Row> = [
  hmac(
    "the whole address in capitals",
    "path-case",
    address((all) => all.toUpperCase())
  ),
  hmac(
    "the host of a sandbox",
    "host-other",
    address((all) => all.replace("gateway.example", "sandbox.gateway.example"))
  ),
  hmac(
    "a host of --other-urls",
    "host-other",
    address((all) => all.replace("gateway.example/paynet", "another.example/pay")),
    { args: ["--other-urls=https://third.example,https://another.example/pay/"] }
  ),
  hmac(
    "the name localhost, by which the gateway of the settings is called, too",
    "host-other",
    local((parts) => ({
      headers: ["Host: localhost:8080", ...parts.headers.slice(1)],
      address: parts.address.replace("127.0.0.1", "localhost")
    })),
    { env: here }
  ),
  hmac(
    "the port 443",
    "default-port",
    address((all) => all.replace("example/", "example:443/"))
  ),
  hmac(
    "http in place of https",
    "scheme",
    address((all) => all.replace("https", "http"))
  ),
  hmac(
    "the host in capitals",
    "host-case",
    address((all) => all.replace("gateway", "Gateway"))
  ),
  hmac("a path in lower case although it is called in capitals", "path-case", (parts) => ({
    line: parts.line.replace("paynet", "PayNet")
  })),
  hmac(
    "a slash at the end",
    "slash-at-end",
    address((all) => `${all}/`)
  ),
  hmac(
    "two slashes in the path",
    "path-slashes",
    address((all) => all.replace("paynet/", "paynet//"))
  ),
  hmac(
    "only the path",
    "address-incomplete",
    address((all) => new URL(all).pathname)
  ),
  hmac(
    "no path",
    "address-incomplete",
    address((all) => new URL(all).origin)
  ),
  hmac(
    "no endpoint id",
    "address-incomplete",
    address((all) => all.replace("/1111", ""))
  ),
  hmac(
    "no prefix, as behind a proxy",
    "prefix-missing",
    address((all) => all.replace("/paynet", ""))
  ),
  hmac(
    "another endpoint",
    "endpoint-or-group",
    address((all) => all.replace("1111", "2222")),
    { args: ["--other-ids=2222"] }
  ),
  hmac(
    "the endpoint of the settings, not of the path",
    "endpoint-or-group",
    address((all) => all.replace("1111", "7")),
    { env: { PAY_ENDPOINT_ID: "7" } }
  ),
  hmac("no group/ although a group is called", "endpoint-or-group", (parts) => ({
    line: parts.line.replace("/1111", "/group/17"),
    address: parts.address.replace("/1111", "/17")
  })),
  hmac("group/ although an endpoint is called", "endpoint-or-group", (parts) => ({
    address: parts.address.replace("/1111", "/group/1111")
  })),
  hmac("the address of another operation, at a group", "operation-other", (parts) => ({
    line: parts.line.replace("/1111", "/group/17"),
    address: parts.address.replace("/payout/1111", "/payout-form/group/17")
  })),
  hmac(
    "the address of another operation",
    "operation-other",
    address((all) => all.replace("v2/payout", "v2/payout-form"))
  ),
  withRsa(
    "the older version of the operation",
    "operation-other",
    address((all) => all.replace("v4/payout", "v2/payout"))
  ),
  hmac(
    "the host of the settings, not of the request",
    "host-other",
    address((all) => all.replace("gateway.example", "api.gateway.example")),
    {
      env: { PAY_BASE_URL: "https://api.gateway.example/paynet" }
    }
  ),
  hmac("the host without www", "host-other", (parts) => ({
    headers: ["Host: www.gateway.example", ...parts.headers.slice(1)]
  })),
  hmac(
    "localhost in place of the number",
    "host-other",
    local((parts) => ({ address: parts.address.replace("127.0.0.1", "localhost") })),
    { env: here }
  ),
  hmac(
    "no port at a gateway that has one",
    "default-port",
    local((parts) => ({ address: parts.address.replace(":8080", "") })),
    { env: here }
  ),
  hmac(
    "https at a gateway with http",
    "scheme",
    local((parts) => ({ address: parts.address.replace("http:", "https:") })),
    { env: here }
  ),
  hmac("the address percent-encoded twice", "address-encoded-twice", (parts) => ({
    base: (method, all, parameters) => parts.base(method, percent(all), parameters)
  })),
  hmac(
    "the query dropped",
    "query-missing",
    withQuery(() => ({ query: [] }))
  ),
  hmac(
    "the query in the address",
    "query-in-address",
    withQuery((parts) => ({ query: [], address: `${parts.address}?tag=a%20b` }))
  ),
  hmac(
    "the query's values as they are written",
    "query-as-written",
    withQuery(() => ({ query: [["tag", "a%20b"]] }))
  ),
  hmac("a GET", "http-method", () => ({ method: "GET" })),
  hmac("the method in small letters", "http-method", () => ({ method: "post" }))
]

export const oauthAddresses: ReadonlyArray<Row> = [...addresses]

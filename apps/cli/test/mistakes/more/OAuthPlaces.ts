/** Addresses and methods that are signed by mistake. */
import { percent, type Row } from "../RawRequest.ts"
import { address, row } from "./OAuthChanges.ts"

export const addresses: ReadonlyArray<Row> = [
  row(
    "v4/payout",
    "the port 80 with https",
    "default-port",
    address((all) => all.replace("example/", "example:80/"))
  ),
  row(
    "v4/status",
    "the default port with RSA",
    "default-port",
    address((all) => all.replace("example/", "example:443/"))
  ),
  row(
    "payout-form",
    "the scheme in capitals",
    "host-case",
    address((all) => all.replace("https", "HTTPS")),
    { or: ["scheme"] }
  ),
  row(
    "transfer",
    "a ? at the end",
    "query-in-address",
    address((all) => `${all}?`),
    { or: ["slash-at-end"] }
  ),
  row(
    "payout",
    "a fragment",
    "query-in-address",
    address((all) => `${all}#top`),
    { or: ["slash-at-end", "address-incomplete"] }
  ),
  row(
    "v4/sale",
    "a point after the host",
    "host-other",
    address((all) => all.replace("example/", "example./"))
  ),
  row(
    "payout-check",
    "the path's slashes escaped",
    "address-encoded-twice",
    address((all) => all.replace(/example(.*)/, (_, path) => `example${percent(path)}`)),
    { or: ["path-case", "path-slashes"] }
  ),
  row(
    "payout-pay",
    "the path of payout-check",
    "operation-other",
    address((all) => all.replace("payout-pay", "payout-check"))
  ),
  row(
    "v4/create-card-ref",
    "the version 2 of the path",
    "operation-other",
    address((all) => all.replace("/v4/", "/v2/"))
  ),
  row(
    "pan-eligibility/send",
    "the prefix twice",
    "prefix-missing",
    address((all) => all.replace("/paynet", "/paynet/paynet"))
  ),
  row(
    "update-recurring-payment",
    "the host of a stage",
    "host-other",
    address((all) => all.replace("gateway", "stage.gateway"))
  ),
  row("payout", "a blank after the method", "http-method", () => ({ method: "POST " })),
  row("v4/payout", "PATCH", "http-method", () => ({ method: "PATCH" })),
  row(
    "transfer-by-ref",
    "the endpoint's number from the settings",
    "endpoint-or-group",
    address((all) => all.replace("1111", "4242")),
    { env: { PAY_ENDPOINT_ID: "4242" } }
  ),
  row(
    "payout",
    "a semicolon with a session in the path",
    "address-incomplete",
    address((all) => `${all};jsessionid=1`),
    { or: ["unexplained"] }
  )
]

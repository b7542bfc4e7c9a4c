/** A payment as a person writes it. The mistakes that the compiler names are in tests/release/examples.test.ts. */
import { assert, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Redacted, Result } from "effect"
import type * as Flow from "../src/engine/Flow.ts"
import * as FlowPayload from "../src/engine/FlowPayload.ts"
import * as BrowserData from "../src/order/BrowserData.ts"
import { CardSale } from "../src/payments/CardPayment.ts"
import * as OrderFlow from "../src/payments/OrderFlow.ts"

const contact = { email: "ada@example.com", phone: "+442079460000", ipAddress: "203.0.113.7" }
const address = { address1: "1 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" }
const card = {
  creditCardNumber: Redacted.make("4444000022224444"),
  cardPrintedName: "ADA LOVELACE",
  expireMonth: 12,
  expireYear: 2035,
  cvv2: Redacted.make("123")
}
const headers = { accept: "text/html", "accept-language": "en-GB", "user-agent": "Firefox" }

/** A sale with everything that 3-D Secure needs. */
const sale: Flow.Payload<typeof CardSale> = {
  clientOrderId: "INV-1",
  orderDesc: "Two tickets",
  amount: "10.42",
  currency: "USD",
  ...card,
  ...address,
  ...contact,
  ...BrowserData.paymentFields({ ...BrowserData.form, browserTZ: "-60" }, headers),
  redirectUrl: "https://shop.example/back",
  serverCallbackUrl: "https://shop.example/callback",
  // A field that does not apply.
  state: undefined,
  endpointId: undefined
}

it("a payment with `undefined` in optional fields is a payload, without these fields", () => {
  const payload = Result.getOrThrow(FlowPayload.fit(CardSale, sale))
  const absent = Object.entries(sale).flatMap(([name, value]) => (value === undefined ? name : []))
  assert.includeMembers(absent, ["state", "endpointId", "customerBrowserScreenWidth"])
  assert.doesNotHaveAnyKeys(payload, absent)
  assert.deepInclude(payload, { customerBrowserTimeZone: -60, customerBrowserUserAgent: "Firefox" })
})

it.each([
  [{ customerBrowserTimeZone: 0 }, true],
  [{ customerBrowserTimeZone: 0, customerBrowserInfo: false }, false],
  [{ customerBrowserInfo: true }, true],
  [{}, undefined]
])("a request says by itself that it has facts about the browser: %j", (browser, expected) => {
  const { request } = OrderFlow.targetOf("create", PayApi.operations.SALE, { clientOrderId: "INV-1", ...browser })
  assert.strictEqual(request.customer_browser_info, expected)
})

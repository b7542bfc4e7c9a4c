import { assert, describe, it } from "@effect/vitest"
import * as Callback from "@pay/schema/Callback"
import * as CallbackSignature from "@pay/signing/Callback"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import { Effect, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import * as CallbackReceiver from "../src/CallbackReceiver.ts"
import { controlKey } from "./Merchant.ts"

const nowSeconds = 1_669_966_913
const report = { status: "approved", orderid: "6768788", client_orderid: "902 B+é", amount: "10.42", currency: "USD" }
const keys: CallbackReceiver.Keys = { controlKeys: [Redacted.make(controlKey)] }

/** What the gateway sends: the address that is called and the headers of Standard Webhooks. */
const sent = ({
  callback = report,
  key = controlKey,
  address = "https://shop.example/pay?cart=7",
  at = nowSeconds
} = {}) => {
  const url = Callback.address(address, Callback.parameters(callback, CallbackSignature.sign(callback, key)))
  const content = url.slice(url.indexOf("?") + 1)
  const headers = StandardWebhooks.sign({ id: "evt_1", timestampSeconds: at, content }, [StandardWebhooks.secret(key)])
  return { url, headers: { ...headers } }
}

const verdict = (received: CallbackReceiver.Received, use = keys) =>
  Result.match(CallbackReceiver.verifyAt(received, use, nowSeconds), {
    onSuccess: ({ webhookId }) => webhookId ?? "no id",
    onFailure: ({ reason }) => reason
  })

const good = sent()
const { headers, url } = good
const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
const strict = { ...keys, requireWebhookHeaders: true }
const rotated = { controlKeys: [Redacted.make("new key"), Redacted.make(controlKey)] }
const signatures = `v1,AAAA ${headers["webhook-signature"]} v2,BBBB`

describe("the verification of a callback", () => {
  const cases: ReadonlyArray<readonly [string, CallbackReceiver.Received, CallbackReceiver.Keys, string]> = [
    ["as it was sent", good, keys, "evt_1"],
    ["with only path and query", { ...good, url: url.slice("https://shop.example".length) }, keys, "evt_1"],
    ["with headers in upper case", { url, headers: lowered }, keys, "evt_1"],
    ["during a change of keys", good, rotated, "evt_1"],
    ["with signatures of two keys", { url, headers: { ...headers, "webhook-signature": signatures } }, keys, "evt_1"],
    ["without webhook headers", { url }, keys, "no id"],
    ["with other headers", { url, headers: { host: "shop.example", accept: undefined } }, keys, "no id"],
    ["without webhook headers, where they are required", { url }, strict, "Unsigned"],
    ["with half of the headers", { url, headers: { "webhook-id": "evt_1" } }, keys, "Unsigned"],
    ["signed with another key", sent({ key: "another" }), keys, "Forged"],
    ["if no key is configured", good, { controlKeys: [] }, "Forged"],
    ["with another status", { ...good, url: url.replace("approved", "declined") }, keys, "Forged"],
    ["with another amount", { ...good, url: url.replace("10.42", "99.42") }, keys, "Forged"],
    ["with another event id", { url, headers: { ...headers, "webhook-id": "evt_2" } }, keys, "Forged"],
    [
      "with another time",
      { url, headers: { ...headers, "webhook-timestamp": String(nowSeconds + 1) } },
      keys,
      "Forged"
    ],
    ["with a repeated header", { url, headers: { ...headers, "webhook-id": ["a", "b"] } }, keys, "Forged"],
    ["with a dot in the id", { url, headers: { ...headers, "webhook-id": "a.b" } }, keys, "Malformed"],
    ["at the edge of the tolerance", sent({ at: nowSeconds - 300 }), keys, "evt_1"],
    ["a second beyond the tolerance", sent({ at: nowSeconds - 301 }), keys, "OutsideTolerance"],
    ["from the future", sent({ at: nowSeconds + 301 }), keys, "OutsideTolerance"],
    [
      "within a tolerance that the merchant sets",
      sent({ at: nowSeconds - 301 }),
      { ...keys, toleranceSeconds: 400 },
      "evt_1"
    ],
    ["with a second status", { url: `${url}&status=declined` }, keys, "Malformed"],
    ["with the same status twice", { url: `${url}&status=approved` }, keys, "Malformed"],
    ["without a control", { url: url.replace(/&control=.*/, "") }, keys, "Malformed"],
    ["with malformed escapes", { url: `${url}&x=%zz` }, keys, "Malformed"],
    ["without a query", { url: "https://shop.example/pay" }, keys, "Malformed"],
    [
      "with the control in upper case",
      { url: url.replace(/control=.*/, (control) => control.toUpperCase().replace("CONTROL", "control")) },
      keys,
      "no id"
    ]
  ]
  it.each(cases)("accepts or refuses a callback %s", (_name, received, use, expected) => {
    assert.strictEqual(verdict(received, use), expected)
  })

  it.effect("returns typed values, and takes the time from the Clock", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(nowSeconds * 1000 + 999)
      assert.deepEqual(yield* CallbackReceiver.verify(good, keys), { ...report, webhookId: "evt_1" })
      yield* TestClock.adjust("301 seconds")
      assert.strictEqual((yield* Effect.flip(CallbackReceiver.verify(good, keys))).reason, "OutsideTolerance")
    })
  )

  it("keeps an unknown status", () => {
    assert.strictEqual(verdict(sent({ callback: { ...report, status: "chargeback" } })), "evt_1")
  })

  it("repeats no key and no parameter in its error", () => {
    const refused = Result.flip(CallbackReceiver.verifyAt(sent({ key: "another" }), keys, nowSeconds))
    const text = Result.isSuccess(refused) ? `${refused.success.message} ${JSON.stringify(refused.success)}` : ""
    assert.include(text, "control is wrong")
    for (const secret of [controlKey, "6768788", "approved"]) assert.notInclude(text, secret)
  })
})

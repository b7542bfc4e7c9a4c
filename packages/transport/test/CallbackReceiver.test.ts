import { assert, describe, it } from "@effect/vitest"
import * as Callback from "@pay/schema/Callback"
import * as CallbackAddress from "@pay/schema/CallbackAddress"
import * as CallbackSignature from "@pay/signing/Callback"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import { Effect, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import * as CallbackReceiver from "../src/CallbackReceiver.ts"
import { controlKey } from "./Merchant.ts"

const nowSeconds = 1_669_966_913
const report = { status: "approved", orderid: "6768788", client_orderid: "902 B+é", amount: "10.42", currency: "USD" }
const keys: CallbackReceiver.Keys = { controlKeys: [Redacted.make(controlKey)] }

const signedHeaders = (
  content: string | ReadonlyArray<string>,
  { at = nowSeconds, key = controlKey, id = "evt_1" } = {}
) => ({
  ...StandardWebhooks.sign({ id, timestampSeconds: at, content }, [StandardWebhooks.secret(key)])
})

/** What the gateway sends: the address that is called and the headers of Standard Webhooks. */
const sent = ({
  callback = report,
  key = controlKey,
  address = "https://shop.example/pay?cart=7",
  at = nowSeconds
} = {}) => {
  const parameters = Callback.parameters(callback, CallbackSignature.sign(callback, key))
  const { query = "", url = "" } = CallbackAddress.complete(address, parameters) ?? {}
  return { url, headers: signedHeaders(CallbackSignature.signedForms(query), { at, key }) }
}

/** What the gateway posts to an endpoint whose callbacks are JSON. */
const posted = (callback = report, options = {}) => {
  const body = Callback.json(Callback.parameters(callback, CallbackSignature.sign(callback, controlKey)))
  return { url: "/pay?cart=7", headers: signedHeaders(body, options), body }
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

/** A query with several values of one name, a `+`, a blank, letters outside ASCII and marks that writers encode differently. */
const rich = sent({ address: "https://shop.example/pay?x=a+b&x=%2B&p[0]=1&flag&t=%7E'!*&%C3%A9=%C3%BC" })
const query = rich.url.slice(rich.url.indexOf("?") + 1)
const entries = [...new URLSearchParams(query)]
const as = (text: string, received: CallbackReceiver.Received = rich) => ({ ...received, url: `/pay?${text}` })
const replaced = (from: string, to: string) => {
  assert.include(query, from)
  return as(query.replace(from, to))
}
const [rawSignature = "", canonicalSignature = ""] = rich.headers["webhook-signature"].split(" ")
const withSignature = (signature: string, text = query) => ({
  url: `/pay?${text}`,
  headers: { ...rich.headers, "webhook-signature": signature }
})
const rewritten = new URLSearchParams(entries).toString()

it("a callback is verified with a key that was pasted with blanks", () =>
  assert.strictEqual(verdict(sent(), { controlKeys: [Redacted.make(` ${controlKey}\n`)] }), "evt_1"))

describe("a query that a web framework has decoded and written again", () => {
  const genuine: ReadonlyArray<readonly [how: string, received: CallbackReceiver.Received]> = [
    ["as it was sent", rich],
    ["as a URL", { ...rich, url: new URL(rich.url) }],
    ["by URLSearchParams: + for a blank", as(rewritten)],
    ["by encodeURIComponent", as(entries.map((pair) => pair.map(encodeURIComponent).join("=")).join("&"))],
    ["with lower-case escapes", as(query.replace(/%[0-9A-F]{2}/g, (text) => text.toLowerCase()))],
    [
      "sorted",
      as(
        entries
          .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
          .map((pair) => pair.map(encodeURIComponent).join("="))
          .join("&")
      )
    ],
    ["with empty pieces", as(`&${rewritten}&&`)],
    ["without = after a name without value", as(rewritten.replace("flag=", "flag"))],
    ["with the signature of the canonical form alone", withSignature(canonicalSignature, rewritten)],
    ["during a change of keys", as(rewritten)]
  ]
  it.each(genuine)("is accepted %s", (_, received) => assert.strictEqual(verdict(received, rotated), "evt_1"))

  const forged: ReadonlyArray<readonly [how: string, received: CallbackReceiver.Received, verdict?: string]> = [
    ["a changed value", replaced("amount=10.42", "amount=99.42")],
    ["a changed letter case", replaced("currency=USD", "currency=usd")],
    ["an added pair", as(`${rewritten}&y=1`)],
    ["an added pair without value", as(`${rewritten}&y`)],
    ["an added empty pair", as(`${rewritten}&=`)],
    ["a removed pair", replaced("&flag=", "")],
    ["a removed parameter of ours", replaced("&currency=USD", "")],
    ["a doubled pair of the merchant", replaced("flag=", "flag=&flag=")],
    ["a doubled pair of ours", replaced("currency=USD", "currency=USD&currency=USD")],
    ["a doubled status", replaced("status=approved", "status=approved&status=approved"), "Malformed"],
    ["the values of two names swapped", replaced("amount=10.42&currency=USD", "amount=USD&currency=10.42")],
    ["a value moved to another name", replaced("p%5B0%5D=1&flag=", "p%5B0%5D=&flag=1")],
    ["the end of a name moved to its value", replaced("flag=", "fla=g")],
    ["two pairs joined to one value", replaced("flag=&", "flag=%26")],
    ["one value split into two pairs", replaced("x=a%20b", "x=a&b")],
    ["two values of one name in another order", replaced("x=a%20b&x=%2B", "x=%2B&x=a%20b")],
    ["+ for %2B", replaced("x=%2B", "x=+")],
    ["%2B for a blank", replaced("a%20b", "a%2Bb")],
    ["escapes that are encoded twice", as(query.replaceAll("%", "%25"))],
    ["a character that is not UTF-8", replaced("%C3%BC", "%FC"), "Malformed"],
    ["the signature of the text alone, written again", withSignature(rawSignature, rewritten)],
    [
      "the signature of the canonical form with another version",
      withSignature(canonicalSignature.replace("v1,", "v2,"))
    ],
    ["the headers of another callback", { url: rich.url, headers }],
    ["the headers of JSON with the same fields", { url: rich.url, headers: posted().headers }],
    ["another webhook-id", { url: `/pay?${rewritten}`, headers: { ...rich.headers, "webhook-id": "evt_2" } }],
    [
      "another webhook-timestamp",
      { url: `/pay?${rewritten}`, headers: { ...rich.headers, "webhook-timestamp": String(nowSeconds + 1) } }
    ]
  ]
  it.each(forged.map(([how, received, expected = "Forged"]) => ({ how, received, expected })))(
    "is refused with $how",
    ({ expected, received }) => assert.strictEqual(verdict(received), expected)
  )
})

describe("a callback as JSON", () => {
  const { body, headers: jsonHeaders, url: jsonUrl } = posted()
  const json = (text: string) => ({ url: jsonUrl, headers: jsonHeaders, body: text })
  const cases: ReadonlyArray<readonly [what: string, received: CallbackReceiver.Received, verdict: string]> = [
    ["as it was posted", posted(), "evt_1"],
    ["whatever query the address has", { ...posted(), url: "/pay?status=declined" }, "evt_1"],
    ["written again with other blanks", json(JSON.stringify(JSON.parse(body), null, 1)), "Forged"],
    ["with an added member", json(body.replace("{", '{"x":"1",')), "Forged"],
    ["with a doubled member", json(body.replace("{", '{"status":"declined",')), "Forged"],
    ["with another amount", json(body.replace("10.42", "99.42")), "Forged"],
    ["with another status", json(body.replace("approved", "declined")), "Forged"],
    ["cut at its end", json(body.slice(0, -1)), "Malformed"],
    ["cut at its start", json(body.slice(1)), "Malformed"],
    ["after a byte order mark", json(`\ufeff${body}`), "Malformed"],
    ["as a list", json(`[${body}]`), "Malformed"],
    ["with a status that is no text", json(body.replace('"approved"', "1")), "Malformed"],
    ["without webhook headers", { url: jsonUrl, body }, "Unsigned"],
    ["as a query", { url: `/pay?${body}`, headers: jsonHeaders }, "Malformed"],
    ["with the headers of a query", { ...json(body), headers }, "Forged"],
    ["with another webhook-id", { ...json(body), headers: { ...jsonHeaders, "webhook-id": "evt_2" } }, "Forged"],
    ["that is too old", posted(report, { at: nowSeconds - 301 }), "OutsideTolerance"],
    ["signed with another key", posted(report, { key: "another" }), "Forged"]
  ]
  it.each(cases)("is accepted or refused %s", (_, received, expected) =>
    assert.strictEqual(verdict(received), expected)
  )
})

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

  it.effect("returns the same typed values for JSON", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(nowSeconds * 1000)
      assert.deepEqual(yield* CallbackReceiver.verify(posted(), keys), { ...report, webhookId: "evt_1" })
    })
  )

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

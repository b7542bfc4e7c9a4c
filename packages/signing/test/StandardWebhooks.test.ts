import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as StandardWebhooks from "../src/StandardWebhooks.ts"
import vectors from "../vectors/webhooks.json" with { type: "json" }

const key = "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"
const secrets = [StandardWebhooks.secret(key)]
const message = { id: "evt_1", timestampSeconds: 1_700_000_000, content: "status=approved&orderid=6768788" }
const headers = StandardWebhooks.sign(message, secrets)
const signature = headers["webhook-signature"]
const good = { headers, content: message.content, secrets, nowSeconds: 1_700_000_000, toleranceSeconds: 300 }

describe("StandardWebhooks.secret", () => {
  it("is the HMAC-SHA256 of pay/webhook/v1 under the control key", () => {
    const expected = "727ef0cba8041fb421aaa044221b904bc80365295f08a967d1cf2f8561be7d32"
    expect(StandardWebhooks.secret(key).toString("hex")).toBe(expected)
    expect(StandardWebhooks.secretText(key)).toBe(`whsec_${Buffer.from(expected, "hex").toString("base64")}`)
  })
})

describe("StandardWebhooks.sign", () => {
  it.each(vectors)("$source", ({ secret, signature, ...message }) =>
    expect(StandardWebhooks.sign(message, [Buffer.from(secret, "base64")])).toEqual({
      "webhook-id": message.id,
      "webhook-timestamp": String(message.timestampSeconds),
      "webhook-signature": signature
    })
  )

  it("gives one signature for each secret, separated by a space", () => {
    const both = StandardWebhooks.sign(message, [StandardWebhooks.secret("new"), ...secrets])["webhook-signature"]
    expect(both.split(" ")).toEqual([
      StandardWebhooks.sign(message, [StandardWebhooks.secret("new")])["webhook-signature"],
      signature
    ])
  })
})

describe("content with several forms", () => {
  const content = ["b=2&a=1", "a=1&b=2"]
  const both = [StandardWebhooks.secret("new"), ...secrets]
  it("has one signature for each form and secret, and is accepted by each of them", () => {
    const signed = StandardWebhooks.sign({ ...message, content }, both)
    expect(signed["webhook-signature"].split(" ")).toEqual(
      content.flatMap((form) =>
        both.map((secret) => StandardWebhooks.sign({ ...message, content: form }, [secret])["webhook-signature"])
      )
    )
    for (const form of content)
      for (const secret of both)
        expect(StandardWebhooks.verify({ ...good, headers: signed, content: ["x", form], secrets: [secret] }).ok).toBe(
          true
        )
    expect(StandardWebhooks.verify({ ...good, headers: signed, content: ["a=1", "b=2"] }).ok).toBe(false)
  })
})

describe("StandardWebhooks.verify", () => {
  const later = (seconds: number) => ({ ...good, nowSeconds: good.nowSeconds + seconds })
  const withHeader = (name: keyof StandardWebhooks.Headers, value: string | undefined) => ({
    ...good,
    headers: { ...headers, [name]: value }
  })

  it.each([
    ["as sent", good],
    ["at the end of the tolerance", later(300)],
    ["at the start of the tolerance", later(-300)],
    [
      "signed with the old secret during a key rotation",
      { ...good, secrets: [StandardWebhooks.secret("new"), ...secrets] }
    ],
    ["with several signatures", withHeader("webhook-signature", `v1a,xyz v1,AAAA ${signature}`)]
  ])("accepts a message %s", (_, received) =>
    expect(StandardWebhooks.verify(received)).toEqual({ ok: true, id: "evt_1" })
  )

  it.each<[string, Parameters<typeof StandardWebhooks.verify>[0], StandardWebhooks.Reason]>([
    ["a message that is too old", later(301), { _tag: "OutsideTolerance", ageSeconds: 301 }],
    ["a message from the future", later(-301), { _tag: "OutsideTolerance", ageSeconds: -301 }],
    ["no id", withHeader("webhook-id", undefined), { _tag: "Missing", name: "webhook-id" }],
    ["no time", withHeader("webhook-timestamp", undefined), { _tag: "Missing", name: "webhook-timestamp" }],
    ["no signature", withHeader("webhook-signature", undefined), { _tag: "Missing", name: "webhook-signature" }],
    ["an id with a dot", withHeader("webhook-id", "evt.1"), { _tag: "Malformed", name: "webhook-id" }],
    ["an empty id", withHeader("webhook-id", ""), { _tag: "Malformed", name: "webhook-id" }],
    [
      "a time that is not a number",
      withHeader("webhook-timestamp", "now"),
      { _tag: "Malformed", name: "webhook-timestamp" }
    ],
    [
      "a time with a leading zero",
      withHeader("webhook-timestamp", "01700000000"),
      { _tag: "Malformed", name: "webhook-timestamp" }
    ],
    ["another id", withHeader("webhook-id", "evt_2"), { _tag: "Mismatch" }],
    ["another time", withHeader("webhook-timestamp", "1700000001"), { _tag: "Mismatch" }],
    ["another version", withHeader("webhook-signature", signature.replace("v1,", "v2,")), { _tag: "Mismatch" }],
    ["no version", withHeader("webhook-signature", signature.slice(3)), { _tag: "Mismatch" }],
    ["an empty signature", withHeader("webhook-signature", ""), { _tag: "Mismatch" }],
    ["another content", { ...good, content: `${good.content}&amount=1` }, { _tag: "Mismatch" }],
    ["another secret", { ...good, secrets: [StandardWebhooks.secret("other")] }, { _tag: "Mismatch" }],
    ["no secret", { ...good, secrets: [] }, { _tag: "Mismatch" }]
  ])("refuses %s", (_, received, reason) => expect(StandardWebhooks.verify(received)).toEqual({ ok: false, reason }))

  it("refuses any other content", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (content) => {
        fc.pre(content !== good.content)
        expect(StandardWebhooks.verify({ ...good, content }).ok).toBe(false)
      })
    )
  })
})

import { createRequire } from "node:module"
import { describe, expect, it } from "@effect/vitest"
import { isRight, type SignedFields, sign } from "../src/HmacSignature.ts"
import { captureEvent, hmacKey } from "./Sample.ts"

const { default: HmacValidator } = createRequire(import.meta.url)("@adyen/api-library/lib/src/utils/hmacValidator.js")

const event = captureEvent
const { originalReference, ...first } = event
const otherKey = "0".repeat(64)
const right = sign(event, hmacKey)

/** Whether Adyen's own library accepts the event. */
const accepts = (item: SignedFields, signature: string): boolean =>
  new HmacValidator().validateHMAC({ ...item, additionalData: { hmacSignature: signature } }, hmacKey)

describe("the signature of a webhook", () => {
  it.each([
    ["of a modification", event],
    ["of a payment, which has no original", first],
    ["with text beyond ASCII", { ...event, merchantReference: "Grün-1" }]
  ])("%s is the one of Adyen's library", (_, item) => {
    expect(accepts(item, sign(item, hmacKey))).toBe(true)
    expect(isRight(item, sign(item, hmacKey), [otherKey, hmacKey])).toBe(true)
  })

  it.each([
    ["pspReference", { pspReference: "QFQTPCQ8HXSKGK83" }],
    ["originalReference", { originalReference: undefined }],
    ["merchantAccountCode", { merchantAccountCode: "CoffeeEU" }],
    ["merchantReference", { merchantReference: "124-capture-1" }],
    ["value", { amount: { currency: "EUR", value: 1043 } }],
    ["currency", { amount: { currency: "USD", value: 1042 } }],
    ["eventCode", { eventCode: "REFUND" }],
    ["success", { success: "false" }]
  ])("is wrong after a change of %s, as for Adyen's library", (_, change) => {
    expect(accepts({ ...event, ...change }, right)).toBe(false)
    expect(isRight({ ...event, ...change }, right, [hmacKey])).toBe(false)
  })

  it.each([
    ["of another key", sign(event, otherKey)],
    ["that is empty", ""],
    ["that is cut", right.slice(0, 20)]
  ])("%s is refused", (_, signature) => expect(isRight(event, signature, [hmacKey])).toBe(false))

  it("is refused if a field could end elsewhere", () => {
    const one = { ...event, merchantReference: "a:b", merchantAccountCode: "c" }
    const other = { ...event, merchantReference: "b", merchantAccountCode: "c:a" }
    expect(sign(one, hmacKey)).toBe(sign(other, hmacKey))
    expect(isRight(one, sign(one, hmacKey), [hmacKey])).toBe(false)
  })
})

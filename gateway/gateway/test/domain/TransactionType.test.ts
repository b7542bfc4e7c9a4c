import { assert, describe, it } from "@effect/vitest"
import * as TransactionType from "../../src/orders/decide/TransactionType.ts"
import { eligibility, preauth, request, sale, transfer } from "./Sample.ts"

const partly = preauth({ capturedMinor: 6_000 })
const release = { operation: "RETURN", action: "void" } as const

const table = [
  ["a sale", sale(), request({ operation: "SALE", action: "sale" }), "sale"],
  ["a preauth", preauth(), request({ operation: "PREAUTH", action: "authorize" }), "preauth"],
  ["a transfer", transfer(), request({ operation: "TRANSFER_V4", action: "transfer" }), "transfer"],
  ["an eligibility inquiry", eligibility(), request({ operation: "X", action: "eligibility" }), "pan_eligibility"],
  ["a capture", preauth(), request(), "capture"],
  ["a void after a capture", partly, request({ operation: "VOID", action: "void" }), "cancel"],
  ["a return of an uncaptured preauth", preauth(), request(release), "cancel"],
  ["a partial return", sale(), request({ operation: "RETURN", action: "refund" }), "reversal"],
  ["a full return, refunding", partly, request({ operation: "RETURN", action: "refundThenVoid" }), "reversal"],
  ["a full return, refunded and releasing", partly, request(release), "reversal"],
  ["a full return, refunded and released", partly, request({ ...release, progress: "approved" }), "reversal"],
  ["a full return, refunded, whose release failed", partly, request({ ...release, progress: "declined" }), "cancel"]
] as const

describe("the transaction type in the response to status", () => {
  it.each(table)("follows from order and request: %s", (_, order, request, expected) =>
    assert.strictEqual(TransactionType.ofRequest(request, order), expected)
  )

  it.each([
    ["charged back", sale({ chargedBackMinor: 1 }), "chargeback"],
    ["charged back after it was returned", sale({ refundedMinor: 10_000, chargedBackMinor: 1 }), "chargeback"],
    ["charged back before it is approved", sale({ state: "unknown", chargedBackMinor: 1 }), "sale"]
  ] as const)("of an order is that of a payment %s", (_, order, expected) =>
    assert.strictEqual(TransactionType.ofOrder(order), expected)
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as FieldNames from "../src/engine/FieldNames.ts"

const { CREATE_RP_V4, PAYOUT_V4, SALE } = PayApi.operations

describe("the name of a field in flows", () => {
  const rows = [
    ["amount", "amount"],
    ["order_desc", "orderDesc"],
    ["server_callback_url", "serverCallbackUrl"],
    ["recurring-payment-id", "recurringPaymentId"],
    ["client_orderid", "clientOrderId"],
    ["client-order-id", "clientOrderId"],
    ["orderid", "orderId"],
    ["cardrefid", "cardRefId"],
    ["ipaddress", "ipAddress"],
    ["cvv2", "cvv2"],
    ["deposit2card", "deposit2card"],
    // A name that every object has.
    ["constructor", "constructor"]
  ] as const
  it.each(rows)("%s is %s", (wire, name) => assert.strictEqual(FieldNames.of(wire), name))

  it.each(PayApi.all)("is unique for each field of $command", ({ fields }) => {
    const names = Object.keys(fields).map(FieldNames.of)
    assert.lengthOf(new Set(names), names.length)
  })

  it("is mapped to the operation's wire name in its request", () => {
    const payload = { clientOrderId: "o-1", orderDesc: "x", other: 1 }
    assert.deepStrictEqual(FieldNames.requestOf(SALE, payload), { client_orderid: "o-1", order_desc: "x", other: 1 })
    assert.deepStrictEqual(FieldNames.requestOf(PAYOUT_V4, payload), {
      "client-order-id": "o-1",
      order_desc: "x",
      other: 1
    })
  })

  it("replaces the wire name in texts about the operation", () => {
    const text = "Like `server_callback_url`; start-date and interval go together."
    assert.strictEqual(
      FieldNames.inText(CREATE_RP_V4, text),
      "Like `serverCallbackUrl`; startDate and interval go together."
    )
  })
})

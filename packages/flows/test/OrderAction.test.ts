import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { Capture, Refund, Void } from "../src/payments/OrderAction.ts"

const order = { clientOrderId: "INV-2", orderId: "7", status: "approved", currency: "EUR" }
const names = { clientOrderId: "INV-2", orderId: "7" }

const rows = [
  ["the whole rest", Refund.of(order, { name: "slip-17" }), { ...names, name: "slip-17" }],
  [
    "a part, in the order's currency",
    Capture.of(order, { name: "shipment-1", amount: "10.00" }),
    { ...names, name: "shipment-1", amount: "10.00", currency: "EUR" }
  ],
  [
    "a part in another currency, with every option",
    Refund.of(order, {
      ...{ name: "slip-17", amount: "10.00", currency: "USD", comment: "damaged" },
      ...{ serverCallbackUrl: "https://shop.example/callback", endpointId: "1002" }
    }),
    {
      ...names,
      ...{ name: "slip-17", amount: "10.00", currency: "USD", comment: "damaged" },
      ...{ serverCallbackUrl: "https://shop.example/callback", endpointId: "1002" }
    }
  ],
  [
    "a part of an order without a currency",
    Refund.of({ clientOrderId: "INV-2", orderId: "7" }, { name: "slip-17", amount: "10.00" }),
    { ...names, name: "slip-17", amount: "10.00" }
  ],
  ["a void", Void.of(order), names],
  ["a void with a comment", Void.of(order, { comment: "cancelled" }), { ...names, comment: "cancelled" }]
] as const

it.each(rows)("the helper `of` builds the payload of an order action: %s", (_, payload, expected) =>
  assert.deepStrictEqual<object>(payload, expected)
)

it.each([
  ["Capture", Capture.payload, Capture.of(order, { name: "shipment-1", amount: "10.00" })],
  ["Refund", Refund.payload, Refund.of(order, { name: "slip-17", amount: "10.00" })],
  ["Void", Void.payload, Void.of(order)]
] as const)("the helper `of` builds a valid payload of %s", (_, schema, payload) =>
  assert.isTrue(Schema.is(schema)(payload))
)

it("a void is identified by its order, and by its name if it has one", () => {
  const payload = Void.of(order)
  const { clientOrderId } = payload
  assert.strictEqual(Void.idempotencyKey(payload), `${clientOrderId}/void`)
  assert.strictEqual(Void.idempotencyKey({ ...payload, name: "second try" }), `${clientOrderId}/second try`)
})

/** Which order a request names: another merchant's order is like an unknown one. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { namedOrder } from "../../src/orders/requests/NamedOrder.ts"
import { sale } from "../domain/Sample.ts"
import * as Calls from "./Calls.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const orders = [
  sale(),
  sale({ orderId: "3", clientOrderId: "INV-3" }),
  sale({ orderId: "4", merchantId: "other", clientOrderId: "INV-4" })
]

describe("a request finds its order", () => {
  it.effect.each([
    ["by client_orderid", "STATUS", { client_orderid: "INV-1", orderid: "" }, "1"],
    ["by client_orderid and orderid", "STATUS", { client_orderid: "INV-3", orderid: "3" }, "3"],
    ["not if client_orderid and orderid disagree", "STATUS", { client_orderid: "INV-1", orderid: "3" }, undefined],
    ["not by an unknown client_orderid", "STATUS", { client_orderid: "INV-9", orderid: "" }, undefined],
    ["not by another merchant's client_orderid", "STATUS", { client_orderid: "INV-4", orderid: "4" }, undefined],
    ["by orderid alone if it only reads", "STATUS", { client_orderid: "", orderid: "1" }, "1"],
    ["not by orderid alone if it changes the order", "CAPTURE", { client_orderid: "", orderid: "1" }, undefined],
    ["not by the orderid of another merchant's order", "STATUS", { client_orderid: "", orderid: "4" }, undefined],
    ["not without client_orderid and orderid", "STATUS", { client_orderid: "", orderid: "" }, undefined]
  ] as const)("%s", ([, name, fields, expected]) => {
    const recording = ScriptedServices.newRecording()
    return Effect.gen(function* () {
      yield* ScriptedServices.seed(
        orders.map((order) => Decision.append(Order, order)),
        recording
      )
      const store = yield* Store
      const result = yield* namedOrder(store, { ...Calls.call(name, fields), rows: store })
      assert.strictEqual(result?.orderId, expected)
    }).pipe(Effect.provide(ScriptedServices.layer({}, recording)))
  })
})

/** Which order a request names: another merchant's and none at all are the same. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Store } from "../../src/kernel/Store.ts"
import { namedOrder } from "../../src/orders/NamedOrder.ts"
import { Order } from "../../src/orders/Order.ts"
import { sale } from "../domain/Sample.ts"
import * as Calls from "./Calls.ts"
import * as World from "./World.ts"

const orders = [
  sale(),
  sale({ orderId: "3", clientOrderId: "INV-3" }),
  sale({ orderId: "4", merchantId: "other", clientOrderId: "INV-4" })
]

describe("a request names an order", () => {
  it.effect.each([
    ["by the merchant's number", "STATUS", { client_orderid: "INV-1", orderid: "" }, "1"],
    ["by both numbers", "STATUS", { client_orderid: "INV-3", orderid: "3" }, "3"],
    ["not by numbers that do not agree", "STATUS", { client_orderid: "INV-1", orderid: "3" }, undefined],
    ["not by a number that nobody has", "STATUS", { client_orderid: "INV-9", orderid: "" }, undefined],
    ["not by another merchant's number", "STATUS", { client_orderid: "INV-4", orderid: "4" }, undefined],
    ["by ours alone, where it only reads", "STATUS", { client_orderid: "", orderid: "1" }, "1"],
    ["not by ours alone, where it acts", "CAPTURE", { client_orderid: "", orderid: "1" }, undefined],
    ["not by another merchant's of ours", "STATUS", { client_orderid: "", orderid: "4" }, undefined],
    ["not at all", "STATUS", { client_orderid: "", orderid: "" }, undefined]
  ] as const)("%s", ([, name, fields, expected]) => {
    const did = World.nothing()
    return Effect.gen(function* () {
      yield* World.given(
        orders.map((order) => Decision.append(Order, order)),
        did
      )
      const result = yield* namedOrder(yield* Store, Calls.call(name, fields))
      assert.strictEqual(result?.orderId, expected)
    }).pipe(Effect.provide(World.layer({}, did)))
  })
})

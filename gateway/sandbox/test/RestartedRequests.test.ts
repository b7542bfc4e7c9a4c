/** A request during which the gateway is killed has its outcome as soon as the new gateway has inquired, not a minute later. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as Sandbox from "../src/Sandbox.ts"

const { PREAUTH, SALE } = PayApi.operations
const clientOrderId = "INV-1"

const create = Effect.fnUntraced(function* (operation: "sale" | "preauth") {
  const pay = yield* PayClient.PayClient
  const fields = yield* Effect.fromResult((operation === "sale" ? SALE : PREAUTH).decodeFields(Sample.request(SALE)))
  return yield* pay[operation]({ ...fields, client_orderid: clientOrderId })
})
const killed = Effect.flatMap(Sandbox.SimulatedNetwork, ({ next }) => next("gatewayRestarts"))

const rows = [
  ["sale", undefined, "sale approved"],
  ["preauth", undefined, "preauth approved"],
  ["preauth", "capture", "capture approved"],
  ["preauth", "void", "cancel approved"],
  ["sale", "return", "reversal approved"]
] as const

describe("a gateway that is killed during a request", () => {
  it.effect.each(rows)("knows the outcome once it runs again: %s, %s", ([first, then, outcome]) =>
    Effect.gen(function* () {
      const pay = yield* PayClient.PayClient
      if (then === undefined) yield* killed
      const created = yield* Effect.option(create(first))
      yield* Sandbox.settled
      if (then !== undefined) {
        yield* killed
        const orderid = created._tag === "Some" ? created.value["paynet-order-id"] : ""
        const order = { client_orderid: clientOrderId, orderid }
        const act = { capture: pay.capture(order), void: pay.void(order), return: pay.return(order) }
        assert.strictEqual((yield* Effect.flip(act[then]))._tag, "OutcomeUnknown")
        yield* Sandbox.settled
      }
      const { status, "transaction-type": type } = yield* pay.status({ client_orderid: clientOrderId })
      assert.strictEqual(`${type} ${status}`, outcome)
      assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
    }).pipe(Effect.provide(Sandbox.layer()))
  )
})

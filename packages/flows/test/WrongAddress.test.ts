import { assert, describe, it } from "@effect/vitest"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Result } from "effect"
import * as FlowPayload from "../src/engine/FlowPayload.ts"
import { CardSale } from "../src/payments/CardPayment.ts"
import { Capture } from "../src/payments/OrderAction.ts"
import * as Script from "./Script.ts"

const fields = { ...Sample.request(PayApi.operations.SALE), client_orderid: "o-1" }
const sale = Effect.flatMap(Effect.orDie(Effect.fromResult(FlowPayload.decode(CardSale, fields))), (payment) =>
  CardSale.execute(payment)
)
const capture = Capture.execute({ clientOrderId: "o-1", orderId: "7", name: "shipment-1" })
const absent: Script.Answer = { status: 404, page: "<h1>Not Found</h1>" }
const script = { sale: [absent], capture: [absent], status: [absent] }

/** A request that may have been sent has an unknown outcome, although a page answers. */
const rows = [
  ["a sale", sale, GatewayProfile.ours, "StillUnknown"],
  ["a sale that asks for the order first", sale, GatewayProfile.specification, "Unreachable"],
  ["a capture under a key", capture, GatewayProfile.ours, "StillUnknown"],
  ["a capture that asks for the order first", capture, GatewayProfile.specification, "Unreachable"]
] as const

describe("a flow at an address where a website answers", () => {
  it.effect.each(rows)("says that the path is wrong: $0", ([, flow, profile, end]) =>
    Effect.gen(function* () {
      const outcome = yield* Script.run(script, flow, { mostRepeats: 3 }, profile)
      assert(Result.isFailure(outcome.result))
      assert.strictEqual(outcome.end, end)
      assert.match(outcome.result.failure.message, /\(404\): received a page \(HTML\): wrong path/)
      assert.notMatch(outcome.result.failure.message, /cannot be reached/)
    })
  )
})

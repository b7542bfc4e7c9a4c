/** Tests refusals and an unreachable gateway where an earlier run may have sent the request. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import type * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import type { CustomerBrowser } from "../src/browser/CustomerBrowser.ts"
import * as Flow from "../src/engine/Flow.ts"
import type { FlowEngine } from "../src/engine/FlowEngine.ts"
import * as FlowPayload from "../src/engine/FlowPayload.ts"
import { HostedSale } from "../src/payments/HostedCheckout.ts"
import { Capture } from "../src/payments/OrderAction.ts"
import { Rebill } from "../src/payments/StoredCard.ts"
import { Subscribe } from "../src/payments/Subscription.ts"
import * as Script from "./Script.ts"

const { refusal, orderStatus, acknowledged, unknownOrder } = Script
const paid = orderStatus("approved")

const charge = Rebill.execute(Script.charge)
const capture = Capture.execute({
  clientOrderId: "o-1",
  orderId: "7",
  name: "part-1",
  amount: "4.00",
  currency: "USD"
})

type Row = readonly [
  scenario: string,
  says: ReadonlyArray<Script.Answer>,
  status: ReadonlyArray<Script.Answer>,
  end: string
]

const check = (
  path: string,
  rows: ReadonlyArray<Row>,
  flow: Effect.Effect<
    { readonly status: string },
    { readonly _tag: string },
    PayClient.PayClient | CustomerBrowser | FlowEngine
  >
) => {
  for (const [scenario, says, status, end] of rows) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.map(Script.run({ [path]: says, status }, flow), (outcome) => assert.strictEqual(outcome.end, end))
    )
  }
}

describe("a charge that may have been sent before", () => {
  const rows: ReadonlyArray<Row> = [
    ["is limited now, and is found", [refusal(83, 429)], [paid], "approved"],
    ["is refused now, and is found", [refusal(50)], [paid], "approved"],
    ["is refused now, and is absent", [refusal(50)], [unknownOrder], "NotAccepted"],
    ["cannot be sent now, and is found", ["notSent"], [paid], "approved"],
    ["finds the gateway unreachable", ["notSent"], ["notSent"], "StillUnknown"]
  ]
  check("make-rebill", rows, Effect.provideService(charge, Flow.IsResumed, true))
})

describe("a capture that may have been sent before", () => {
  const rows: ReadonlyArray<Row> = [
    ["is refused now, and again", [refusal(55)], [paid], "NotAccepted"],
    ["is refused now, then acknowledged", [refusal(55), acknowledged], [paid], "approved"],
    ["finds the gateway unreachable", ["notSent"], [paid], "StillUnknown"]
  ]
  check("capture", rows, Effect.provideService(capture, Flow.IsResumed, true))
})

describe("a capture that may have been sent before to a gateway without keys", () => {
  it.effect("needs a person, and is not sent again", () =>
    Effect.gen(function* () {
      const again = Effect.provideService(capture, Flow.IsResumed, true)
      const status = [orderStatus("approved", { "transaction-type": "capture", "captured-amount": "4.00" })]
      const outcome = yield* Script.run({ capture: [acknowledged], status }, again, {}, Script.keyless)
      assert.strictEqual(outcome.end, "NeedsAPerson")
      assert.strictEqual(outcome.requests.join(" "), "status")
    })
  )
})

describe("a capture whose answer was lost, and whose repeat is refused", () => {
  const rows: ReadonlyArray<Row> = [
    ["because the clock is wrong", ["lost", refusal(44, 401)], [paid], "StillUnknown"],
    ["because the key was changed", ["lost", refusal(40)], [paid], "StillUnknown"],
    ["until the key is right again", ["lost", refusal(40), refusal(40), acknowledged], [paid], "approved"]
  ]
  check("capture", rows, capture)
})

const subscription = Effect.flatMap(
  Effect.orDie(
    Effect.fromResult(
      FlowPayload.decode(Subscribe, {
        ...Sample.request(PayApi.operations.CREATE_RP_V4),
        client_orderid: "o-1"
      })
    )
  ),
  (payload) => Effect.map(Subscribe.execute(payload), ({ order }) => order)
).pipe(Effect.provideService(Flow.LostFields, ["cvv2"]))

describe("a subscription that lost its security code", () => {
  const rows: ReadonlyArray<Row> = [
    ["is found with its number", [], [orderStatus("approved", { "recurring-payment-id": "9" })], "approved"],
    ["is found without its number", [], [paid], "StillUnknown"],
    ["is absent", [], [unknownOrder], "NeverHappened"]
  ]
  check("create-recurring-payment", rows, subscription)
})

const hosted = Effect.flatMap(
  Effect.orDie(
    Effect.fromResult(
      FlowPayload.decode(HostedSale, {
        ...Sample.request(PayApi.operations.SALEFORM),
        client_orderid: "o-1"
      })
    )
  ),
  (payload) => HostedSale.execute(payload)
)

describe("a hosted sale that loses every answer", () => {
  const rows: ReadonlyArray<Row> = [
    ["is found", ["lost"], [orderStatus("processing")], "StillUnknown"],
    ["is limited afterwards, and is found", ["lost", refusal(83, 429)], [paid], "StillUnknown"],
    ["is absent", ["lost"], [unknownOrder], "NeverHappened"]
  ]
  check("sale-form", rows, hosted)
})

/** What a flow makes of refusals and of a gateway that cannot be reached, where an earlier run may have sent the request. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import type * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import type { CustomerBrowser } from "../src/CustomerBrowser.ts"
import * as Flow from "../src/Flow.ts"
import * as FlowPayload from "../src/FlowPayload.ts"
import { HostedSale } from "../src/HostedCheckout.ts"
import { Capture } from "../src/OrderAction.ts"
import { Rebill } from "../src/StoredCard.ts"
import { Subscribe } from "../src/Subscription.ts"
import * as Script from "./Script.ts"

const { refuses, stands, taken, unheardOf } = Script
const paid = stands("approved")

const charge = Flow.run(Rebill, Script.charge)
const capture = Flow.run(Capture, {
  clientOrderId: "o-1",
  orderId: "7",
  name: "part-1",
  amount: "4.00",
  currency: "USD"
})

type Row = readonly [story: string, says: ReadonlyArray<Script.Say>, status: ReadonlyArray<Script.Say>, end: string]

const check = (
  path: string,
  rows: ReadonlyArray<Row>,
  flow: Effect.Effect<{ readonly status: string }, { readonly _tag: string }, PayClient.PayClient | CustomerBrowser>
) => {
  for (const [story, says, status, end] of rows) {
    it.effect(`${story}: ${end}`, () =>
      Effect.map(Script.play({ [path]: says, status }, flow), (played) => assert.strictEqual(played.end, end))
    )
  }
}

describe("a charge that may have been sent before", () => {
  const rows: ReadonlyArray<Row> = [
    ["there are too many requests now, and it is there", [refuses(83, 429)], [paid], "approved"],
    ["it is refused now, and is there", [refuses(50)], [paid], "approved"],
    ["it is refused now, and was never there", [refuses(50)], [unheardOf], "Refused"],
    ["the gateway cannot be reached now, and has it", ["notSent"], [paid], "approved"],
    ["the gateway cannot be reached at all", ["notSent"], ["notSent"], "StillUnknown"]
  ]
  check("make-rebill", rows, Effect.provideService(charge, Flow.IsResumed, true))
})

describe("a capture that may have been sent before", () => {
  const rows: ReadonlyArray<Row> = [
    ["it is refused now, and again", [refuses(55)], [paid], "Refused"],
    ["it is refused now, and then answered", [refuses(55), taken], [paid], "approved"],
    ["the gateway cannot be reached at all", ["notSent"], [paid], "StillUnknown"]
  ]
  check("capture", rows, Effect.provideService(capture, Flow.IsResumed, true))
})

describe("a capture that may have been sent before to a gateway without keys", () => {
  it.effect("in memory is for a person, and not sent again", () =>
    Effect.gen(function* () {
      const again = Effect.provideService(capture, Flow.IsResumed, true)
      const status = [stands("approved", { "transaction-type": "capture", "captured-amount": "4.00" })]
      const played = yield* Script.play({ capture: [taken], status }, again, {}, Script.keyless)
      assert.strictEqual(played.end, "NeedsAPerson")
      assert.strictEqual(played.requests.join(" "), "status")
    })
  )
})

describe("a capture whose answer was lost, refused before anybody looked for it", () => {
  const rows: ReadonlyArray<Row> = [
    ["the clock is wrong since", ["lost", refuses(44, 401)], [paid], "StillUnknown"],
    ["the key was changed since", ["lost", refuses(40)], [paid], "StillUnknown"],
    ["the key is right again", ["lost", refuses(40), refuses(40), taken], [paid], "approved"]
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
  (payload) => Effect.map(Flow.run(Subscribe, payload), ({ order }) => order)
).pipe(Effect.provideService(Flow.LostFields, ["cvv2"]))

describe("a subscription that has lost its security code", () => {
  const rows: ReadonlyArray<Row> = [
    ["it is there, and status tells its number", [], [stands("approved", { "recurring-payment-id": "9" })], "approved"],
    ["it is there, and nobody tells its number", [], [paid], "StillUnknown"],
    ["it was never there", [], [unheardOf], "NeverHappened"]
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
  (payload) => Flow.run(HostedSale, payload)
)

describe("a hosted sale whose every answer is lost", () => {
  const rows: ReadonlyArray<Row> = [
    ["the order is there", ["lost"], [stands("processing")], "StillUnknown"],
    ["and then too many requests, the order is there", ["lost", refuses(83, 429)], [paid], "StillUnknown"],
    ["there is none", ["lost"], [unheardOf], "NeverHappened"]
  ]
  check("sale-form", rows, hosted)
})

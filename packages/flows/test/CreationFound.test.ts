/** Tests whether an order that is found after a lost answer is the requested one, or another one under the same number. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Result } from "effect"
import { CardSale } from "../src/CardPayment.ts"
import * as Flow from "../src/Flow.ts"
import * as FlowPayload from "../src/FlowPayload.ts"
import { Rebill } from "../src/StoredCard.ts"
import * as Script from "./Script.ts"

const { SALE } = PayApi.operations
const { orderStatus } = Script

const charge = Flow.run(Rebill, Script.charge)
const listed = Flow.run(Rebill, { ...Script.charge, amount: "3.00", enumerateAmounts: "2.00,1.00" })
const sale = Effect.flatMap(
  Effect.orDie(Effect.fromResult(FlowPayload.decode(CardSale, { ...Sample.request(SALE), client_orderid: "o-1" }))),
  (payment) => Flow.run(CardSale, payment)
)
const under = "under this client_orderid"

const rows: ReadonlyArray<
  readonly [what: string, flow: typeof charge | typeof sale, expected: Readonly<Record<string, unknown>>, end: string]
> = [
  ["is accepted with the requested amount", charge, { amount: "1.00" }, "approved"],
  ["is accepted with the requested amount in other digits", charge, { amount: "1.0" }, "approved"],
  ["is rejected with another amount", charge, { amount: "2.00" }, `the gateway has 2.00 USD ${under}`],
  [
    "is rejected with another currency",
    charge,
    { amount: "1.00", currency: "EUR" },
    `the gateway has 1.00 EUR ${under}`
  ],
  ["is accepted with an amount without a currency", charge, { amount: "2.00", currency: undefined }, "approved"],
  ["is accepted without an amount", charge, {}, "approved"],
  ["is accepted with one of several requested amounts", listed, { amount: "2.00" }, "approved"],
  [
    "is rejected with another transaction type",
    sale,
    { amount: "10.42", "transaction-type": "preauth" },
    `the gateway has a preauth of 10.42 USD ${under}`
  ],
  [
    "is rejected with another transaction type and no amount",
    sale,
    { currency: undefined, "transaction-type": "preauth" },
    `the gateway has a preauth of ${under}`
  ],
  ["is accepted with the requested transaction type", sale, { amount: "10.42", "transaction-type": "sale" }, "approved"]
]

describe("the order found after a lost answer", () => {
  for (const [what, flow, match, end] of rows)
    it.effect(what, () =>
      Effect.gen(function* () {
        const lost = ["lost"] as const
        const script = { "make-rebill": lost, sale: lost, status: [orderStatus("approved", match)] }
        const { end: ended, result } = yield* Script.run(script, flow)
        const reason = Result.isFailure(result) && "reason" in result.failure ? result.failure.reason : ended
        assert.strictEqual(reason, end)
      })
    )
})

/** Tests whether an order that is found after a lost answer is the requested one, or another one under the same number. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Result } from "effect"
import * as TextTable from "../../schema/test/TextTable.ts"
import * as FlowPayload from "../src/engine/FlowPayload.ts"
import { CardSale } from "../src/payments/CardPayment.ts"
import { Rebill } from "../src/payments/StoredCard.ts"
import * as Script from "./Script.ts"

const { SALE } = PayApi.operations
const { orderStatus } = Script

const charge = Rebill.execute(Script.charge)
const listed = Rebill.execute({ ...Script.charge, amount: "3.00", enumerateAmounts: "2.00,1.00" })
const sale = Effect.flatMap(
  Effect.orDie(Effect.fromResult(FlowPayload.decode(CardSale, { ...Sample.request(SALE), client_orderid: "o-1" }))),
  (payment) => CardSale.execute(payment)
)
const flows: Readonly<Record<string, typeof charge | typeof sale>> = { charge, "charge of a list": listed, sale }

/** The flow, the order that `status` shows after the lost answer, and the outcome, or what the gateway has and what was requested. */
const table = `
case                                                    | flow             | amount | currency | type    | outcome
is accepted with the requested amount                   | charge           | 1.00   | USD      |         | approved
is accepted with the requested amount in other digits   | charge           | 1.0    | USD      |         | approved
is rejected with another amount                         | charge           | 2.00   | USD      |         | 2.00 USD, 1.00 USD
is rejected with another currency                       | charge           | 1.00   | EUR      |         | 1.00 EUR, 1.00 USD
is rejected with another amount without a currency      | charge           | 2.00   |          |         | 2.00, 1.00 USD
is accepted with the amount without a currency          | charge           | 1.00   |          |         | approved
is rejected with an amount that is not in the list      | charge of a list | 2.50   | USD      |         | 2.50 USD, 3.00 or 2.00 or 1.00 USD
is accepted without an amount                           | charge           |        | USD      |         | approved
is accepted with one of several requested amounts       | charge of a list | 2.00   | USD      |         | approved
is rejected with another transaction type               | sale             | 10.42  | USD      | preauth | a preauth of 10.42 USD
is rejected with another transaction type and no amount | sale             |        |          | preauth | a preauth of
is accepted with the requested transaction type         | sale             | 10.42  | USD      | sale    | approved
`
const [, ...rows] = TextTable.rows(table)
const field = (name: string, value: string) => (value === "" ? {} : { [name]: value })

describe("the order found after a lost answer", () => {
  for (const [what = "", flow = "", amount = "", currency = "", type = "", end = ""] of rows)
    it.effect(what, () =>
      Effect.gen(function* () {
        const lost = ["lost"] as const
        const order = { currency: undefined, ...field("amount", amount), ...field("currency", currency) }
        const status = [orderStatus("approved", { ...order, ...field("transaction-type", type) })]
        const script = { "make-rebill": lost, sale: lost, status }
        const { end: ended, result } = yield* Script.run(script, TextTable.named(flows, flow))
        const reason = Result.isFailure(result) && "reason" in result.failure ? result.failure.reason : ended
        const [money, requested] = end.split(", ")
        const sums = requested === undefined ? "" : `, and ${requested} was requested`
        assert.strictEqual(
          reason,
          end === "approved" ? end : `the gateway has ${money} under this clientOrderId${sums}`
        )
      })
    )
})

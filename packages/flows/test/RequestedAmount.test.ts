/** Tests what a flow makes of an approved order whose money differs from the money that the flow asked for. */
import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as OrderStage from "@pay/schema/OrderStage"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import type { PayClient } from "@pay/transport/PayClient"
import { Effect, Redacted, Result, type Schema } from "effect"
import * as TextTable from "../../schema/test/TextTable.ts"
import type { CustomerBrowser } from "../src/browser/CustomerBrowser.ts"
import * as FieldNames from "../src/engine/FieldNames.ts"
import type * as Flow from "../src/engine/Flow.ts"
import type { FlowEngine } from "../src/engine/FlowEngine.ts"
import * as FlowPayload from "../src/engine/FlowPayload.ts"
import * as FlowError from "../src/order/FlowError.ts"
import type { OrderStatus } from "../src/order/OrderStatus.ts"
import { Authorization, CardSale, VerifyAccount } from "../src/payments/CardPayment.ts"
import {
  HostedAuthorization,
  HostedPayment,
  HostedPayOut,
  HostedSale,
  HostedVerification
} from "../src/payments/HostedCheckout.ts"
import { Capture, Refund, Void } from "../src/payments/OrderAction.ts"
import { CheckPayOut, PayOut, PayOutV2 } from "../src/payments/PayOut.ts"
import { Rebill } from "../src/payments/StoredCard.ts"
import { ChargeSubscription, Subscribe } from "../src/payments/Subscription.ts"
import { CanSend, Transfer, TransferByRef } from "../src/payments/Transfer.ts"
import * as RequestedAmount from "../src/requests/RequestedAmount.ts"
import * as Script from "./Script.ts"

const { operations } = PayApi
const key = Redacted.make(
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString()
)

/** A flow that asks for 10.42 USD, with the state in which its order is approved. */
interface Row {
  readonly path: string
  readonly state: Readonly<Record<string, string>>
  readonly run: Effect.Effect<{ readonly status: string }, { readonly _tag: string }, Script.Context>
}

const row = <
  N extends string,
  P extends Flow.Fields,
  A extends Schema.Codec<{ readonly status: string }, unknown>,
  E extends Schema.Codec<{ readonly _tag: string }, unknown>
>(
  flow: Flow.Flow<N, P, A, E, FlowEngine | PayClient | CustomerBrowser>,
  changes: Readonly<Record<string, string>> = {},
  state: Row["state"] = { status: "approved" }
): Row => {
  const { operation } = flow
  assert(operation !== undefined)
  const sample = { ...Sample.request(operation), client_orderid: "o-1", orderid: "7" }
  const money = { amount: "10.42", currency: "USD", redirect_url: "https://shop.example/back" }
  const fields = Object.entries({ ...sample, ...money, ...changes })
    .map(([name, text]) => [FieldNames.of(name), text] as const)
    .filter(([name, text]) => name in flow.payload.fields && text !== "")
  const payload = Effect.orDie(Effect.fromResult(FlowPayload.decode(flow, Object.fromEntries(fields))))
  return {
    path: operation.path.split("/").at(-1) ?? "",
    state,
    run: Effect.flatMap(payload, (payload) => flow.execute(payload))
  }
}

const subscribe = (changes: Readonly<Record<string, string>> = {}): Row => ({
  ...row(CanSend),
  path: "create-recurring-payment",
  run: Effect.map(
    Effect.flatMap(
      Effect.orDie(
        Effect.fromResult(
          FlowPayload.decode(
            Subscribe,
            FieldNames.renamed({
              ...Sample.request(operations.CREATE_RP_V4),
              client_orderid: "o-1",
              cvv2: "123",
              ...changes
            })
          )
        )
      ),
      (payload) => Subscribe.execute(payload)
    ),
    ({ order }) => order
  )
})

const account = { credit_card_number: "", account_number: "DE89370400440532013000", redirect_url: "" }
const eligibility = { "sending-card-ref-id": "", "sending-card-number": "4444333322221111" }
const part = { name: "part-1" }

const flows: Readonly<Record<string, Row>> = {
  CardSale: row(CardSale),
  Authorization: row(Authorization),
  VerifyAccount: row(VerifyAccount),
  HostedSale: row(HostedSale),
  HostedAuthorization: row(HostedAuthorization),
  HostedPayment: row(HostedPayment),
  HostedPayOut: row(HostedPayOut),
  HostedVerification: row(HostedVerification),
  PayOut: row(PayOut, account),
  PayOutV2: row(PayOutV2, account),
  CheckPayOut: row(CheckPayOut, account, { status: "processing", "order-stage": OrderStage.payoutChecked }),
  Transfer: row(Transfer, { cvv2: "123" }),
  TransferByRef: row(TransferByRef),
  CanSend: row(CanSend, eligibility),
  Rebill: row(Rebill),
  "Rebill, a list": row(Rebill, { enumerate_amounts: "10.00,9.00" }),
  Subscribe: subscribe(),
  "Subscribe, later": subscribe({ "start-date": "2999-01-31" }),
  ChargeSubscription: row(ChargeSubscription),
  "ChargeSubscription, no amount": row(ChargeSubscription, { amount: "", currency: "" }),
  Capture: row(Capture, part),
  "Capture, all": row(Capture, { ...part, amount: "", currency: "" }),
  Refund: row(Refund, part),
  Void: row(Void)
}

/** What the gateway reports of the approved order. */
const reports: Readonly<Record<string, Readonly<Record<string, string | number | undefined>>>> = {
  "10.42": { amount: "10.42" },
  "other digits": { amount: "010.420", currency: " usd " },
  number: { amount: 10.42 },
  "no amount": { amount: undefined, currency: undefined },
  "no number": { amount: "1e9,4" },
  "no code": { amount: "10.42", currency: "840" },
  "10.43": { amount: "10.43" },
  "9.00": { amount: "9.00" },
  EUR: { amount: "10.42", currency: "EUR" },
  "only EUR": { currency: "EUR" },
  eur: { amount: "10.42", currency: "eur" },
  "0.00": { amount: "0.00" },
  "held in part": { amount: "10.42", "authorized-amount": "4.00" },
  "in part": { amount: "10.42", "captured-amount": "4.00", "returned-amount": "0.00" },
  captured: { amount: "4.00", "captured-amount": "4.00", "transaction-type": "capture" },
  refunded: { amount: "8.42", "returned-amount": "2.00", "transaction-type": "reversal" },
  "4.00 returned": { amount: "10.42", "returned-amount": "4.00" },
  returned: { amount: "8.42", "returned-amount": "2.00" },
  cancelled: { amount: "4.00", "transaction-type": "cancel" },
  "refunded 99": { amount: "99.00", "returned-amount": "2.00", "transaction-type": "reversal" }
}

/** `.`: the flow ends with the order. `x`: it ends as `NeedsAPerson`. */
const table = `
flow                          | 10.42 | other digits | number | no amount | no number | no code | 10.43 | 9.00 | EUR | only EUR | eur | 0.00 | in part | held in part | captured | refunded | returned | cancelled | refunded 99 | 4.00 returned
CardSale                      | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | x       | x            | x        | .        | .        | .         | x           | .
Authorization                 | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | .       | x            | .        | .        | .        | .         | x           | .
VerifyAccount                 | x     | x            | x      | .         | .         | x       | x     | x    | x   | .        | x   | .    | x       | x            | x        | x        | x        | x         | x           | x
HostedSale                    | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | x       | x            | x        | .        | .        | .         | x           | .
HostedAuthorization           | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | .       | x            | .        | .        | .        | .         | x           | .
HostedPayment                 | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | x       | x            | .        | .        | .        | .         | x           | .
HostedPayOut                  | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | x       | x            | x        | .        | .        | .         | x           | .
HostedVerification            | x     | x            | x      | .         | .         | x       | x     | x    | x   | .        | x   | .    | x       | x            | x        | x        | x        | x         | x           | x
PayOut                        | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | x       | x            | x        | .        | .        | .         | x           | .
PayOutV2                      | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | x       | x            | x        | .        | .        | .         | x           | .
CheckPayOut                   | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | x       | x            | x        | .        | .        | .         | x           | .
Transfer                      | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | x       | x            | x        | .        | .        | .         | x           | .
TransferByRef                 | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | x       | x            | x        | .        | .        | .         | x           | .
CanSend                       | x     | x            | x      | .         | .         | x       | x     | x    | x   | .        | x   | .    | x       | x            | x        | x        | x        | x         | x           | x
Rebill                        | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | x       | x            | .        | .        | .        | .         | x           | .
Rebill, a list                | .     | .            | .      | .         | .         | .       | x     | .    | x   | x        | x   | x    | x       | x            | .        | .        | .        | .         | x           | .
Subscribe                     | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | x       | x            | .        | .        | .        | .         | x           | .
Subscribe, later              | .     | .            | .      | .         | .         | .       | .     | .    | .   | .        | .   | .    | .       | .            | .        | .        | .        | .         | .           | .
ChargeSubscription            | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | x       | x            | .        | .        | .        | .         | x           | .
ChargeSubscription, no amount | .     | .            | .      | .         | .         | .       | .     | .    | .   | .        | .   | .    | .       | .            | .        | .        | .        | .         | .           | .
Capture                       | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | x       | .            | x        | x        | x        | x         | x           | .
Capture, all                  | .     | .            | .      | .         | .         | .       | .     | .    | .   | .        | .   | .    | .       | .            | .        | x        | .        | x         | x           | .
Refund                        | .     | .            | .      | .         | .         | .       | x     | x    | x   | x        | x   | x    | .       | .            | x        | x        | x        | x         | x           | x
Void                          | .     | .            | .      | .         | .         | .       | .     | .    | .   | .        | .   | .    | .       | .            | x        | x        | .        | .         | x           | .
`

const acknowledged = {
  status: 200,
  body: {
    ...{ type: "async-response", "paynet-order-id": "7", "merchant-order-id": "o-1" },
    ...{ "redirect-url": "https://gateway.example/page", "recurring-payment-id": "9" }
  }
}

describe("an approved order with other money than requested needs a person", () => {
  const [head = [], ...rows] = TextTable.rows(table)
  for (const [name = "", ...cells] of rows) {
    const { path, run, state } = TextTable.named(flows, name)
    it.effect(name, () =>
      Effect.gen(function* () {
        const ends: Array<string> = []
        for (const report of head.slice(1)) {
          const order = { ...state, ...TextTable.named(reports, report) }
          const status = [Script.orderStatus(state.status ?? "", order)]
          const { end, result } = yield* Script.run({ [path]: [acknowledged], status }, run, {}, undefined, key)
          ends.push(end === state.status ? "." : end === "NeedsAPerson" ? "x" : end)
          if (Result.isFailure(result)) assert.isFalse("retryable" in result.failure && result.failure.retryable)
        }
        assert.deepStrictEqual(ends, cells)
      })
    )
  }
})

/** The request, the report, and the reason of the error. */
const sums = `
case                                  | operation | requested | currency | amount     | reported | reason
a whole amount                        | SALE      | 1.00      | USD      | 1          | USD      |
an amount with needless decimals      | SALE      | 1         | USD      | 1.000      | usd      |
a currency without decimals           | SALE      | 100       | JPY      | 100.00     | JPY      |
another amount without decimals       | SALE      | 100       | JPY      | 1.00       | JPY      | the gateway reports the amount 1 JPY, and 100 JPY was requested
a currency of three decimals          | SALE      | 1.5       | KWD      | 1.500      | KWD      |
the third decimal                     | SALE      | 1.500     | KWD      | 1.501      | KWD      | the gateway reports the amount 1.501 KWD, and 1.500 KWD was requested
an amount beyond exact numbers        | SALE      | 90071992547409.93 | USD | 90071992547409.92 | USD | the gateway reports the amount 90071992547409.92 USD, and 90071992547409.93 USD was requested
an amount in a currency not in a list | SALE      | 1.00      | XYZ      | 2.00       | XYZ      | the gateway reports the amount 2 XYZ, and 1.00 XYZ was requested
another payout                        | PAYOUT_V4 | 1.00      | USD      | 10.42      | USD      | the gateway reports the amount 10.42 USD, and 1.00 USD was requested
another currency                      | PAYOUT_V4 | 1.00      | USD      | 1.00       | EUR      | the gateway reports the amount 1 EUR, and 1.00 USD was requested
an amount without a currency          | PAYOUT_V4 | 1.00      | USD      | 10.42      |          | the gateway reports the amount 10.42 USD, and 1.00 USD was requested
a negative amount                     | PAYOUT_V4 | 1.00      | USD      | -1.00      | USD      |
an amount of 30 digits                | PAYOUT_V4 | 1.00      | USD      | 1.0000000000000000000000000000 | USD |
a charge of a verification            | ACCOUNT_VERIFICATION |  |  | 1.00     | USD      | the gateway reports the amount 1 USD, and 0 was requested
`

describe("amounts are compared as numbers", () => {
  for (const [what = "", name, amount = "", currency = "", reported = "", unit = "", reason] of TextTable.rows(
    sums
  ).slice(1))
    it(what, () => {
      const operation = PayApi.all.find((each) => each.name === name)
      assert(operation !== undefined)
      const request = amount === "" ? {} : { amount, currency }
      const order: OrderStatus = {
        ...{ clientOrderId: "o-1", orderId: "7", status: "approved", amount: reported },
        ...(unit === "" ? {} : { currency: unit })
      }
      assert.strictEqual(RequestedAmount.difference({ operation, request }, order) ?? "", reason)
    })
})

it("the error has the order, and its evidence the amount that the gateway reported", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const status = [Script.orderStatus("approved", { amount: "10.43", currency: "USD" })]
      const { path, run } = TextTable.named(flows, "PayOut")
      const { result } = yield* Script.run({ [path]: [acknowledged], status }, run, {}, undefined, key)
      assert(Result.isFailure(result) && result.failure instanceof FlowError.NeedsAPerson)
      const { evidence, order, reason, retryable } = result.failure
      assert.deepStrictEqual(
        [order?.amount, reason, retryable, evidence.at(-1)?.answer],
        [
          "10.43",
          "the gateway reports the amount 10.43 USD, and 10.42 USD was requested",
          false,
          "Answered: approved 10.43 USD"
        ]
      )
    })
  ))

import { assert, layer } from "@effect/vitest"
import * as ErrorCode from "@pay/schema/ErrorCode"
import { Effect } from "effect"
import * as TextTable from "../../packages/schema/test/TextTable.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

/** The payment and its follow-ups, all approved | status, type, authorized, captured, returned, remaining | refused then. */
const table = `
preauth                                                       | approved preauth 10.42 0.00 0.00 10.42   | capture 10.43: amountExceeds; return 1.00: amountNotAllowed
preauth, capture                                              | approved capture 10.42 10.42 0.00 0.00   | capture 0.01: orderState; void: orderState; return 10.43: amountExceeds
preauth, capture 4.00                                         | approved capture 10.42 4.00 0.00 6.42    | capture 6.43: amountExceeds; return 4.01: amountExceeds
preauth, capture 4.00, capture 6.00, capture                  | approved capture 10.42 10.42 0.00 0.00   | capture 0.01: orderState; void: orderState
preauth, capture 10.42                                        | approved capture 10.42 10.42 0.00 0.00   | capture: orderState
preauth, void                                                 | approved cancel 10.42 0.00 0.00 0.00     | capture: orderState; capture 1.00: orderState; return: orderState; return 1.00: orderState
preauth, return                                               | approved cancel 10.42 0.00 0.00 0.00     | capture: orderState; void: orderState; return 1.00: orderState
preauth, capture 4.00, void                                   | approved capture 10.42 4.00 0.00 0.00    | capture: orderState; capture 1.00: orderState; return 4.01: amountExceeds
preauth, capture 4.00, return 1.00                            | approved capture 10.42 4.00 1.00 6.42    | return 3.01: amountExceeds
preauth, capture 4.00, return 1.00, capture 6.00, return 8.00 | approved capture 10.42 10.00 9.00 0.42   | return 1.01: amountExceeds; capture 0.43: amountExceeds
preauth, capture 4.00, return                                 | approved reversal 10.42 4.00 4.00 0.00   | capture: orderState; void: orderState; return 0.01: amountExceeds
preauth, capture 4.00, return 1.00, return                    | approved reversal 10.42 4.00 4.00 0.00   | capture: orderState; void: orderState
preauth, capture 4.00, return 4.00                            | approved reversal 10.42 4.00 4.00 0.00   | capture: orderState; capture 1.00: orderState
preauth, capture 4.00, return 4.00, void                      | approved reversal 10.42 4.00 4.00 0.00   | capture: orderState
preauth, capture 4.00, void, return 1.00, return              | approved reversal 10.42 4.00 4.00 0.00   | capture: orderState
preauth, capture, return 4.00, return                         | approved reversal 10.42 10.42 10.42 0.00 | return 0.01: amountExceeds
sale                                                          | approved sale 10.42 10.42 0.00 0.00      | capture: orderState; capture 1.00: orderState; void: orderState; return 10.43: amountExceeds
sale, return 4.00                                             | approved sale 10.42 10.42 4.00 0.00      | return 6.43: amountExceeds; void: orderState
sale, return 4.00, return 6.00, return                        | approved reversal 10.42 10.42 10.42 0.00 | return 0.01: amountExceeds; capture: orderState
`

/** Reads `capture 4.00`, `void`, `return` … */
const followUp = (text: string): readonly [TestMerchant.FollowUp, TestMerchant.Fields] => {
  const [name = "", amount] = text.split(" ")
  const operation = { capture: "CAPTURE", void: "VOID", return: "RETURN" } as const
  if (name !== "capture" && name !== "void" && name !== "return") throw new Error(`not a follow-up: ${text}`)
  return [operation[name], amount === undefined ? {} : { amount, currency: "USD" }]
}

const isErrorName = (name: string): name is ErrorCode.Name => name in ErrorCode.codes

/** Reads `capture 1.00: orderState`. */
const refusal = (text: string): readonly [followUp: string, error: ErrorCode.Name] => {
  const [step = "", error = ""] = text.split(": ")
  if (!isErrorName(error)) throw new Error(`not an error: ${text}`)
  return [step, error]
}

const rows = TextTable.rows(table).map(([steps = "", orderStatus = "", refusals = ""]) => ({
  ...{ steps, orderStatus },
  refusals: refusals.split("; ").map(refusal)
}))

layer(TestGateway.layer(), { excludeTestServices: true })("follow-ups", (it) => {
  for (const { refusals, orderStatus, steps } of rows) {
    it.effect(`${steps}: ${orderStatus}, and then refused: ${refusals.map(([step]) => step).join(", ")}`, () =>
      Effect.gen(function* () {
        const [payment, ...followUps] = steps.split(", ")
        const order = yield* TestMerchant.order(payment === "sale" ? "SALE" : "PREAUTH")
        for (const step of followUps) {
          const [name, fields] = followUp(step)
          const reply = yield* TestMerchant.done(name, order, fields)
          assert.deepInclude(yield* TestMerchant.outcomeOf(reply), { status: "approved" })
        }
        assert.strictEqual(yield* TestMerchant.orderStatus(order), orderStatus)
        for (const [step, error] of refusals) {
          const [name, fields] = followUp(step)
          const reply = yield* TestMerchant.act(name, order, fields)
          TestMerchant.assertRefused(reply, error)
          assert.deepInclude(reply.body, {
            "merchant-order-id": order.client_orderid,
            "paynet-order-id": order.orderid
          })
        }
        assert.strictEqual(yield* TestMerchant.orderStatus(order), orderStatus)
        yield* TestMerchant.assertClean
      })
    )
  }

  it.effect("the refusals of void and capture name the operation to use instead", () =>
    Effect.gen(function* () {
      const sale = yield* TestMerchant.order("SALE")
      assert.match(TestMerchant.text(yield* TestMerchant.act("VOID", sale), "error-message"), /return/)
      assert.match(TestMerchant.text(yield* TestMerchant.act("CAPTURE", sale), "error-message"), /only a preauth/i)
      const captured = yield* TestMerchant.order("PREAUTH")
      yield* TestMerchant.done("CAPTURE", captured)
      assert.match(TestMerchant.text(yield* TestMerchant.act("VOID", captured), "error-message"), /return/)
    })
  )

  for (const [cvv2, outcome] of [
    ["116", "declined"],
    ["217", "unknown"]
  ]) {
    it.effect(`are refused for a payment that is ${outcome}`, () =>
      Effect.gen(function* () {
        const order = yield* TestMerchant.order("PREAUTH", { cvv2: cvv2 ?? "" })
        assert.strictEqual((yield* TestMerchant.status(order)).status, outcome)
        for (const name of ["CAPTURE", "VOID", "RETURN"] as const) {
          TestMerchant.assertRefused(yield* TestMerchant.act(name, order), "orderState")
        }
      })
    )
  }

  it.effect("are refused in another currency than the order's", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      for (const currency of ["EUR", "JPY"]) {
        TestMerchant.assertRefused(
          yield* TestMerchant.act("CAPTURE", order, { amount: "1", currency }),
          "currencyMismatch",
          "currency"
        )
      }
      const sale = yield* TestMerchant.order("SALE")
      TestMerchant.assertRefused(
        yield* TestMerchant.act("RETURN", sale, { amount: "1", currency: "EUR" }),
        "currencyMismatch",
        "currency"
      )
      yield* TestMerchant.assertClean
    })
  )

  it.effect("a capture sent without amount may be signed with the order's amount, a return may not", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      const signedWithAmount: TestMerchant.Options = { change: ({ amount: _, currency: __, ...fields }) => fields }
      const whole = { amount: "10.42", currency: "USD" }
      TestMerchant.assertRefused(
        yield* TestMerchant.act("RETURN", order, whole, signedWithAmount),
        "authenticationFailed"
      )
      const other = { amount: "10.41", currency: "USD" }
      TestMerchant.assertRefused(
        yield* TestMerchant.act("CAPTURE", order, other, signedWithAmount),
        "authenticationFailed"
      )
      TestMerchant.assertAccepted(yield* TestMerchant.act("CAPTURE", order, whole, signedWithAmount))
      yield* TestMerchant.settled
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 10.42 0.00 0.00")
    })
  )
})

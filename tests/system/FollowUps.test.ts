import { assert, layer } from "@effect/vitest"
import type * as ErrorCode from "@pay/schema/ErrorCode"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

/** `capture 4.00`, `void`, `return` … */
const read = (step: string): readonly [TestMerchant.FollowUp, TestMerchant.Fields] => {
  const [name = "", amount] = step.split(" ")
  const operation = { capture: "CAPTURE", void: "VOID", return: "RETURN" } as const
  if (name !== "capture" && name !== "void" && name !== "return") throw new Error(`not a step: ${step}`)
  return [operation[name], amount === undefined ? {} : { amount, currency: "USD" }]
}

interface Story {
  readonly of: TestMerchant.Creation
  /** Each step ends well. */
  readonly steps: ReadonlyArray<string>
  /** status, type, authorised, captured, returned, remaining. */
  readonly stands: string
  /** Steps that are refused then, and why. */
  readonly refused?: Readonly<Record<string, ErrorCode.Name>>
}

const stories: ReadonlyArray<Story> = [
  {
    of: "PREAUTH",
    steps: [],
    stands: "approved preauth 10.42 0.00 0.00 10.42",
    refused: { "capture 10.43": "amountExceeds", "return 1.00": "amountNotAllowed" }
  },
  {
    of: "PREAUTH",
    steps: ["capture"],
    stands: "approved capture 10.42 10.42 0.00 0.00",
    refused: { "capture 0.01": "orderState", void: "orderState", "return 10.43": "amountExceeds" }
  },
  {
    of: "PREAUTH",
    steps: ["capture 4.00"],
    stands: "approved capture 10.42 4.00 0.00 6.42",
    refused: { "capture 6.43": "amountExceeds", "return 4.01": "amountExceeds" }
  },
  {
    of: "PREAUTH",
    steps: ["capture 4.00", "capture 6.00", "capture"],
    stands: "approved capture 10.42 10.42 0.00 0.00",
    refused: { "capture 0.01": "orderState", void: "orderState" }
  },
  {
    of: "PREAUTH",
    steps: ["capture 10.42"],
    stands: "approved capture 10.42 10.42 0.00 0.00",
    refused: { capture: "orderState" }
  },
  {
    of: "PREAUTH",
    steps: ["void"],
    stands: "approved cancel 10.42 0.00 0.00 0.00",
    refused: { capture: "orderState", "capture 1.00": "orderState", return: "orderState", "return 1.00": "orderState" }
  },
  {
    of: "PREAUTH",
    steps: ["return"],
    stands: "approved cancel 10.42 0.00 0.00 0.00",
    refused: { capture: "orderState", void: "orderState", "return 1.00": "orderState" }
  },
  {
    of: "PREAUTH",
    steps: ["capture 4.00", "void"],
    stands: "approved capture 10.42 4.00 0.00 0.00",
    refused: { capture: "orderState", "capture 1.00": "orderState", "return 4.01": "amountExceeds" }
  },
  {
    of: "PREAUTH",
    steps: ["capture 4.00", "return 1.00"],
    stands: "approved capture 10.42 4.00 1.00 6.42",
    refused: { "return 3.01": "amountExceeds" }
  },
  {
    of: "PREAUTH",
    steps: ["capture 4.00", "return 1.00", "capture 6.00", "return 8.00"],
    stands: "approved capture 10.42 10.00 9.00 0.42",
    refused: { "return 1.01": "amountExceeds", "capture 0.43": "amountExceeds" }
  },
  {
    of: "PREAUTH",
    steps: ["capture 4.00", "return"],
    stands: "approved reversal 10.42 4.00 4.00 0.00",
    refused: { capture: "orderState", void: "orderState", "return 0.01": "amountExceeds" }
  },
  {
    of: "PREAUTH",
    steps: ["capture 4.00", "return 1.00", "return"],
    stands: "approved reversal 10.42 4.00 4.00 0.00",
    refused: { capture: "orderState", void: "orderState" }
  },
  {
    of: "PREAUTH",
    steps: ["capture 4.00", "return 4.00"],
    stands: "approved reversal 10.42 4.00 4.00 0.00",
    refused: { capture: "orderState", "capture 1.00": "orderState" }
  },
  {
    of: "PREAUTH",
    steps: ["capture 4.00", "return 4.00", "void"],
    stands: "approved reversal 10.42 4.00 4.00 0.00",
    refused: { capture: "orderState" }
  },
  {
    of: "PREAUTH",
    steps: ["capture 4.00", "void", "return 1.00", "return"],
    stands: "approved reversal 10.42 4.00 4.00 0.00",
    refused: { capture: "orderState" }
  },
  {
    of: "PREAUTH",
    steps: ["capture", "return 4.00", "return"],
    stands: "approved reversal 10.42 10.42 10.42 0.00",
    refused: { "return 0.01": "amountExceeds" }
  },
  {
    of: "SALE",
    steps: [],
    stands: "approved sale 10.42 10.42 0.00 0.00",
    refused: {
      capture: "orderState",
      "capture 1.00": "orderState",
      void: "orderState",
      "return 10.43": "amountExceeds"
    }
  },
  {
    of: "SALE",
    steps: ["return 4.00"],
    stands: "approved sale 10.42 10.42 4.00 0.00",
    refused: { "return 6.43": "amountExceeds", void: "orderState" }
  },
  {
    of: "SALE",
    steps: ["return 4.00", "return 6.00", "return"],
    stands: "approved reversal 10.42 10.42 10.42 0.00",
    refused: { "return 0.01": "amountExceeds", capture: "orderState" }
  }
]

layer(TestGateway.layer(), { excludeTestServices: true })("follow-ups", (it) => {
  for (const { of, refused = {}, stands, steps } of stories) {
    it.effect(
      `${[of.toLowerCase(), ...steps].join(", ")}: ${stands}; not then: ${Object.keys(refused).join(", ")}`,
      () =>
        Effect.gen(function* () {
          const order = yield* TestMerchant.order(of)
          for (const step of steps) {
            const reply = yield* TestMerchant.done(...withOrder(order, step))
            assert.deepInclude(yield* TestMerchant.outcomeOf(reply), { status: "approved" })
          }
          assert.strictEqual(yield* TestMerchant.standing(order), stands)
          for (const [step, error] of Object.entries(refused)) {
            const reply = yield* TestMerchant.act(...withOrder(order, step))
            TestMerchant.assertRefused(reply, error)
            assert.deepInclude(reply.body, {
              "merchant-order-id": order.client_orderid,
              "paynet-order-id": order.orderid
            })
          }
          assert.strictEqual(yield* TestMerchant.standing(order), stands)
          yield* TestMerchant.assertClean
        })
    )
  }

  const withOrder = (
    order: TestMerchant.Order,
    step: string
  ): [TestMerchant.FollowUp, TestMerchant.Order, TestMerchant.Fields] => {
    const [name, fields] = read(step)
    return [name, order, fields]
  }

  it.effect("refusals that point the way say so", () =>
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
    it.effect(`nothing follows a payment that is ${outcome}`, () =>
      Effect.gen(function* () {
        const order = yield* TestMerchant.order("PREAUTH", { cvv2: cvv2 ?? "" })
        assert.strictEqual((yield* TestMerchant.status(order)).status, outcome)
        for (const name of ["CAPTURE", "VOID", "RETURN"] as const) {
          TestMerchant.assertRefused(yield* TestMerchant.act(name, order), "orderState")
        }
      })
    )
  }

  it.effect("another currency than the order's: refused, naming it", () =>
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

  it.effect("a capture without amount may be signed with its order's amount and currency; a return may not", () =>
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
      assert.strictEqual(yield* TestMerchant.standing(order), "approved capture 10.42 10.42 0.00 0.00")
    })
  )
})

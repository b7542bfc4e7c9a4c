/** Reports about amounts as people and floats write them (docs/decisions/public-reports-inputs.md), where no other test has the same input. */
import { assert, layer } from "@effect/vitest"
import * as Canonical from "@pay/schema/Canonical"
import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import { Effect, Result } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { controlKey, endpoints, login } = TestGateway

/** An amount as it was typed, its currency, and the sum that the gateway reads. None: refused. */
const typed: ReadonlyArray<readonly [text: string, currency: string, sum?: string]> = [
  ["6,95", "EUR"],
  ["6,95 €", "EUR"],
  ["6.95 €", "EUR"],
  ["€6.95", "EUR"],
  ["2.614", "EUR"],
  ["2.614,50", "EUR"],
  ["2,614.50", "EUR"],
  ["2 614.50", "EUR"],
  ["2\u00a0614.50", "EUR"],
  ["2\u202f614.50", "EUR"],
  ["1'000.00", "EUR"],
  ["1’000.00", "EUR"],
  ["1_000.00", "EUR"],
  ["６.９５", "EUR"],
  ["٦٫٩٥", "EUR"],
  ["17,000", "JPY"],
  ["17.5", "JPY"],
  ["2,614", "KWD"],
  ["6.95", "EUR", "6.95"],
  ["6.950", "EUR", "6.95"],
  ["17.000", "JPY", "17"],
  ["2.614", "KWD", "2.614"]
]

const currencies = ["USD", "EUR", "JPY", "KWD"] as const
const whole = { EUR: "3000.00", JPY: "30000", KWD: "3000.000", USD: "3000.00" }
const gateway = TestGateway.layer({ merchants: Merchants.both({ [endpoints.usd]: { currencies } }) })

layer(gateway, { excludeTestServices: true })("an amount as a person types it", (it) => {
  for (const [text, currency, sum] of typed) {
    it.effect(`${text} ${currency} is ${sum ?? "refused by name, and books nothing"}`, () =>
      Effect.gen(function* () {
        const amount = currency === "JPY" ? whole.JPY : currency === "KWD" ? whole.KWD : whole.EUR
        for (const name of ["RETURN", "CAPTURE"] as const) {
          const order = yield* TestMerchant.order(name === "RETURN" ? "SALE" : "PREAUTH", { amount, currency })
          const before = yield* TestMerchant.orderStatus(order)
          const names = { login, ...order }
          const operation = PayApi.operations[name]
          // Signed as it was typed; and if it is no amount, over other sums and over none.
          const signed =
            sum === undefined
              ? [text, amount, Money.fromMinor(6, currency), Money.fromMinor(600, currency), ""]
              : [text]
          const replies: Array<TestGateway.Reply> = []
          for (const over of signed) {
            const money = over === "" ? {} : { amount: over, currency }
            const { control = "" } = TestGateway.controlled(operation, { ...names, ...money })
            const body = Form.write(Object.entries({ ...names, amount: text, currency, control }))
            replies.push(yield* TestGateway.raw({ path: `${operation.path}/${endpoints.usd}`, body }))
          }
          yield* TestMerchant.settled
          if (sum === undefined) {
            for (const reply of replies) assert.strictEqual(reply.status, 400, JSON.stringify(reply.body))
            const [first] = replies
            assert.include(first === undefined ? "" : TestMerchant.text(first, "error-message"), "Parameter amount ")
            assert.strictEqual(yield* TestMerchant.orderStatus(order), before)
          } else {
            for (const reply of replies) TestMerchant.assertAccepted(reply)
            const booked = (yield* TestMerchant.status(order))[
              name === "RETURN" ? "returned-amount" : "captured-amount"
            ]
            assert.strictEqual(booked, sum)
          }
        }
        const posting = { reference: `typed-${text}-${currency}`, merchant: login, endpoint: endpoints.usd, currency }
        const posted = yield* ask("POST", "/operator/balances", { ...posting, amount: text })
        const searched = yield* ask("POST", "/operator/orders/search", { merchant: login, currency, amount: text })
        if (sum === undefined) {
          assert.strictEqual(posted.status, 400, posted.text)
          assert.include(posted.text, "amount")
          assert.isTrue(searched.status === 400 || searched.text.includes('"orders":[]'), searched.text)
        } else assert.deepInclude(posted.body, { amount: sum })
      })
    )
  }
})

/** Every amount up to 100.00, and some that a float does not have. */
const exact = [
  ...Array.from({ length: 10_000 }, (_, index) => index + 1),
  100_110,
  435_035,
  999_999_999,
  1_999,
  9_007_199_254_740_991
]

/** The amount without a float. */
const written = (minor: number): string => {
  const text = String(minor).padStart(3, "0")
  return `${text.slice(0, -2)}.${text.slice(-2)}`
}

layer(gateway, { excludeTestServices: true })("an amount with cents", (it) => {
  it("is exact as minor units, as text and in the control", () => {
    for (const minor of exact) {
      const amount = written(minor)
      const fields = { client_orderid: "A1", amount, currency: "USD", email: "a@b.example" }
      const values = Canonical.controlValues(PayApi.operations.SALE, fields, { endpointId: "1", mode: "minor" })
      assert.deepStrictEqual(
        [Result.getOrThrow(Money.toMinor(amount, "USD")), Money.fromMinor(minor, "USD"), values.amount],
        [minor, amount, String(minor)]
      )
    }
  })

  it.effect("is booked to the cent, and refused if it is signed over cents that were cut off", () =>
    Effect.gen(function* () {
      for (const [amount, cut] of [
        ["8.20", "819"],
        ["1001.10", "100109"],
        ["4350.35", "435034"],
        ["9999999.99", "999999998"]
      ] as const) {
        const order = yield* TestMerchant.order("SALE", { amount })
        assert.strictEqual(yield* TestMerchant.orderStatus(order), `approved sale ${amount} ${amount} 0.00 0.00`)
        const client_orderid = TestMerchant.freshId()
        const { email = "" } = TestGateway.saleFields
        const values = { endpointId: endpoints.usd, client_orderid, amount: cut, email }
        const control = Control.sign(Control.recipes.sale, values, controlKey)
        const reply = yield* TestMerchant.create(
          "SALE",
          { client_orderid, amount },
          { change: (fields) => ({ ...fields, control }) }
        )
        TestMerchant.assertRefused(reply, "authenticationFailed")
        yield* TestMerchant.assertFree(client_orderid)
      }
      yield* TestMerchant.assertClean
    })
  )
})

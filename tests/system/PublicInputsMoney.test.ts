/** Reports about what shops send that moves money (docs/decisions/public-reports-inputs.md), where no other test has the same input. */
import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

type Pair = readonly [name: string, value: string]

/** What is sent in place of `amount=12.00&currency=USD`, in the body or behind the `?` of the address. */
const spoiled: ReadonlyArray<readonly [what: string, body: ReadonlyArray<Pair>, query?: string]> = [
  ["without currency", [["amount", "12.00"]]],
  ["currency alone", [["currency", "USD"]]],
  [
    "Amount=12.00 with currency",
    [
      ["Amount", "12.00"],
      ["currency", "USD"]
    ]
  ],
  [
    "Amount and Currency",
    [
      ["Amount", "12.00"],
      ["Currency", "USD"]
    ]
  ],
  ["AMOUNT alone", [["AMOUNT", "12.00"]]],
  ["Currency alone", [["Currency", "USD"]]],
  ["amount[]=12.00", [["amount[]", "12.00"]]],
  ["amount[value]=12.00", [["amount[value]", "12.00"]]],
  ["refund[amount]=12.00", [["refund[amount]", "12.00"]]],
  [
    "a blank after the name",
    [
      ["amount ", "12.00"],
      ["currency ", "USD"]
    ]
  ],
  ["a byte order mark before the name", [["\u{feff}amount", "12.00"]]],
  ["a full-width name", [["ａｍｏｕｎｔ", "12.00"]]],
  [
    "an ampersand escaped for HTML",
    [
      ["amp;amount", "12.00"],
      ["amp;currency", "USD"]
    ]
  ],
  [
    "another amount beside Amount",
    [
      ["amount", "17.00"],
      ["currency", "USD"],
      ["Amount", "12.00"]
    ]
  ],
  [
    "an empty amount",
    [
      ["amount", ""],
      ["currency", "USD"]
    ]
  ],
  [
    "a blank amount",
    [
      ["amount", " "],
      ["currency", "USD"]
    ]
  ],
  [
    "0",
    [
      ["amount", "0"],
      ["currency", "USD"]
    ]
  ],
  [
    "0.00",
    [
      ["amount", "0.00"],
      ["currency", "USD"]
    ]
  ],
  [
    "-12",
    [
      ["amount", "-12"],
      ["currency", "USD"]
    ]
  ],
  [
    "two amounts",
    [
      ["amount", "12.00"],
      ["amount", "17.00"],
      ["currency", "USD"]
    ]
  ],
  ["both in the query", [], "?amount=12.00&currency=USD"]
]

layer(TestGateway.layer(), { excludeTestServices: true })("a part of a payment whose amount is spoiled", (it) => {
  for (const name of ["RETURN", "CAPTURE"] as const) {
    it.effect.each(spoiled)(`moves nothing as ${name}, and is refused: %s`, ([, body, query = ""]) =>
      Effect.gen(function* () {
        const order = yield* TestMerchant.order(name === "CAPTURE" ? "PREAUTH" : "SALE", { amount: "17.00" })
        const operation = PayApi.operations[name]
        const before = yield* TestMerchant.orderStatus(order)
        const messages: Array<string> = []
        for (const part of [{}, { amount: "12.00", currency: "USD" }, Object.fromEntries(body)]) {
          const names = { login: TestGateway.login, ...order }
          const { control = "" } = TestGateway.controlled(operation, { ...names, ...part })
          const reply = yield* TestGateway.raw({
            path: `${operation.path}/${TestGateway.endpoints.usd}${query}`,
            body: Form.write([...Object.entries({ ...names, control }), ...body])
          })
          assert.deepInclude(reply, { status: 400 })
          messages.push(TestMerchant.text(reply, "error-message"))
        }
        assert.match(messages.join("; "), /Parameter (amount|currency) /)
        yield* TestMerchant.settled
        assert.strictEqual(yield* TestMerchant.orderStatus(order), before)
      })
    )
  }

  it.effect("is refused by its name also if its control covers the amount that it means", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE", { amount: "17.00" })
      const change = ({ amount = "", currency = "", ...fields }: TestMerchant.Fields) => ({
        ...fields,
        Amount: amount,
        "currency[]": currency
      })
      const reply = yield* TestMerchant.act("RETURN", order, { amount: "12.00", currency: "USD" }, { change })
      TestMerchant.assertRefused(reply, "parameterInvalid", "amount")
    })
  )

  it.effect("is whole only without both fields, and ignores other names as before", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE", { amount: "17.00" })
      yield* TestMerchant.done("RETURN", order, { Amount: "", total: "12.00", "not-a-field": "1" })
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved reversal 17.00 17.00 17.00 0.00")
      const other = yield* TestMerchant.order("SALE", { amount: "17.00" })
      yield* TestMerchant.done("RETURN", other, { amount: "12.00", currency: "USD", Amount: "12.00" })
      assert.strictEqual(yield* TestMerchant.orderStatus(other), "approved sale 17.00 17.00 12.00 0.00")
      yield* TestMerchant.assertClean
    })
  )
})

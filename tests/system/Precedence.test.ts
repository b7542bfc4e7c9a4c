/** Which error is reported where the conformance suite cannot say: at an endpoint without the operation, and to strangers. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const endpointId = TestGateway.endpoints.eur
const merchants = Merchants.both({ [endpointId]: { operations: ["SALE", "STATUS"] } })

layer(TestGateway.layer({ merchants }), { excludeTestServices: true })(
  "a capture where captures are not enabled",
  (it) => {
    it.effect(
      "is refused after its signature and its repeat are checked, and before its fields, state and amount",
      () =>
        Effect.gen(function* () {
          const headers = { "idempotency-key": "used" }
          const order = yield* TestMerchant.order("PREAUTH")
          yield* TestMerchant.done("CAPTURE", order, { amount: "1.00", currency: "USD" }, { headers })
          yield* TestMerchant.done("VOID", order)
          const wrong = { amount: "99.00", currency: "USD", comment: "x".repeat(51) }
          for (const [options, error] of [
            [{ key: "wrong", headers }, "authenticationFailed"],
            [{ headers }, "idempotencyKeyConflict"],
            [{}, "operationNotEnabled"]
          ] as const)
            TestMerchant.assertRefused(
              yield* TestMerchant.act("CAPTURE", order, wrong, { endpointId, ...options }),
              error
            )
          assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 1.00 0.00 0.00")
        })
    )
  }
)

const sameBut = (reply: TestGateway.Reply) => ({ status: reply.status, ...reply.body, "serial-number": "" })

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })("a refusal", (it) => {
  const { controlKey, endpointId, login: theirLogin } = Merchants.other
  const theirs = { endpointId, key: controlKey }

  it.effect("is the same for an unknown login, an unknown or another's endpoint and a wrong control", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      const refusals = [
        ["wrong control", {}, { key: "wrong" }],
        ["unknown login", { login: "nobody" }, {}],
        ["another merchant's login, our key", { login: theirLogin }, {}],
        ["another merchant's login and key", { login: theirLogin }, { key: controlKey }],
        ["another merchant's endpoint, our key", {}, { endpointId }],
        ["another merchant's endpoint and key, our login", {}, theirs],
        ["nobody's endpoint", {}, { endpointId: "999" }],
        ["nobody's endpoint, unknown order", { orderid: "1" }, { endpointId: "999" }]
      ] as const
      const first = yield* TestMerchant.act("VOID", order, {}, { key: "wrong" })
      TestMerchant.assertRefused(first, "authenticationFailed")
      for (const [name, fields, options] of refusals) {
        const reply = yield* TestMerchant.act("VOID", order, fields, options)
        assert.deepStrictEqual(sameBut(reply), sameBut(first), name)
      }
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved preauth 10.42 0.00 0.00 10.42")

      const change = ({ control: _, ...fields }: TestMerchant.Fields) => fields
      const unsigned = yield* TestMerchant.act("VOID", order, {}, { change })
      TestMerchant.assertRefused(unsigned, "parameterRequired", "control")
      for (const [name, fields, options] of refusals) {
        const reply = yield* TestMerchant.act("VOID", order, fields, { ...options, change })
        assert.deepStrictEqual(sameBut(reply), sameBut(unsigned), `${name}, without control`)
      }
    })
  )

  it.effect("does not reveal the amount of another merchant's order to a capture that is signed with it", () =>
    Effect.gen(function* () {
      const foreign = TestMerchant.nameOf(yield* TestMerchant.create("PREAUTH", {}, theirs))
      yield* TestMerchant.settled
      const guess = (order: TestMerchant.Order, amount: string) =>
        TestMerchant.act(
          "CAPTURE",
          order,
          { amount, currency: "USD" },
          {
            change: ({ amount: _, currency: __, ...fields }) => fields
          }
        )
      const unknown = yield* guess({ client_orderid: TestMerchant.freshId(), orderid: "123456" }, "10.42")
      TestMerchant.assertRefused(unknown, "authenticationFailed")
      for (const amount of ["10.42", "10.43"]) {
        assert.deepStrictEqual(sameBut(yield* guess(foreign, amount)), sameBut(unknown))
      }
    })
  )
})

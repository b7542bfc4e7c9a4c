/** Whatever endpoint the path names: the endpoint that took an order says what may become of it. */
import { assert, describe, it, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { eur, usd } = TestGateway.endpoints
const followUps = ["CAPTURE", "VOID", "RETURN"] as const

/** What a preauth's endpoint may be like, and which follow-ups are taken. */
const rows = [
  ["lists all follow-ups", { operations: [...followUps, "PREAUTH", "STATUS"] }, "CAPTURE VOID RETURN"],
  ["lists no capture", { operations: ["VOID", "RETURN", "PREAUTH", "STATUS"] }, "VOID RETURN"],
  ["lists no void", { operations: ["CAPTURE", "RETURN", "PREAUTH", "STATUS"] }, "CAPTURE RETURN"],
  ["lists no follow-up", { operations: ["PREAUTH", "STATUS"] }, ""],
  ["is switched off", { enabled: false }, "VOID RETURN"],
  ["is switched off and lists no return", { enabled: false, operations: ["CAPTURE", "VOID", "STATUS"] }, "VOID"]
] as const

describe("an order whose endpoint", () => {
  it.live.each(rows)("$0 accepts these follow-ups: $2", ([_, changes, expected]) =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const orders = yield* TestGateway.running(folder)(
        Effect.forEach(followUps, (name) => Effect.map(TestMerchant.order("PREAUTH"), (order) => ({ name, order })))
      )
      yield* TestGateway.running(folder, { merchants: Merchants.both({ [usd]: changes }) })(
        Effect.gen(function* () {
          for (const path of [usd, eur]) {
            const taken: Array<string> = []
            for (const { name, order } of orders) {
              const reply = yield* TestMerchant.act(name, order, {}, { endpointId: path })
              if (reply.status === 200) taken.push(name)
              else {
                TestMerchant.assertRefused(reply, "operationNotEnabled")
                const off = path === usd && "enabled" in changes
                const says = path === usd ? (off ? /switched off/ : /on this endpoint/) : /endpoint that took the order/
                assert.match(TestMerchant.text(reply, "error-message"), says)
              }
              yield* TestMerchant.settled
            }
            assert.strictEqual(taken.join(" "), expected, `by the path of ${path}`)
          }
          yield* TestMerchant.assertClean
        })
      )
    }).pipe(Effect.scoped)
  )
})

layer(TestGateway.layer({ merchants: Merchants.both({ [usd]: { operations: ["SALE", "STATUS"] } }) }), {
  excludeTestServices: true
})("an endpoint that allows only SALE and STATUS", (it) => {
  it.effect("refuses to store a card of its orders at another endpoint's path too", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE")
      const fields = { login: TestGateway.login, ...order }
      const reply = yield* TestGateway.post(PayApi.operations.CARDREF, fields, { endpointId: eur })
      TestMerchant.assertRefused(reply, "operationNotEnabled")
    })
  )

  it.effect("answers for an unknown order as every endpoint does", () =>
    Effect.gen(function* () {
      const unknownOrder = { client_orderid: "nobody", orderid: "1" }
      TestMerchant.assertRefused(
        yield* TestMerchant.act("RETURN", unknownOrder, {}, { endpointId: eur }),
        "orderNotFound"
      )
    })
  )
})

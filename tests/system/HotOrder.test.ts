/** Many answers of the bank about one order at once: none of them waits for a lease to end, none becomes mere evidence. */
import { assert, it } from "@effect/vitest"
import { Evidence } from "@pay/gateway/Entities"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"

const { CAPTURE, PREAUTH, STATUS } = PayApi.operations
const captures = 24

it.live(`${captures} partial captures at the same time are all recorded with the bank's answers`, () =>
  Effect.gen(function* () {
    const scheduler = yield* Scheduler
    const store = yield* Store
    const fields: Readonly<Record<string, string>> = { ...Sample.request(PREAUTH), amount: "24.00", currency: "USD" }
    const { body } = yield* TestGateway.post(PREAUTH, fields)
    const named = {
      login: TestGateway.login,
      client_orderid: fields.client_orderid ?? "",
      orderid: String(body["paynet-order-id"])
    }
    yield* scheduler.settled
    const answers = yield* Effect.forEach(
      Array.from({ length: captures }, (_, n) => `capture ${n}`),
      (key) =>
        TestGateway.post(
          CAPTURE,
          { ...named, amount: "1.00", currency: "USD" },
          { headers: { "idempotency-key": key } }
        ),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
    yield* scheduler.settled
    const status = yield* TestGateway.post(STATUS, named)
    assert.deepInclude(status.body, { status: "approved", "captured-amount": "24.00" })
    assert.lengthOf(yield* store.find(Evidence, "order", { equals: [named.orderid], limit: 100 }), 0)
  }).pipe(Effect.provide(TestGateway.layer({ bank: { latencyMs: 300 } })))
)

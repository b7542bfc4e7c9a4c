import { assert, describe, it } from "@effect/vitest"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Status from "@pay/schema/Status"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Schedule } from "effect"
import { clientSettings } from "../harness/Credentials.ts"
import * as DataFolder from "../harness/DataFolder.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as Inbox from "../harness/Inbox.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const { SALE } = PayApi.operations
const shoppers = 16

const clientOf = (baseUrl: string) => PayClient.layer({ ...clientSettings(baseUrl), concurrency: shoppers })

/** What a merchant knows of its sales when the gateway is gone. */
interface Acknowledged {
  readonly acknowledged: Map<string, string>
  readonly doubtful: Set<string>
}

/** Customers buy until the gateway stops answering; after so many acknowledgements it is killed, in the middle of the others. */
const burst = Effect.fnUntraced(function* (folder: string, round: number, existing: Acknowledged, callbackUrl: string) {
  const gateway = yield* GatewayProcess.sandbox(folder)
  const payment = yield* Effect.fromResult(SALE.decodeFields(Sample.request(SALE)))
  const killAt = existing.acknowledged.size + 25 + 13 * round
  let alive = true
  const shop = Effect.fnUntraced(function* (customer: number) {
    const pay = yield* PayClient.PayClient
    for (let n = 0; alive; n++) {
      const client_orderid = `kill-${round}-${customer}-${n}`
      const sold = yield* Effect.result(pay.sale({ ...payment, client_orderid, server_callback_url: callbackUrl }))
      if (sold._tag === "Success") existing.acknowledged.set(client_orderid, sold.success["paynet-order-id"])
      else if (sold.failure._tag === "OutcomeUnknown") existing.doubtful.add(client_orderid)
      if (existing.acknowledged.size >= killAt && alive) {
        alive = false
        yield* gateway.kill
      }
    }
  })
  yield* Effect.forEach(
    Array.from({ length: shoppers }, (_, customer) => customer),
    shop,
    {
      concurrency: "unbounded",
      discard: true
    }
  ).pipe(Effect.provide(clientOf(gateway.baseUrl), { local: true }))
}, Effect.scoped)

const soon = Schedule.spaced("50 millis")

describe("kill -9 in the middle of a burst of sales", () => {
  it.live(
    "loses nothing that was acknowledged, charges nobody twice, tells every outcome",
    () =>
      Effect.gen(function* () {
        const folder = yield* DataFolder.folder
        const inbox = yield* Inbox.Inbox
        const existing: Acknowledged = { acknowledged: new Map(), doubtful: new Set() }
        for (let round = 0; round < 4; round++) yield* burst(folder, round, existing, inbox.url)
        assert.isAtLeast(existing.acknowledged.size, 4 * 25)

        yield* Effect.gen(function* () {
          const gateway = yield* GatewayProcess.sandbox(folder)
          yield* Effect.gen(function* () {
            const pay = yield* PayClient.PayClient
            for (const [client_orderid, orderid] of existing.acknowledged) {
              const { status } = yield* pay
                .status({ client_orderid, orderid })
                .pipe(Effect.repeat({ until: (answer) => Status.isFinal(answer.status), schedule: soon }))
              assert.strictEqual(status, "approved", client_orderid)
            }
            // The customer got no answer: the order is there and ends, or it is not there.
            for (const client_orderid of existing.doubtful) {
              const answer = yield* Effect.result(
                pay
                  .status({ client_orderid })
                  .pipe(Effect.repeat({ until: ({ status }) => Status.isFinal(status), schedule: soon }))
              )
              if (answer._tag === "Success") assert.strictEqual(answer.success.status, "approved", client_orderid)
              else assert.deepInclude(answer.failure, { _tag: "Refused", errorCode: 54 }, client_orderid)
            }
          }).pipe(Effect.provide(clientOf(gateway.baseUrl), { local: true }))
          for (const orderid of existing.acknowledged.values()) {
            yield* Effect.repeat(
              Effect.sync(() => inbox.about(orderid).length),
              { until: (received) => received > 0, schedule: soon }
            )
            assert.deepStrictEqual([...new Set(inbox.about(orderid).map(({ status }) => status))], ["approved"])
          }
        }).pipe(Effect.scoped)

        yield* TestGateway.quietly(folder)(
          Effect.gen(function* () {
            const { findings, orders } = yield* Reconciliation.check
            assert.deepStrictEqual(findings, [])
            assert.isAtLeast(orders, existing.acknowledged.size)
            const control = yield* SandboxControl
            assert.deepStrictEqual(yield* control.violations, [])
            for (const [client_orderid, orderid] of existing.acknowledged) {
              assert.strictEqual((yield* control.books.totals(orderid)).capturedMinor, 1042, client_orderid)
            }
          })
        )
      }).pipe(Effect.provide(Inbox.layer)),
    90_000
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Balance } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { RailControl } from "@pay/sandbox/RailControl"
import * as Status from "@pay/schema/Status"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Redacted, Schedule } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { clientSettings, endpoints, login } from "../harness/Credentials.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const merchants = 8

const clientOf = (baseUrl: string) => PayClient.layer({ ...clientSettings(baseUrl), concurrency: merchants })

const account_number = Redacted.make("DE89370400440532013000")
const details = { amount: "10.42", currency: "USD", account_number }

/** What a merchant knows of its payouts when the gateway is gone: those it has checked, and those it has said to pay. */
interface Acknowledged {
  readonly checked: Map<string, string>
  readonly confirmed: Set<string>
}

const soon = Schedule.spaced("20 millis")

/** Pays out in one step and in two until the gateway stops answering; after so many confirmations it is killed. */
const burst = Effect.fnUntraced(function* (folder: string, round: number, existing: Acknowledged) {
  const gateway = yield* GatewayProcess.sandbox(folder)
  const killAt = existing.confirmed.size + 15 + 7 * round
  let alive = true
  const one = Effect.fnUntraced(function* (who: number, n: number) {
    const pay = yield* PayClient.PayClient
    const client_orderid = `kill-${round}-${who}-${n}`
    if (n % 2 === 0) {
      yield* pay.payoutV4({ "client-order-id": client_orderid, ...details })
      existing.confirmed.add(client_orderid)
      return
    }
    const { "paynet-order-id": orderid } = yield* pay.payoutV4Check({ client_orderid, ...details })
    existing.checked.set(client_orderid, orderid)
    yield* pay
      .status({ client_orderid })
      .pipe(Effect.repeat({ until: (report) => report["order-stage"] === "payout_checked", schedule: soon }))
    yield* pay.payoutV4Pay({ login: login, client_orderid, orderid })
    existing.confirmed.add(client_orderid)
  })
  const shop = Effect.fnUntraced(function* (who: number) {
    for (let n = 0; alive; n++) {
      yield* Effect.ignore(one(who, n))
      if (existing.confirmed.size >= killAt && alive) {
        alive = false
        yield* gateway.kill
      }
    }
  })
  yield* Effect.forEach(
    Array.from({ length: merchants }, (_, who) => who),
    shop,
    { concurrency: "unbounded", discard: true }
  ).pipe(Effect.provide(clientOf(gateway.baseUrl), { local: true }))
}, Effect.scoped)

describe("payouts that kill -9 interrupts", () => {
  it.live(
    "are paid once if they were confirmed, are not paid otherwise, and wait if they were checked",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const existing: Acknowledged = { checked: new Map(), confirmed: new Set() }
        for (let round = 0; round < 3; round++) yield* burst(folder, round, existing)
        assert.isAtLeast(existing.confirmed.size, 3 * 15)

        yield* Effect.gen(function* () {
          const gateway = yield* GatewayProcess.sandbox(folder)
          yield* Effect.gen(function* () {
            const pay = yield* PayClient.PayClient
            for (const client_orderid of existing.confirmed) {
              const { status } = yield* pay
                .status({ client_orderid })
                .pipe(Effect.repeat({ until: (report) => Status.isFinal(report.status), schedule: soon }))
              assert.strictEqual(status, "approved", client_orderid)
            }
            // Checked before the kill, and confirmed only after it, as often as one likes.
            for (const [client_orderid, orderid] of existing.checked) {
              const question = { client_orderid }
              yield* pay.status(question).pipe(
                Effect.repeat({
                  until: (report) => report["order-stage"] === "payout_checked" || Status.isFinal(report.status),
                  schedule: soon
                })
              )
              yield* pay.payoutV4Pay({ login: login, client_orderid, orderid })
              const { status } = yield* pay
                .status(question)
                .pipe(Effect.repeat({ until: (report) => Status.isFinal(report.status), schedule: soon }))
              assert.strictEqual(status, "approved", client_orderid)
            }
          }).pipe(Effect.provide(clientOf(gateway.baseUrl), { local: true }))
        }).pipe(Effect.scoped)

        yield* TestGateway.quietly(folder)(
          Effect.gen(function* () {
            assert.deepStrictEqual((yield* Reconciliation.check).findings, [])
            const rail = yield* RailControl
            assert.deepStrictEqual(yield* rail.violations, [])
            const paid = (yield* rail.books.all).filter(({ request }) => request.kind === "pay")
            assert.strictEqual(new Set(paid.map(({ request }) => request.orderId)).size, paid.length)
            const store = yield* Store
            const gone = yield* store.load(Balance, [`${login}/${endpoints.usd}/USD/payout_rail`])
            assert.strictEqual(gone?.minor, BigInt(1042 * paid.length))
          })
        )
      }),
    90_000
  )
})

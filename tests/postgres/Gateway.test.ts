import { assert, describe, it } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Status from "@pay/schema/Status"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Redacted, Schedule } from "effect"
import * as DataFolder from "../harness/DataFolder.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as Inbox from "../harness/Inbox.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as World from "../harness/World.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as Sales from "./Sales.ts"
import * as Standby from "./Standby.ts"
import * as TcpProxy from "./TcpProxy.ts"

const { SALE } = PayApi.operations
const soon = Schedule.spaced("20 millis")

/** What a merchant knows of its sales: the gateway's number of each that was acknowledged, and those without an answer. */
interface Purchases {
  readonly acknowledged: Array<string>
  readonly orderIds: Map<string, string>
  readonly doubtful: Array<string>
  /** The HTTP statuses of sales without an answer. */
  readonly statuses: Set<string>
}

/** Customers buy one thing after another, until the scope ends. */
const customers = Effect.gen(function* () {
  const pay = yield* PayClient.PayClient
  const { url } = yield* Inbox.Inbox
  const payment = yield* Effect.fromResult(SALE.decodeFields(Sample.request(SALE)))
  const purchases: Purchases = { acknowledged: [], orderIds: new Map(), doubtful: [], statuses: new Set() }
  const buy = Effect.fnUntraced(function* (client_orderid: string) {
    const sale = yield* Effect.result(pay.sale({ ...payment, client_orderid, server_callback_url: url }))
    if (sale._tag === "Success") {
      purchases.orderIds.set(client_orderid, sale.success["paynet-order-id"])
      purchases.acknowledged.push(client_orderid)
    } else {
      purchases.doubtful.push(client_orderid)
      purchases.statuses.add(sale.failure._tag === "OutcomeUnknown" ? sale.failure.code : sale.failure._tag)
      yield* Effect.sleep("100 millis")
    }
  }, Effect.uninterruptible)
  const many = Effect.fnUntraced(function* (customer: number) {
    for (let n = 0; ; n += 1) yield* buy(`customer-${customer}-${n}`)
  })
  for (let customer = 0; customer < 4; customer += 1) yield* Effect.forkScoped(many(customer))
  return purchases
})

/** Answers the HTTP status of the gateway's readiness. */
const readiness = Effect.gen(function* () {
  const { publicBaseUrl } = yield* NodeServer
  return yield* Effect.promise(async () => (await fetch(`${new URL(publicBaseUrl).origin}/readyz`)).status)
})

const untilReadiness = (status: number) => Effect.repeat(readiness, { schedule: soon, until: (now) => now === status })

/** Follows each purchase to its end, and compares what the merchant knows with the books of gateway and bank. */
const check = Effect.fnUntraced(function* ({ doubtful, orderIds, statuses }: Purchases) {
  // 500 says that the sale may have been accepted, 503 that it was not.
  assert.include([...statuses], "503")
  for (const status of statuses) assert.include(["500", "503"], status)
  // Work that was begun and not recorded is taken up again when its lease is over.
  yield* World.pass("5 minutes")

  const pay = yield* PayClient.PayClient
  const inbox = yield* Inbox.Inbox
  const control = yield* SandboxControl
  const final = (client_orderid: string) =>
    Effect.repeat(pay.status({ client_orderid }), { until: ({ status }) => Status.isFinal(status), schedule: soon })
  for (const client_orderid of doubtful) {
    const answer = yield* Effect.result(final(client_orderid))
    if (answer._tag === "Success") orderIds.set(client_orderid, `${answer.success["paynet-order-id"]}`)
    else assert.deepInclude(answer.failure, { _tag: "Refused", errorCode: 54 }, client_orderid)
  }
  for (const [client_orderid, orderId] of orderIds) {
    assert.strictEqual((yield* final(client_orderid)).status, "approved", client_orderid)
    assert.strictEqual((yield* control.books.totals(orderId)).capturedMinor, 1042, client_orderid)
    yield* Effect.repeat(
      Effect.sync(() => inbox.about(orderId).length),
      { until: (count) => count > 0, schedule: soon }
    )
    assert.deepStrictEqual([...new Set(inbox.about(orderId).map(({ status }) => status))], ["approved"])
  }
  const { findings, orders } = yield* Reconciliation.check
  assert.deepStrictEqual(findings, [])
  assert.strictEqual(orders, orderIds.size)
  assert.deepStrictEqual(yield* control.violations, [])
})

const options = (...ports: ReadonlyArray<number>) => ({
  database: { url: Redacted.make(Sales.at(...ports)), statementTimeoutMs: 300, connectTimeoutMs: 2000 },
  bank: GatewayProcess.bank
})

describe("a gateway on a PostgreSQL server with a synchronous standby", () => {
  it.live(
    "says that it cannot serve when the standby or the primary is gone, follows the new primary, and charges each order once",
    () =>
      Effect.gen(function* () {
        const primary = yield* PostgresServer.make()
        const standby = yield* Standby.make(primary)
        const folder = yield* DataFolder.folder
        yield* TestGateway.quietly(
          folder,
          options(primary.port, standby.port)
        )(
          Effect.gen(function* () {
            const purchases = yield* Effect.scoped(
              Effect.gen(function* () {
                const bought = yield* customers
                yield* Sales.more(bought.acknowledged, 20)
                assert.strictEqual(yield* readiness, 200)
                yield* standby.kill
                yield* untilReadiness(503)
                const { length } = bought.acknowledged
                yield* Sales.more(bought.doubtful, 10)
                assert.lengthOf(bought.acknowledged, length)
                yield* standby.start
                yield* Sales.more(bought.acknowledged, 20)
                yield* Standby.synchronous(primary)
                yield* primary.kill
                yield* Sales.more(bought.doubtful, 10)
                yield* Standby.promote(standby)
                yield* Sales.more(bought.acknowledged, 20)
                yield* untilReadiness(200)
                return bought
              })
            )
            // Work that was begun and not recorded is taken up again when its lease is over.
            yield* World.pass("5 minutes")
            yield* check(purchases)
          })
        )
      }).pipe(Effect.provide(Inbox.layer))
  )
})

describe("a gateway on a PostgreSQL server", () => {
  it.live("charges each order once when its connections are cut again and again, and the server is killed", () =>
    Effect.gen(function* () {
      const server = yield* PostgresServer.make()
      const proxy = yield* TcpProxy.make(server.port)
      const folder = yield* DataFolder.folder
      yield* TestGateway.quietly(
        folder,
        options(proxy.port)
      )(
        Effect.gen(function* () {
          const purchases = yield* Effect.scoped(
            Effect.gen(function* () {
              const bought = yield* customers
              yield* Effect.repeat(Effect.andThen(Sales.more(bought.acknowledged, 5), proxy.cutAll), { times: 10 })
              yield* server.kill
              yield* Sales.more(bought.doubtful, 10)
              yield* server.start
              yield* Sales.more(bought.acknowledged, 20)
              return bought
            })
          )
          yield* check(purchases)
        })
      )
    }).pipe(Effect.provide(Inbox.layer))
  )
})

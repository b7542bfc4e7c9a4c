import { assert, describe, it } from "@effect/vitest"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Redacted } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as Inbox from "../harness/Inbox.ts"
import * as SalesLedger from "../harness/SalesLedger.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as World from "../harness/World.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as Sales from "./Sales.ts"
import * as Session from "./Session.ts"
import * as Standby from "./Standby.ts"
import * as TcpProxy from "./TcpProxy.ts"

interface Purchases extends SalesLedger.SalesLedger {
  /** The HTTP statuses of sales without an answer. */
  readonly statuses: Set<string>
}

/** Customers buy one thing after another, until the scope ends. */
const customers = Effect.gen(function* () {
  const pay = yield* PayClient.PayClient
  const { url } = yield* Inbox.Inbox
  const purchases: Purchases = { ...SalesLedger.make(), statuses: new Set() }
  const buy = Effect.fnUntraced(function* (client_orderid: string) {
    const failure = yield* SalesLedger.sell(purchases, pay, client_orderid, url)
    if (failure !== undefined) {
      purchases.doubtful.add(client_orderid)
      purchases.statuses.add(failure._tag === "OutcomeUnknown" ? failure.code : failure._tag)
      yield* Effect.sleep("100 millis")
    }
  }, Effect.uninterruptible)
  const many = Effect.fnUntraced(function* (customer: number) {
    for (let n = 0; ; n += 1) yield* buy(`customer-${customer}-${n}`)
  })
  for (let customer = 0; customer < 4; customer += 1) yield* Effect.forkScoped(many(customer))
  return purchases
})

/** Follows each purchase to its end, and compares what the merchant knows with the books of gateway and bank. */
const check = Effect.fnUntraced(function* (purchases: Purchases) {
  // 500 says that the sale may have been accepted, 503 that it was not.
  assert.include([...purchases.statuses], "503")
  for (const status of purchases.statuses) assert.include(["500", "503"], status)
  // Work that was begun and not recorded is taken up again when its lease is over.
  yield* World.pass("5 minutes")
  yield* SalesLedger.follow(purchases)
  assert.strictEqual(yield* SalesLedger.check(purchases), purchases.acknowledged.size)
})

const options = (...ports: ReadonlyArray<number>) => ({
  database: { url: Redacted.make(Sales.at(...ports)), statementTimeoutMs: 300, connectTimeoutMs: 2000 },
  bank: GatewayProcess.bank
})

describe("a gateway on a PostgreSQL server with a synchronous standby", () => {
  it.live(
    "is not ready while the standby or the primary is down, follows the new primary, and charges each order once",
    () =>
      Effect.gen(function* () {
        const primary = yield* PostgresServer.make({ hasStore: true })
        const standby = yield* Standby.make(primary)
        const folder = yield* temporaryFolder
        yield* TestGateway.quietly(
          folder,
          options(primary.port, standby.port)
        )(
          Effect.gen(function* () {
            const purchases = yield* Effect.scoped(
              Effect.gen(function* () {
                const bought = yield* customers
                yield* Sales.more(bought.acknowledged, 20)
                assert.strictEqual(yield* TestGateway.readiness, 200)
                yield* standby.kill
                yield* TestGateway.untilReadiness(503)
                const { size } = bought.acknowledged
                yield* Sales.more(bought.doubtful, 10)
                assert.strictEqual(bought.acknowledged.size, size)
                yield* standby.start
                yield* Sales.more(bought.acknowledged, 20)
                yield* Standby.synchronous(primary)
                yield* primary.kill
                yield* Sales.more(bought.doubtful, 10)
                yield* Standby.promote(standby)
                yield* Sales.more(bought.acknowledged, 20)
                yield* TestGateway.untilReadiness(200)
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
  it.live("charges each order once while its connections are cut repeatedly and the server is killed", () =>
    Effect.gen(function* () {
      const server = yield* PostgresServer.make({ hasStore: true })
      const proxy = yield* TcpProxy.make(server.port)
      const folder = yield* temporaryFolder
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

  it.live("takes no order, and is not ready, while its server may lose commits, and goes on by itself", () =>
    Effect.gen(function* () {
      const server = yield* PostgresServer.make({ inMemory: true, hasStore: true })
      const admin = Session.superuser(server)
      const folder = yield* temporaryFolder
      yield* TestGateway.quietly(
        folder,
        options(server.port)
      )(
        Effect.gen(function* () {
          const purchases = yield* Effect.scoped(
            Effect.gen(function* () {
              const bought = yield* customers
              yield* Sales.more(bought.acknowledged, 5)
              yield* Session.query(admin, "ALTER SYSTEM SET fsync = off")
              yield* Session.query(admin, "SELECT pg_reload_conf()")
              yield* TestGateway.untilReadiness(503)
              const { size } = bought.acknowledged
              yield* Sales.more(bought.doubtful, 10)
              assert.strictEqual(bought.acknowledged.size, size)
              yield* Session.query(admin, "ALTER SYSTEM RESET fsync")
              yield* Session.query(admin, "SELECT pg_reload_conf()")
              yield* TestGateway.untilReadiness(200)
              yield* Sales.more(bought.acknowledged, 5)
              return bought
            })
          )
          yield* check(purchases)
        })
      )
    }).pipe(Effect.provide(Inbox.layer))
  )
})

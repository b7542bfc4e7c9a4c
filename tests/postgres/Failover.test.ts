import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PostgresServer from "./PostgresServer.ts"
import * as Sales from "./Sales.ts"
import * as Session from "./Session.ts"
import * as Standby from "./Standby.ts"

const pair = Effect.gen(function* () {
  const primary = yield* PostgresServer.make({ hasStore: true })
  const standby = yield* Standby.make(primary)
  const url = Sales.at(primary.port, standby.port)
  return { primary, standby, url }
})

/** The time after which a commit without an answer of the standby has an unknown outcome. */
const shortTimeout = { statementTimeoutMs: 300 }

describe("stores on PostgreSQL with a synchronous standby", () => {
  it.live("switch to the standby when the primary fails, and have each acknowledged sale once", () =>
    Effect.gen(function* () {
      const { primary, standby, url } = yield* pair
      const stores = yield* Effect.all([Sales.open(url), Sales.open(url)])
      const sales = yield* Effect.scoped(
        Effect.gen(function* () {
          const load = yield* Sales.sellers(stores)
          yield* Sales.more(load.acknowledged)
          yield* primary.kill
          yield* Sales.more(load.refused, 10)
          yield* Standby.promote(standby)
          yield* Sales.more(load.acknowledged)
          return load
        })
      )
      yield* Sales.check(stores[0], sales)
      // A gateway that starts now finds the primary as well, and all of it.
      yield* Sales.check(yield* Sales.open(url), sales)
    })
  )

  it.live("acknowledge nothing while the standby is down, and continue when it is back", () =>
    Effect.gen(function* () {
      const { primary, standby, url } = yield* pair
      const stores = yield* Effect.all([Sales.open(url, shortTimeout), Sales.open(url, shortTimeout)])
      const sales = yield* Effect.scoped(
        Effect.gen(function* () {
          const load = yield* Sales.sellers(stores)
          yield* Sales.more(load.acknowledged)
          yield* standby.kill
          // What waits at that moment the standby may already have.
          yield* Sales.more(load.unknown, 1)
          const { length } = load.acknowledged
          yield* Sales.more(load.refused, 20)
          assert.lengthOf(load.acknowledged, length)
          yield* standby.start
          yield* Standby.synchronous(primary)
          yield* Sales.more(load.acknowledged)
          return load
        })
      )
      yield* Sales.check(stores[0], sales)
      yield* primary.kill
      yield* Standby.promote(standby)
      yield* Sales.check(yield* Sales.open(url), sales)
    })
  )

  it.live("acknowledge no commit whose wait for the standby was cancelled", () =>
    Effect.gen(function* () {
      const { primary, standby, url } = yield* pair
      const store = yield* Sales.open(url, shortTimeout)
      const sales = Sales.none()
      yield* Sales.sell(store, sales, "first")
      yield* standby.kill
      const waits = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
      const cancel = Standby.untilRow(primary, `SELECT pg_cancel_backend(pid) ${waits}`)
      yield* Effect.forkScoped(Effect.forever(cancel))
      yield* Sales.sell(store, sales, "second")
      assert.deepStrictEqual(sales, { acknowledged: ["first"], refused: [], unknown: ["second"] })
      yield* primary.kill
      yield* standby.start
      yield* Standby.promote(standby)
      assert.deepStrictEqual(yield* Sales.check(yield* Sales.open(url), sales), ["first"])
    })
  )

  it.live("refuse a promoted standby that lacks an acknowledged commit", () =>
    Effect.gen(function* () {
      const { primary, standby, url } = yield* pair
      const store = yield* Sales.open(url)
      const sales = Sales.none()
      yield* Sales.sell(store, sales, "both")
      yield* standby.kill
      // Somebody who wants to go on without a standby gives up its guarantee.
      yield* Session.query(Session.superuser(primary), "ALTER SYSTEM SET synchronous_standby_names = ''")
      yield* Session.query(Session.superuser(primary), "SELECT pg_reload_conf()")
      yield* Sales.sell(store, sales, "primary only")
      assert.deepStrictEqual(sales, { acknowledged: ["both", "primary only"], refused: [], unknown: [] })
      yield* primary.kill
      yield* standby.start
      yield* Standby.promote(standby)
      for (const orderId of ["3", "4", "5"]) yield* Sales.sell(store, sales, orderId)
      assert.lengthOf(sales.acknowledged, 2)
      assert.strictEqual((yield* Effect.flip(Sales.check(store, sales)))._tag, "StoreUnavailable")
      const rows = yield* Session.query(Session.superuser(standby), 'SELECT "orderId" FROM pay.orders')
      assert.deepStrictEqual(rows, [{ orderId: "both" }])
    })
  )
})

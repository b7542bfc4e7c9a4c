import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Effect, Exit, Schedule, Scope } from "effect"
import * as LimitedDisk from "./LimitedDisk.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as Sales from "./Sales.ts"
import * as Session from "./Session.ts"
import * as TcpProxy from "./TcpProxy.ts"

describe("a store on a server whose disk is full", () => {
  it.live("refuses commits while the disk is full, says so until there is room, and then continues by itself", () =>
    Effect.gen(function* () {
      const disk = yield* LimitedDisk.make(128)
      const server = yield* PostgresServer.make({ disk: disk.folder, hasStore: true })
      const store = yield* Sales.open(Sales.at(server.port))
      const isShort = () => store.isShort?.() === true
      assert.isFalse(isShort())
      const sales = yield* Effect.scoped(
        Effect.gen(function* () {
          const load = yield* Sales.sellers([store])
          yield* Sales.more(load.acknowledged)
          yield* disk.fill
          yield* Sales.more(load.refused)
          assert.isTrue(isShort())
          yield* disk.free
          yield* Sales.more(load.acknowledged)
          return load
        })
      )
      yield* Effect.repeat(Effect.sync(isShort), { schedule: Schedule.spaced("20 millis"), while: (is) => is })
      yield* Sales.check(store, sales)
    })
  )

  it.live("keeps each acknowledged sale when the server stops because it cannot write its log", () =>
    Effect.gen(function* () {
      const disk = yield* LimitedDisk.make(128)
      const server = yield* PostgresServer.make({
        disk: disk.folder,
        hasStore: true,
        settings: { restart_after_crash: "off" }
      })
      const store = yield* Sales.open(Sales.at(server.port))
      const sales = yield* Effect.scoped(
        Effect.gen(function* () {
          const load = yield* Sales.sellers([store])
          yield* Sales.more(load.acknowledged)
          yield* disk.fill
          // Each of these asks for another file of the log.
          const files = Session.query(
            Session.superuser(server),
            "SELECT pg_switch_wal(), pg_logical_emit_message(false, '', '')"
          )
          yield* Effect.flip(Effect.forever(files))
          yield* Sales.more(load.refused)
          yield* disk.free
          yield* server.kill
          yield* server.start
          yield* Sales.more(load.acknowledged)
          return load
        })
      )
      yield* Sales.check(store, sales)
    })
  )
})

const behindProxy = Effect.gen(function* () {
  const direct = yield* (yield* Sales.Databases).make
  const url = new URL(direct)
  const proxy = yield* TcpProxy.make(Number(url.port))
  url.port = `${proxy.port}`
  const store = yield* Sales.open(url.href)
  const sales = Sales.none()
  yield* Sales.sell(store, sales, "first")
  return { direct, proxy, sales, store, through: url.href }
})

layer(Sales.Databases.layer, { excludeTestServices: true })("a store", (it) => {
  it.effect("reads its server's clock, with which the machine's is compared", () =>
    Effect.gen(function* () {
      const store = yield* Sales.open(yield* (yield* Sales.Databases).make)
      const serverMs = yield* store.clockMs ?? Effect.succeed(0)
      assert.isBelow(Math.abs(serverMs - (yield* Clock.currentTimeMillis)), 60_000)
    })
  )

  it.effect("refuses a commit that waits too long for a lock, and continues once the lock is released", () =>
    Effect.gen(function* () {
      const { direct, sales, store } = yield* behindProxy
      const other = yield* Session.open({ connectionString: direct })
      yield* other.query("BEGIN")
      yield* other.query("LOCK TABLE pay.orders IN ACCESS EXCLUSIVE MODE")
      yield* Effect.all([Sales.sell(store, sales, "second"), Sales.sell(store, sales, "third")], { concurrency: 2 })
      assert.deepStrictEqual(sales.refused, ["second", "third"])
      assert.strictEqual((yield* Effect.flip(Sales.check(store, sales)))._tag, "StoreUnavailable")
      yield* other.query("ROLLBACK")
      yield* Sales.recover(store, sales)
      yield* Sales.check(store, sales)
    })
  )

  it.effect(
    "commits 200 sales that come at once in at most two transactions over a connection with 200 ms of latency",
    () =>
      Effect.gen(function* () {
        const { direct, proxy, sales, store } = yield* behindProxy
        // Not all requests: the store's other connections send theirs when they get ready.
        const transactions = Sales.transactions(direct)
        assert.strictEqual(yield* transactions, 1)
        yield* proxy.delay(200)
        const beginMs = yield* Clock.currentTimeMillis
        const orderIds = Array.from({ length: 200 }, (_, at) => `order ${at}`)
        yield* Effect.forEach(orderIds, (orderId) => Sales.sell(store, sales, orderId), { concurrency: "unbounded" })
        assert.isAtLeast((yield* Clock.currentTimeMillis) - beginMs, 199)
        assert.isAtMost(yield* transactions, 1 + 2)
        assert.lengthOf(sales.acknowledged, 201)
        yield* proxy.delay(0)
        yield* Sales.check(store, sales)
      })
  )
})

it.live("a store without a free connection refuses commits, does not start, and recovers by itself", () =>
  Effect.gen(function* () {
    const server = yield* PostgresServer.make({ hasStore: true, settings: { max_connections: "20" } })
    const admin = Session.superuser(server)
    const clerk = { user: "clerk", password: "secret" }
    yield* Session.query(admin, "CREATE ROLE clerk LOGIN PASSWORD 'secret'")
    yield* Session.query(admin, "CREATE DATABASE pay OWNER clerk")
    const proxy = yield* TcpProxy.make(server.port)
    const url = Session.url([proxy.port], { ...clerk, database: "pay" })
    const store = yield* Sales.open(url)
    const sales = Sales.none()
    yield* Sales.sell(store, sales, "first")
    const others = yield* Scope.make()
    yield* proxy.refuse
    const connectionString = Session.url([server.port], clerk)
    const all = Effect.forever(Scope.provide(Session.open({ connectionString }), others))
    assert.strictEqual(yield* Session.stateOf(all), "53300")
    yield* proxy.accept
    yield* Sales.sell(store, sales, "second")
    assert.deepStrictEqual(sales, { acknowledged: ["first"], refused: ["second"], unknown: [] })
    const start = yield* Effect.flip(Effect.scoped(Sales.open(url)))
    assert.deepInclude({ ...start }, { _tag: "PostgresRefused", why: "unreachable" })
    yield* Scope.close(others, Exit.void)
    yield* Sales.recover(store, sales)
    yield* Sales.check(store, sales)
  })
)

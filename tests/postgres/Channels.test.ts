/** The rows of channels, by which gateways find out whether a database has what was acknowledged to them. */
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import * as Batch from "../../gateway/storage/src/postgres/Batch.ts"
import * as CommitChannel from "../../gateway/storage/src/postgres/CommitChannel.ts"
import * as Connections from "../../gateway/storage/src/postgres/Connections.ts"
import * as Migrate from "../../gateway/storage/src/postgres/Migrate.ts"
import * as Target from "../../gateway/storage/src/postgres/Target.ts"
import * as Sales from "./Sales.ts"
import * as ServerAccount from "./ServerAccount.ts"
import * as Session from "./Session.ts"
import * as TcpProxy from "./TcpProxy.ts"

/** Makes every commit so far a year old. */
const aYearAgo = "UPDATE pay.writers SET at = at - interval '1 year'"

const numbers = "SELECT number::int AS n FROM pay.writers ORDER BY writer"

layer(Sales.Databases.layer, { excludeTestServices: true })("a store", (it) => {
  it.effect("starts with its witness after it was off for a year in which others started", () =>
    Effect.gen(function* () {
      const url = yield* (yield* Sales.Databases).make
      const witness = join(yield* ServerAccount.folder, "spare.witness")
      const sales = Sales.none()
      yield* Effect.scoped(Effect.flatMap(Sales.open(url, { witness }), (spare) => Sales.sell(spare, sales, "spare's")))
      yield* Session.query({ connectionString: url }, aYearAgo)
      const other = yield* Sales.open(url)
      yield* Sales.sell(other, sales, "other's")
      const spare = yield* Sales.open(url, { witness })
      yield* Sales.sell(spare, sales, "spare's, a year later")
      assert.lengthOf(sales.acknowledged, 3)
      yield* Sales.check(spare, sales)
    })
  )

  it.effect("serves on after a year without a sale in which others started, also on new connections", () =>
    Effect.gen(function* () {
      const url = yield* (yield* Sales.Databases).make
      const admin = { connectionString: url }
      const quiet = yield* Sales.open(url)
      const sales = Sales.none()
      yield* Effect.forEach(["1", "2", "3", "4"], (orderId) => Sales.sell(quiet, sales, orderId))
      yield* Session.query(admin, aYearAgo)
      const others = yield* Scope.make()
      yield* Scope.provide(Sales.open(url), others)
      yield* Scope.close(others, Exit.void)
      yield* Effect.forEach(["5", "6"], (orderId) => Sales.sell(quiet, sales, orderId))
      assert.deepStrictEqual(sales, { acknowledged: ["1", "2", "3", "4", "5", "6"], refused: [], unknown: [] })
      yield* Session.query(
        admin,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
      )
      yield* Sales.recover(quiet, sales)
      yield* Sales.check(quiet, sales)
    })
  )

  it.effect("is not opened on a database that lacks commits, also after a start that committed nothing", () =>
    Effect.gen(function* () {
      const url = yield* (yield* Sales.Databases).make
      const witness = join(yield* ServerAccount.folder, "witness")
      const open = Sales.open(url, { witness })
      yield* Effect.scoped(Effect.flatMap(open, (store) => Sales.sell(store, Sales.none(), "acknowledged")))
      yield* Effect.scoped(open)
      yield* Session.query({ connectionString: url }, "UPDATE pay.writers SET number = number - 1")
      assert.include((yield* Effect.flip(Effect.scoped(open))).message, "lacks commits that this gateway saw")
    })
  )

  it.effect.each(["", "?pgbouncer=true"])(
    "acknowledges nothing more when the database lacks a commit of any of its channels, on open connections too %s",
    (way) =>
      Effect.gen(function* () {
        const url = yield* (yield* Sales.Databases).make
        const store = yield* Sales.open(`${url}${way}`)
        const sales = Sales.none()
        yield* Effect.forEach(["1", "2"], (orderId) => Sales.sell(store, sales, orderId))
        const loss = "UPDATE pay.writers SET number = number - 1 WHERE writer LIKE '%.1'"
        yield* Session.query({ connectionString: url }, loss)
        yield* Effect.forEach(["3", "4"], (orderId) => Sales.sell(store, sales, orderId))
        assert.deepStrictEqual(sales, { acknowledged: ["1", "2"], refused: ["3", "4"], unknown: [] })
        assert.strictEqual((yield* Effect.flip(Sales.check(store, sales)))._tag, "StoreUnavailable")
      })
  )

  it.effect("does not take a batch without an answer for lost where batches before it are missing", () =>
    Effect.gen(function* () {
      const url = yield* (yield* Sales.Databases).make
      const proxy = yield* TcpProxy.make(Number(new URL(url).port))
      const through = Object.assign(new URL(url), { port: `${proxy.port}` }).href
      const target = yield* Effect.fromResult(Target.parse(through))
      const connection = yield* Connections.make(() => target, { connectMs: 2000, answerMs: 2000 })
      const channel = yield* CommitChannel.make(connection, "channel", Migrate.commit.name)
      const commit = channel.commit((number) => Batch.encode({ writer: "channel", number, positions: [] }, [], 0))
      for (const _ of [1, 2, 3]) assert.strictEqual((yield* commit)._tag, "Committed")
      yield* Session.query({ connectionString: url }, "UPDATE pay.writers SET number = number - 2")
      const done = yield* proxy.cutAt("before", "pay.commit_")
      assert.strictEqual((yield* Effect.flip(commit))._tag, "Behind")
      yield* done
    })
  )

  it.effect("uses its channels in turn, so that none of them is silent while the others commit", () =>
    Effect.gen(function* () {
      const url = yield* (yield* Sales.Databases).make
      const store = yield* Sales.open(url, { writers: 3 })
      const sales = Sales.none()
      yield* Effect.forEach(["1", "2", "3", "4", "5", "6"], (orderId) => Sales.sell(store, sales, orderId))
      assert.deepStrictEqual(yield* Session.query({ connectionString: url }, numbers), [{ n: 2 }, { n: 2 }, { n: 2 }])
    })
  )
})

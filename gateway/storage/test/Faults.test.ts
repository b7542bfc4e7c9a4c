import { assert, describe, it } from "@effect/vitest"
import { Store } from "@pay/gateway/Store"
import * as Database from "@pay/sqlite/Database"
import { Cause, Effect, Exit, Layer } from "effect"
import { temporaryFile } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as SqliteStore from "../src/SqliteStore.ts"
import * as Image from "./Image.ts"
import * as Sale from "./Sale.ts"

/** Returns the result of a commit for its caller: `written`, `refused`, `unknown`, `not written` or `defect`. */
const commitSale = (store: Store["Service"], orderId: string) =>
  store.commit(Sale.make(orderId)).pipe(
    Effect.as("written"),
    Effect.catchTags({
      GuardFailed: () => Effect.succeed("refused"),
      StoreUnavailable: (error) => Effect.succeed(error.outcomeUnknown ? "unknown" : "not written")
    }),
    Effect.catchCause((cause) => Effect.succeed(Cause.hasDies(cause) ? "defect" : "interrupted"))
  )

const together = (store: Store["Service"], orderIds: ReadonlyArray<string>) =>
  Effect.forEach(orderIds, (orderId) => commitSale(store, orderId), { concurrency: "unbounded" })

const failDisk = () => {
  throw new Error("the disk is gone")
}

describe("a failed COMMIT", () => {
  it.effect.each([
    { what: "did not happen", fault: failDisk, matches: ["before", "after"] },
    {
      what: "happened",
      fault: (run: () => void) => {
        run()
        failDisk()
      },
      matches: ["before", "a", "b", "after"]
    }
  ])("has an unknown outcome for every caller, and the store shows that it $what", ({ fault, matches: results }) =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      let failing = false
      const intercept: Database.Intercept = (sql, run) => (failing && sql === "COMMIT" ? fault(run) : run())
      yield* Effect.gen(function* () {
        const store = yield* Store
        assert.strictEqual(yield* commitSale(store, "before"), "written")
        failing = true
        assert.deepStrictEqual(yield* together(store, ["a", "b"]), ["unknown", "unknown"])
        failing = false
        assert.strictEqual(yield* commitSale(store, "after"), "written")
        assert.deepStrictEqual(yield* Sale.present(["before", "a", "b", "after"]), results)
      }).pipe(Effect.provide(SqliteStore.layer({ path, intercept })))
    })
  )
})

describe("a clean close after a failed COMMIT", () => {
  it.effect.each([
    { what: "did not happen", fault: failDisk, sold: ["before"] },
    {
      what: "happened",
      fault: (run: () => void) => {
        run()
        failDisk()
      },
      sold: ["before", "last"]
    }
  ])("that $what leaves a store that opens with all its commits", ({ fault, sold }) =>
    Effect.gen(function* () {
      const image = yield* Image.empty
      let failing = false
      const intercept: Database.Intercept = (sql, run) => (failing && sql === "COMMIT" ? fault(run) : run())
      const program = Effect.gen(function* () {
        const store = yield* Store
        assert.strictEqual(yield* commitSale(store, "before"), "written")
        failing = true
        assert.strictEqual(yield* commitSale(store, "last"), "unknown")
        failing = false
      })
      yield* Image.on(image, program, { intercept })
      assert.strictEqual(yield* Image.opening(image, ["before", "last"]), `opens with ${sold.length} of 2`)
    })
  )
})

describe("a store that cannot write", () => {
  it.effect("on a full disk reports that nothing was written, still reads, and writes again when there is space", () =>
    Effect.gen(function* () {
      const database = yield* Database.open({ path: yield* temporaryFile })
      const store = yield* SqliteStore.make({ database })
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* commitSale(store, "before"), "written")
        database.connection.exec("PRAGMA max_page_count = 1")
        const written = ["before"]
        while ((yield* commitSale(store, `${written.length}`)) === "written") written.push(`${written.length}`)
        const next = `${written.length}`
        assert.deepStrictEqual(yield* together(store, [next, `${next}.1`]), ["not written", "not written"])
        assert.deepStrictEqual(yield* Sale.present([...written, next, `${next}.1`]), written)
        database.connection.exec("PRAGMA max_page_count = 1000000")
        assert.strictEqual(yield* commitSale(store, next), "written")
      }).pipe(Effect.provideService(Store, store))
    })
  )

  it.effect("fails reads, claims and commits after it was closed", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const store = yield* Effect.scoped(
        Effect.map(Layer.build(SqliteStore.layer({ path })), (context) => Store.pipe(Effect.provide(context)))
      ).pipe(Effect.flatten)
      assert.strictEqual(yield* commitSale(store, "late"), "not written")
      const claim = yield* Effect.exit(store.claimDue({ kind: "bank", nowMs: 1, limit: 1, leaseMs: 1, token: "t" }))
      const read = yield* Effect.exit(Sale.present(["late"]).pipe(Effect.provideService(Store, store)))
      assert.deepStrictEqual([Exit.hasFails(claim), Exit.hasFails(read)], [true, true])
    })
  )

  it.effect("a decision that violates a constraint is a defect, and concurrent decisions are written", () =>
    Effect.gen(function* () {
      const database = yield* Database.open({ path: ":memory:" })
      const store = yield* SqliteStore.make({ database })
      database.connection.exec(
        "CREATE TRIGGER trap BEFORE INSERT ON orders WHEN new.orderId = 'trapped' BEGIN SELECT RAISE(ABORT, 'no'); END"
      )
      assert.deepStrictEqual(yield* together(store, ["a", "trapped", "b"]), ["written", "defect", "written"])
      const matches = yield* Sale.present(["a", "trapped", "b"]).pipe(Effect.provideService(Store, store))
      assert.deepStrictEqual(matches, ["a", "b"])
    })
  )
})

describe("a store that is opened again", () => {
  it.effect("has its earlier commits", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const first = Effect.flatMap(Store, (store) => commitSale(store, "kept"))
      assert.strictEqual(yield* Effect.provide(first, SqliteStore.layer({ path })), "written")
      assert.strictEqual(yield* Effect.provide(first, SqliteStore.layer({ path })), "refused")
      assert.deepStrictEqual(yield* Effect.provide(Sale.present(["kept"]), SqliteStore.layer({ path })), ["kept"])
    })
  )
})

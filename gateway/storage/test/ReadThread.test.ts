import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { AuditEntry } from "@pay/gateway/Entities"
import { Audit, Store } from "@pay/gateway/Store"
import { Context, Effect, Layer } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as ReadThread from "../src/ReadThread.ts"
import * as SqliteStore from "../src/SqliteStore.ts"

const entry = (auditId: string) =>
  Audit.entry({ auditId, atMs: 1, actor: "gateway", action: "test", subject: { kind: "test", id: auditId } })

const opened = Effect.gen(function* () {
  const path = `${yield* temporaryFolder}/gateway.db`
  const services = yield* Layer.build(SqliteStore.layer({ path, witness: `${path}.witness` }))
  const store = Context.get(services, Store)
  const { aside } = store
  assert(aside !== undefined)
  return { path, store, aside }
})

describe("reads in a thread of their own", () => {
  it.live("see every commit, in the order and the number of the store's own reads", () =>
    Effect.gen(function* () {
      const { aside, store } = yield* opened
      assert.isUndefined(yield* aside.load(AuditEntry, ["1"]))
      for (const id of ["1", "2", "3"]) {
        yield* store.commit({ guards: [], writes: [entry(id)] })
        assert.deepStrictEqual(yield* aside.load(AuditEntry, [id]), yield* store.load(AuditEntry, [id]))
      }
      const range = { from: 1, limit: 2, descending: true }
      const [own, beside] = yield* Effect.all(
        [store.find(AuditEntry, "at", range), aside.find(AuditEntry, "at", range)],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(beside, own)
      assert.deepStrictEqual(
        beside.map(({ auditId }) => auditId),
        ["3", "2"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("cannot write, and go on after a statement that fails", () =>
    Effect.gen(function* () {
      const { path } = yield* opened
      const ask = yield* ReadThread.make(path)
      for (const text of ["DELETE FROM audit", "SELECT nothing"])
        assert.strictEqual((yield* Effect.flip(ask({ text, values: [] })))._tag, "StoreUnavailable", text)
      assert.deepStrictEqual(yield* ask({ text: "SELECT 1 AS one", values: [] }), [{ one: 1 }])
    }).pipe(Effect.scoped)
  )

  it.live("fail while the file cannot be opened, and begin anew when it can", () =>
    Effect.gen(function* () {
      const path = `${yield* temporaryFolder}/later.db`
      const ask = yield* ReadThread.make(path)
      const question = ask({ text: "SELECT count(*) AS n FROM rows", values: [] })
      assert.strictEqual((yield* Effect.flip(question))._tag, "StoreUnavailable")
      const database = new DatabaseSync(path)
      database.exec("CREATE TABLE rows (n)")
      database.close()
      assert.deepStrictEqual(yield* question, [{ n: 0 }])
    }).pipe(Effect.scoped)
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Store } from "@pay/gateway/Store"
import * as StoreContract from "@pay/gateway/StoreContract"
import * as Database from "@pay/sqlite/Database"
import { Effect } from "effect"
import * as SqliteStore from "../src/SqliteStore.ts"

/** Returns true if a statement reads rows that it does not return, or sorts them. Only a whole index may be scanned, up to LIMIT. */
const unbounded = (sql: string, plan: string): boolean =>
  (plan.includes("SCAN") && (sql.includes("WHERE") || !sql.includes("LIMIT"))) ||
  plan.includes("TEMP B-TREE FOR ORDER BY")

describe("the statements of the store on SQLite", () => {
  it.effect("use an index for each read and write of the contract", () =>
    Effect.gen(function* () {
      const issued = new Map<string, string>()
      for (const { run } of StoreContract.cases) {
        const { connection, ...rest } = yield* Database.open({ path: ":memory:" })
        const store = yield* SqliteStore.make({ database: { connection, ...rest } })
        const prepare = connection.prepare.bind(connection)
        connection.prepare = (sql) => {
          const statement = prepare(sql)
          if (!issued.has(sql)) {
            const steps = prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
            issued.set(sql, steps.map(({ detail }) => `${detail}`).join("; "))
          }
          return statement
        }
        yield* Effect.provideService(run, Store, store)
      }
      assert.deepStrictEqual(
        [...issued].filter(([sql, plan]) => unbounded(sql, plan)),
        []
      )
      for (const verb of ["INSERT", "SELECT", "UPDATE", "DELETE"]) {
        assert.include(
          [...issued.keys()].map((sql) => sql.trim().slice(0, 6)),
          verb
        )
      }
    })
  )
})

/** `pay store` on a file, and how far a move is on a terminal; moves to a server are tested where there is one. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect, Layer } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as StoreProgress from "../src/store/StoreProgress.ts"
import { pay } from "./Pay.ts"

const witnessOf = (path: string) => ({ path, witness: join(path, "../store.witness") })

/** A store that is not in use. */
const store = Effect.tap(
  Effect.map(temporaryFolder, (path) => join(path, "gateway.db")),
  (path) => Effect.scoped(Layer.build(SqliteStore.layer(witnessOf(path))))
)

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.promise(() => pay(["store", ...args], { env }))

const secret = "hunter2-db"

describe("pay store", () => {
  it.live("checks a file, also while a gateway uses it, and lists the problems", () =>
    Effect.gen(function* () {
      const path = yield* store
      const sound = yield* run(["check", path])
      assert.deepStrictEqual([sound.code, sound.err], [0, ""])
      assert.match(sound.out, /^.+gateway\.db \(SQLite\), step \d+ of its schema\n(.*\n)*Nothing is wrong\.\n$/)
      assert.include(sound.out, "has seen nothing that is missing here")
      const beside = yield* Effect.scoped(
        Effect.andThen(Layer.build(SqliteStore.layer(witnessOf(path))), run(["check", path]))
      )
      assert.strictEqual(beside.code, 0, beside.out)
      assert.include(beside.out, `in use by process ${process.pid}`)
      const database = new DatabaseSync(path)
      database.exec(
        `DROP TRIGGER "ledger.no update"; DROP INDEX "orders.created"; INSERT INTO "balances" VALUES ('merchant', 5)`
      )
      database.close()
      const wrong = yield* run(["check", path, "--json"])
      assert.strictEqual(wrong.code, 1)
      const problems = String(JSON.parse(wrong.out).problems.join("\n"))
      assert.include(problems, 'The trigger "ledger.no update" is missing')
      assert.include(problems, 'The index "orders.created" is missing')
      assert.include(problems, "The balance of merchant is not the sum of its entries: they come to -5 more")
      assert.include(problems, "is not as it was left when it was closed")
      const once = yield* run(["check", path])
      assert.lengthOf(once.out.split("is not as it was left when it was closed"), 2, once.out)
      const none = yield* run(["check"], { PAY_DATA: join(path, "..", "none") })
      assert.strictEqual(none.code, 1)
      assert.include(none.err, "There is no store at")
      assert.include((yield* run(["reopen", path])).err, "is not as it was left")
    })
  )

  const server = `postgres://pay:${secret}@127.0.0.1:1/pay`
  const cases: ReadonlyArray<
    readonly [what: string, args: ReadonlyArray<string>, env: Record<string, string>, code: number, text: string]
  > = [
    ["a missing verb", [], {}, 2, "Say check, migrate, move or reopen"],
    ["a move without a target", ["move", "--from", "x.db"], {}, 2, "Give --to URL, or set PAY_DATABASE_URL"],
    ["a move without a source", ["move", "--to", "postgres://db/pay"], {}, 2, "Give --from FILE"],
    ...[
      ["a move of a database to a file", "postgres://db/pay", "x.db"] as const,
      ["a move of a database to the database of the settings", "postgres://db/pay", undefined] as const,
      ["a move of a file to a file", "x.db", "y.db"] as const
    ].map(
      ([what, from, to]) =>
        [
          what,
          ["move", "--from", from, ...(to === undefined ? [] : ["--to", to])],
          { PAY_DATABASE_URL: server },
          2,
          "A store is moved only from a file to a PostgreSQL database: until a gateway ran there, pay store reopen FILE --unused"
        ] as const
    ),
    ["a database to reopen", ["reopen", "--database-url", "postgres://db/pay"], {}, 2, "Name the file that was moved"],
    ["a migration without a database", ["migrate"], {}, 2, "Name the database"],
    ["two stores", ["check", "x.db", "y.db"], {}, 2, "Name one store"],
    ["an address as a file", ["check", "postgres://db/pay"], {}, 2, "An address is given as --database-url URL"],
    ["a password on the command line", ["check", "--database-url", server], {}, 2, "set PAY_DATABASE_URL"],
    ["a password in the target", ["move", "--from", "x.db", "--to", server], {}, 2, "--to has a password"],
    ["no server", ["check"], { PAY_DATABASE_URL: server }, 3, "postgres://127.0.0.1:1/pay cannot be used"],
    ["an unsafe mode", ["check"], { PAY_DATABASE_URL: `${server}?sslmode=prefer` }, 2, "sslmode=prefer does not"],
    [
      "an address of another kind of database",
      ["check"],
      { PAY_DATABASE_URL: `mysql://u:${secret}@h/d` },
      2,
      "cannot be used"
    ]
  ]
  it.live.each(cases)("refuses %s, and prints no password", ([, args, env, code, text]) =>
    Effect.gen(function* () {
      const result = yield* run(args, env)
      assert.strictEqual(result.code, code, result.err)
      assert.include(result.err, text)
      assert.notInclude(result.err + result.out, secret)
    })
  )

  it.live("reads the password from a file, and names a file that it cannot read", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "password")
      const env = { PAY_DATABASE_URL: "postgres://pay@127.0.0.1:1/pay", PAY_DATABASE_PASSWORD_FILE: path }
      const missing = yield* run(["check"], env)
      assert.deepStrictEqual([missing.code, missing.err.includes(path)], [2, true])
      writeFileSync(path, secret)
      const result = yield* run(["check", "--password-file", path], env)
      assert.strictEqual(result.code, 3)
      assert.notInclude(result.err, secret)
    })
  )
})

describe("the progress of a move", () => {
  const copying = (rows: number) => ({ phase: "copying", table: "orders", rows, of: 2000 }) as const

  it("is one line on a terminal, with rows per second", () => {
    let screen = ""
    const shown = StoreProgress.live({ write: (text) => (screen += text), columns: () => 80 })
    shown.report(copying(500), 0)
    shown.report(copying(600), 50)
    shown.report(copying(1500), 2000)
    shown.end()
    assert.deepStrictEqual(screen.split("\r\u001b[2K"), [
      "",
      "copying orders: 500 of 2,000 rows (25 %)",
      "copying orders: 1,500 of 2,000 rows (75 %), 500 rows/s",
      ""
    ])
  })

  it("is a line for each tenth without a terminal", () => {
    const lines: Array<string> = []
    const { report } = StoreProgress.plain((line) => lines.push(line))
    for (let rows = 0; rows <= 2000; rows += 10) report(copying(rows), 0)
    assert.lengthOf(lines, 11)
  })
})

/**
 * Sixteen callers write in endless loops. A job writes its name to two tables. Its caller prints the name after the acknowledgement.
 * The first argument is the file, the second a prefix of the names.
 */
import { writeSync } from "node:fs"
import { Effect } from "effect"
import * as Database from "../../src/Database.ts"
import * as GroupCommit from "../../src/GroupCommit.ts"

const [, , path = "", prefix = ""] = process.argv

const put = (name: string): GroupCommit.Job<void> => ({
  check: () => undefined,
  write: (db) => {
    db.prepare("INSERT INTO debit (name) VALUES (?)").run(name)
    db.prepare("INSERT INTO credit (name) VALUES (?)").run(name)
  }
})

await Effect.gen(function* () {
  const database = yield* Database.open({ path })
  database.connection.exec("CREATE TABLE IF NOT EXISTS debit (name TEXT PRIMARY KEY) STRICT")
  database.connection.exec("CREATE TABLE IF NOT EXISTS credit (name TEXT PRIMARY KEY) STRICT")
  const writer = yield* GroupCommit.make({ database })
  const caller = Effect.fnUntraced(function* (caller: number) {
    for (let turn = 0; ; turn++) {
      const name = `${prefix}.${caller}.${turn}`
      yield* writer.submit(put(name))
      writeSync(1, `${name}\n`)
    }
  })
  yield* Effect.forEach(
    Array.from({ length: 16 }, (_, n) => n),
    caller,
    { concurrency: "unbounded" }
  )
}).pipe(Effect.scoped, Effect.runPromise)

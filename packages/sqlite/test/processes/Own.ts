/**
 * Opens a file as its only writer, prints the outcome, and keeps the file open. It writes a row for each line that it reads, and
 * prints the number of rows. The line `checksum` makes it read all files of the folder instead, as a backup program does.
 */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { Effect, Stream } from "effect"
import * as GroupCommit from "../../src/GroupCommit.ts"
import * as OwnedFile from "../../src/OwnedFile.ts"

const [, , path = "", origin] = process.argv
const print = (line: string | number) => Effect.sync(() => process.stdout.write(`${line}\n`))

const readAll = Effect.sync(() => {
  for (const name of readdirSync(dirname(path))) readFileSync(join(dirname(path), name))
  return "read"
})

await Effect.gen(function* () {
  const { database, sequence } = yield* OwnedFile.open({ path, origin: origin === "restored" ? origin : undefined })
  database.connection.exec("CREATE TABLE IF NOT EXISTS row (place INTEGER PRIMARY KEY) STRICT")
  const { submit } = yield* GroupCommit.make({ database, sequence })
  const write = submit<number, never>({
    check: () => undefined,
    write: (db) => Number(db.prepare("INSERT INTO row DEFAULT VALUES").run().lastInsertRowid)
  })
  yield* print("open")
  const lines = Stream.fromAsyncIterable(createInterface({ input: process.stdin }), () => "the input has ended")
  yield* Stream.runForEach(lines, (line) =>
    Effect.matchEffect(line === "checksum" ? readAll : write, {
      onFailure: ({ message }) => print(message),
      onSuccess: print
    })
  )
}).pipe(
  Effect.catch((error) => print(typeof error === "string" ? error : `${error._tag}: ${error.message}`)),
  Effect.scoped,
  Effect.runPromise
)

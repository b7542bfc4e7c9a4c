/** A file that a process has open: what it is locked against, and what happens if it goes away. */
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, linkSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Database from "../src/Database.ts"
import * as Durability from "../src/durability/Durability.ts"
import { first, program } from "./First.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const gone = /is not the file any more that was opened: it was removed, renamed or replaced/

describe("a file that is open", () => {
  it.live("stays locked until its connection is closed, also while its digest is computed", () =>
    Effect.gen(function* () {
      const path = yield* Database.claim({ path: join(yield* temporaryFolder, "test.db") })
      const durable = { witness: `${path}.witness` }
      const lock = `new (require("node:sqlite").DatabaseSync)(${JSON.stringify(path)}).exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE")`
      const locked = Effect.sync(() => spawnSync(process.execPath, ["-e", lock], { encoding: "utf8" }).stderr)
      let atEnd = ""
      const examined = yield* Durability.examine(path, durable)
      yield* Effect.scoped(
        Durability.open(examined, path, { path }, (database) =>
          Effect.andThen(
            Effect.addFinalizer(() =>
              Effect.map(locked, (error) => {
                atEnd = error
              })
            ),
            Durability.begin(database, examined, durable)
          )
        )
      )
      assert.include(atEnd, "database is locked")
      assert.strictEqual(yield* locked, "")
    })
  )

  it.live("is refused to a worker thread and to a second opening in the same process", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "test.db")
      yield* Database.open({ path })
      assert.strictEqual((yield* Effect.flip(Database.open({ path }))).reason._tag, "InUse")
      const line = yield* Effect.promise(async () => {
        const worker = new Worker(program, { argv: [path], stdin: true, stdout: true })
        worker.stdin?.end()
        const [line] = await once(createInterface({ input: worker.stdout }), "line")
        await worker.terminate()
        return String(line)
      })
      assert.match(line, new RegExp(`in use by process ${process.pid}`))
    })
  )

  it.live("is refused to an opening that keeps no mark, also after its lock file was deleted", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "test.db")
      yield* first(path)
      rmSync(`${path}.lock`)
      assert.match(
        (yield* Effect.flip(Database.open({ path }))).message,
        /in use by another process, perhaps in another container or under another name; stop it first/
      )
    })
  )

  it.live("takes no commit after another file was moved over it, and takes them again when it is back", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [path, aside, copy] = [join(folder, "test.db"), join(folder, "aside.db"), join(folder, "copy.db")]
      const { tell } = yield* first(path)
      yield* Effect.promise(async () => {
        assert.strictEqual(await tell("write"), "1")
        copyFileSync(path, copy)
        linkSync(path, aside)
        renameSync(copy, path)
        assert.match(await tell("write"), gone)
        renameSync(aside, path)
        assert.strictEqual(await tell("write"), "2")
        rmSync(path)
        assert.match(await tell("write"), gone)
      })
    })
  )

  it.live("lets other processes read it, also while it is opened again after kill -9", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "test.db")
      const before = yield* first(path)
      yield* Effect.promise(() => before.tell("write"))
      const reader = yield* Database.open({ path, readOnly: true })
      const rows = reader.read((db) => db.prepare("SELECT count(*) AS n FROM row").get()?.n)
      assert.strictEqual(yield* rows, 1)
      yield* Effect.promise(() => before.signal("SIGKILL"))
      const next = yield* first(path)
      assert.strictEqual(yield* Effect.promise(() => next.tell("write")), "2")
      assert.strictEqual(yield* rows, 2)
      const later = yield* Database.open({ path, readOnly: true })
      assert.strictEqual(yield* later.read((db) => db.prepare("SELECT count(*) AS n FROM row").get()?.n), 2)
    })
  )
})

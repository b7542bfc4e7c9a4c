import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Database from "../src/Database.ts"
import { InUse } from "../src/SqliteError.ts"
import { numbers } from "./Fixture.ts"
import { temporaryFile } from "./TemporaryFolder.ts"

type Child = ChildProcessByStdio<null, Readable, null>

const start = (program: string, ...values: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync((): Child => {
      const file = fileURLToPath(new URL(`processes/${program}.ts`, import.meta.url))
      return spawn(process.execPath, [file, ...values], { stdio: ["ignore", "pipe", "inherit"] })
    }),
    (child) => kill(child)
  )

const kill = (child: Child) =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  })

/** Returns the first `count` lines of the child. With `killed`, kills it after them, and returns all of its lines. */
const lines = (child: Child, count: number, killed: boolean) =>
  Effect.promise(async () => {
    const output: Array<string> = []
    for await (const line of createInterface({ input: child.stdout })) {
      output.push(line)
      if (output.length === count) {
        if (!killed) break
        child.kill("SIGKILL")
      }
    }
    return output
  })

const namesOf = (database: Database.Database, table: "debit" | "credit") =>
  database.read((db) =>
    db
      .prepare(`SELECT name FROM ${table} ORDER BY name`)
      .all()
      .map((row) => String(row.name))
  )

describe("processes on one database file", () => {
  it.live("a second process is refused with the pid of the first, until the first is killed", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const holder = yield* start("Hold", path)
      assert.deepStrictEqual(yield* lines(holder, 1, false), ["open"])
      const error = yield* Effect.flip(Database.open({ path }))
      assert.deepStrictEqual({ ...error.reason }, InUse.make({ path, pid: Number(holder.pid) }))
      yield* kill(holder)
      yield* Database.open({ path })
    })
  )

  it.live("one of four processes that start together gets the file", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const children = yield* Effect.forEach(numbers(4), () => start("Hold", path))
      const output = yield* Effect.forEach(children, (child) => lines(child, 1, false), { concurrency: "unbounded" })
      assert.deepStrictEqual(output.flat().sort(), ["InUse", "InUse", "InUse", "open"])
    })
  )

  it.live(
    "kill -9 during writes loses no acknowledged job and leaves no job half written",
    () =>
      Effect.gen(function* () {
        const path = yield* temporaryFile
        const acknowledged: Array<string> = []
        for (const acknowledgements of [1, 17, 150, 901, 3000]) {
          const output = yield* Effect.scoped(
            Effect.flatMap(start("Write", path, `${acknowledgements}`), (child) => lines(child, acknowledgements, true))
          )
          assert.isAtLeast(output.length, acknowledgements)
          acknowledged.push(...output)
          yield* Effect.scoped(
            Effect.gen(function* () {
              const database = yield* Database.open({ path })
              const debits = yield* namesOf(database, "debit")
              assert.deepStrictEqual(yield* namesOf(database, "credit"), debits)
              const kept = new Set(debits)
              assert.deepStrictEqual(
                acknowledged.filter((name) => !kept.has(name)),
                []
              )
              const check = yield* database.read((db) => db.prepare("PRAGMA integrity_check").get())
              assert.deepEqual(check, { integrity_check: "ok" })
            })
          )
        }
      }),
    30_000
  )
})

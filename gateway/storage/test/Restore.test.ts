import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Restoration } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect } from "effect"
import { temporaryFile } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as Backup from "../src/Backup.ts"
import * as SqliteStore from "../src/SqliteStore.ts"
import * as Sale from "./Sale.ts"

/** A backup with one order, and a folder without a database. */
const prepared = Effect.gen(function* () {
  const file = yield* temporaryFile
  yield* Effect.flatMap(Store, (store) => store.commit(Sale.make("1"))).pipe(
    Effect.provide(SqliteStore.layer({ path: file }), { local: true })
  )
  const dataDirectory = mkdtempSync(join(dirname(file), "data-"))
  return { file, dataDirectory, target: join(dataDirectory, Backup.fileName) }
})

/** Returns the restore mark of the database on which a gateway would start. */
const markOf = (path: string) =>
  Effect.gen(function* () {
    const store = yield* Store
    assert.lengthOf(yield* Sale.present(["1"]), 1)
    return yield* store.load(Restoration, ["latest"])
  }).pipe(Effect.provide(SqliteStore.layer({ path }), { local: true }))

const killedAfter = (step: Backup.Step, file: string, dataDirectory: string) =>
  Effect.sync(() => {
    const program = fileURLToPath(new URL("processes/Restore.ts", import.meta.url))
    const { signal } = spawnSync(process.execPath, [program, file, dataDirectory, step], { stdio: "inherit" })
    assert.strictEqual(signal, "SIGKILL")
  })

describe("a restore that is killed with kill -9", () => {
  it.live.each(["copied", "marked"] as const)(
    "when the backup is %s lets no gateway start, and can be repeated",
    (step) =>
      Effect.gen(function* () {
        const { dataDirectory, file, target } = yield* prepared
        yield* killedAfter(step, file, dataDirectory)
        const refused = yield* Effect.flip(markOf(target))
        assert.strictEqual(refused._tag, "RestoreUnfinished")
        assert.isFalse(existsSync(target))
        yield* Backup.restore({ file, dataDirectory, by: "tester" })
        assert.deepInclude(yield* markOf(target), { startedAtMs: null })
        assert.deepStrictEqual(
          readdirSync(dataDirectory).filter((name) => !name.endsWith(".lock")),
          [Backup.fileName]
        )
      })
  )

  it.live("when the backup is in its place is complete, with its mark", () =>
    Effect.gen(function* () {
      const { dataDirectory, file, target } = yield* prepared
      yield* killedAfter("placed", file, dataDirectory)
      assert.deepInclude(yield* markOf(target), { startedAtMs: null })
      const again = yield* Effect.flip(Backup.restore({ file, dataDirectory, by: "tester" }))
      assert.include(again.message, "restore into a folder without a database")
    })
  )
})

describe("a restore", () => {
  it.live("that fails leaves no files behind, and can be repeated over an empty database file", () =>
    Effect.gen(function* () {
      const { dataDirectory, file, target } = yield* prepared
      const report = (step: Backup.Step) => {
        if (step === "marked") throw new Error("the disk is full")
      }
      const failed = yield* Effect.flip(Backup.restore({ file, dataDirectory, by: "tester", report }))
      assert.include(failed.message, "the disk is full")
      assert.deepStrictEqual(
        readdirSync(dataDirectory).filter((name) => !name.endsWith(".lock")),
        []
      )
      writeFileSync(target, "")
      yield* Backup.restore({ file, dataDirectory, by: "tester" })
      assert.isDefined(yield* markOf(target))
    })
  )

  it.live("into a missing folder or a file is refused, and creates nothing", () =>
    Effect.gen(function* () {
      const { dataDirectory, file } = yield* prepared
      const missing = join(dataDirectory, "gone")
      const intoMissing = yield* Effect.flip(Backup.restore({ file, dataDirectory: missing, by: "tester" }))
      assert.include(intoMissing.message, `the folder ${missing} is missing`)
      assert.isFalse(existsSync(missing))
      const intoFile = yield* Effect.flip(Backup.restore({ file, dataDirectory: file, by: "tester" }))
      assert.include(intoFile.message, `${file} is no folder`)
    })
  )

  it.live("keeps gateways and other restores out of its folder until it ends", () =>
    Effect.gen(function* () {
      const { dataDirectory, file, target } = yield* prepared
      const refusals: Array<string> = []
      yield* Backup.restore({
        file,
        dataDirectory,
        by: "tester",
        report: (step) => {
          const start = Effect.runSync(Effect.flip(markOf(target)))
          const other = Effect.runSync(Effect.flip(Backup.restore({ file, dataDirectory, by: "tester" })))
          refusals.push(`${step} ${start._tag} ${/in use by process|is there/.exec(other.message)}`)
        }
      })
      assert.deepStrictEqual(refusals, [
        "copied RestoreUnfinished in use by process",
        "marked RestoreUnfinished in use by process",
        "placed SqliteError is there"
      ])
      assert.isDefined(yield* markOf(target))
    })
  )
})

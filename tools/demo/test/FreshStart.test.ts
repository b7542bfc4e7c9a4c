/** `--fresh` deletes what the demonstration has kept: nothing else, and nothing under a gateway that runs. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Owner from "@pay/sqlite/Owner"
import { Effect } from "effect"
import * as FreshStart from "../src/FreshStart.ts"

const kept = [
  "gateway.db",
  "gateway.db-wal",
  "store.witness",
  "clock.json",
  "merchant.pem",
  "pay.env",
  "keys.json",
  "conformance.json"
]

/** A folder with these files, a shop, and a file that the demonstration did not make. */
const folderWith = (names: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = await mkdtemp(join(tmpdir(), "pay-fresh-"))
      await mkdir(join(folder, "shop"))
      for (const name of [...names, "notes.txt", "shop/records.db"]) await writeFile(join(folder, name), "")
      return folder
    }),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )

const entries = (folder: string) => Effect.promise(() => readdir(folder))

it.effect("--fresh deletes the files of the demonstration, and keeps other files", () =>
  Effect.gen(function* () {
    const folder = yield* folderWith([...kept, "bank.journal"])
    yield* FreshStart.empty(folder)
    assert.deepStrictEqual(yield* entries(folder), ["notes.txt"])
  })
)

it.effect("--fresh accepts a missing folder", () => FreshStart.empty(join(tmpdir(), "pay-fresh-none")))

it.effect("--fresh refuses a store without a simulated bank", () =>
  Effect.gen(function* () {
    const folder = yield* folderWith(kept)
    const { message } = yield* Effect.flip(FreshStart.empty(folder))
    assert.include(message, "it is not the folder of a sandbox")
    assert.includeMembers(yield* entries(folder), kept)
  })
)

it.effect("--fresh refuses a folder that a gateway uses", () =>
  Effect.gen(function* () {
    const folder = yield* folderWith([...kept, "bank.journal"])
    yield* Effect.acquireRelease(
      Effect.sync(() => Owner.claim(join(folder, "gateway.db"))),
      (release) => Effect.sync(release)
    )
    const { message } = yield* Effect.flip(FreshStart.empty(folder))
    assert.include(message, "is in use by process")
    assert.includeMembers(yield* entries(folder), kept)
  })
)

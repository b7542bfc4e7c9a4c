/** Files of durable flows that are copied, put back, linked and renamed, with real processes. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, existsSync, linkSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../../sqlite/test/TemporaryFolder.ts"

const program = fileURLToPath(new URL("processes/Pay.ts", import.meta.url))

interface Files {
  readonly path: string
  readonly other: string
  readonly book: string
}

type Origin = "-" | "moved" | "restored"

/** Runs a process until its end, and returns its output. */
const pay = ({ book }: Files, path: string, id: string, origin: Origin = "-", end: "end" | "exit" | "kill" = "end") =>
  Effect.sync(() =>
    spawnSync(process.execPath, [program, path, book, id, origin, end], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"]
    }).stdout.trim()
  )

/** A process that has paid, and keeps the file open until the scope ends. */
const staying = ({ book, path }: Files, id: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [program, path, book, id, "-", "stay"], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      await once(createInterface(child.stdout), "line")
      return child
    }),
    (child) => Effect.promise(() => (child.kill("SIGKILL") ? once(child, "exit") : Promise.resolve([])))
  )

const files = Effect.map(
  temporaryFolder,
  (folder): Files => ({ path: join(folder, "flows.db"), other: join(folder, "other.db"), book: join(folder, "book") })
)

const parts = ["", "-wal", ".witness"]

const copy = (from: string, to: string, suffixes: ReadonlyArray<string> = parts) => {
  for (const part of suffixes) if (existsSync(from + part)) copyFileSync(from + part, to + part)
}

const bookOf = ({ book }: Files) => readFileSync(book, "utf8").trim().split("\n")

const isCopy = /^StoreRefused: .*was copied, or moved to another disk.*"moved".*"restored"/
const isBehind = /^StoreRefused: .*is behind its witness.*"restored"/
const isWithoutWitness = /^StoreRefused: .*witness .* is not there.*"restored"/
const isInUse = /^SqliteError: .*in use by process/

describe("a file of durable flows that a process has open", () => {
  const others: ReadonlyArray<readonly [what: string, make: (files: Files) => void]> = [
    ["under its name", ({ other, path }) => symlinkSync(path, other)],
    ["through a hard link", ({ other, path }) => linkSync(path, other)],
    [
      "after it was renamed",
      ({ other, path }) => {
        for (const part of parts) if (existsSync(path + part)) renameSync(path + part, other + part)
      }
    ]
  ]
  it.live.each(others)("is refused to a second process: %s", ([_what, make]) =>
    Effect.gen(function* () {
      const here = yield* files
      yield* staying(here, "one")
      make(here)
      assert.match(yield* pay(here, here.other, "two"), isInUse)
      assert.deepStrictEqual(bookOf(here), ["one sent"])
    })
  )

  it.live("is refused as a copy, with its log and its witness", () =>
    Effect.gen(function* () {
      const here = yield* files
      yield* staying(here, "one")
      copy(here.path, here.other)
      assert.match(yield* pay(here, here.other, "one"), isCopy)
      assert.strictEqual(yield* pay(here, here.other, "one", "moved"), "one sent")
      assert.deepStrictEqual(bookOf(here), ["one sent"])
    })
  )
})

describe("an older file of durable flows that was put back", () => {
  const back: ReadonlyArray<readonly [what: string, back: (files: Files) => void, refusal: RegExp]> = [
    ["over the newer one", ({ other, path }) => copy(other, path, [""]), isBehind],
    [
      "in its place",
      ({ other, path }) => {
        rmSync(path)
        copy(other, path, [""])
      },
      isBehind
    ],
    [
      "with its own witness",
      ({ other, path }) => {
        rmSync(path)
        copy(other, path, ["", ".witness"])
      },
      isCopy
    ],
    [
      "without a witness",
      ({ other, path }) => {
        for (const part of parts) rmSync(path + part, { force: true })
        copy(other, path, [""])
      },
      isWithoutWitness
    ]
  ]
  it.live.each(back)("is refused, and resumed as a copy whose flows ask first: %s", ([_what, putBack, refusal]) =>
    Effect.gen(function* () {
      const here = yield* files
      assert.strictEqual(yield* pay(here, here.path, "one"), "one sent")
      copy(here.path, here.other)
      assert.strictEqual(yield* pay(here, here.path, "two"), "two sent")
      putBack(here)
      assert.match(yield* pay(here, here.path, "two"), refusal)
      assert.strictEqual(yield* pay(here, here.path, "one", "restored"), "one sent")
      // The file lacks this flow. It is the same for all later processes.
      assert.strictEqual(yield* pay(here, here.path, "two"), "two status first")
      assert.deepStrictEqual(bookOf(here), ["one sent", "two sent", "two status first"])
    })
  )
})

it.live.each(["kill", "exit"] as const)(
  "a file of durable flows is continued after %s, and where it was renamed",
  (end) =>
    Effect.gen(function* () {
      const here = yield* files
      yield* pay(here, here.path, "one", "-", end)
      for (const part of parts) if (existsSync(here.path + part)) renameSync(here.path + part, here.other + part)
      assert.strictEqual(yield* pay(here, here.other, "one"), "one sent")
      assert.deepStrictEqual(bookOf(here), ["one sent"])
    })
)

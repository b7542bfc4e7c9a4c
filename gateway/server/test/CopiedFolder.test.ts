/** A data folder that is started somewhere else than where it was written last. */
import { execFileSync } from "node:child_process"
import { cpSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { AuditEntry, Restoration } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect, Layer, Logger } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as Sandbox from "../src/Sandbox.ts"
import type { Start } from "../src/Start.ts"
import * as Deployment from "./Deployment.ts"

const environment = {
  PAY_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  PAY_HASHING_KEY: Buffer.alloc(32, 8).toString("base64")
}

/** Starts a production gateway on a data folder and stops it. Returns its refusal. */
const production = Effect.fnUntraced(function* (dataDirectory: string, start: Start) {
  const around = yield* Deployment.within({ file: { dataDirectory }, environment })
  return yield* Effect.match(Deployment.started(around, start), {
    onSuccess: () => "starts",
    onFailure: ({ message }) => message
  })
})

const sandbox = (dataDirectory: string, start: Start) =>
  Layer.build(Layer.provide(Sandbox.layer({ dataDirectory, port: 0, ...start }), Logger.layer([]))).pipe(
    Effect.scoped,
    Effect.match({ onSuccess: () => "starts", onFailure: (error) => `${error}` })
  )

const copy = (from: string, to: string) => cpSync(from, to, { recursive: true, preserveTimestamps: true })

type Copying = readonly [how: string, copy: (from: string, to: string) => void]

const copies: ReadonlyArray<Copying> = [
  ["cp -r", copy],
  ["cp -a", (from, to) => execFileSync("cp", ["-a", from, to])],
  ["tar", (from, to) => execFileSync("sh", ["-c", 'mkdir "$2" && tar -C "$1" -c . | tar -C "$2" -x', "sh", from, to])],
  [
    "a move to another disk",
    (from, to) => {
      copy(from, to)
      rmSync(from, { recursive: true })
    }
  ],
  [
    "another file with the same content in its place",
    (from, to) => {
      renameSync(from, to)
      const path = join(to, "gateway.db")
      cpSync(path, `${path}.draft`)
      renameSync(`${path}.draft`, path)
    }
  ]
]

const by = { by: "tester" }
const moved: Start = { moved: by }
const restored: Start = { restored: by }

const refused = /was copied, or moved to another disk.*charge the same customers twice.* --moved\. .* --restored: /

/** A folder in which a gateway has run and was stopped, and a path beside it. */
const folders = Effect.gen(function* () {
  const around = yield* temporaryFolder
  const from = join(around, "data")
  assert.strictEqual(yield* production(from, { isNew: true }), "starts")
  return { from, to: join(around, "elsewhere") }
})

/** Returns what the store in the folder says about its past. */
const past = (folder: string) =>
  Effect.gen(function* () {
    const store = yield* Store
    const audit = yield* store.find(AuditEntry, "subject", { equals: ["store", "gateway.db"], limit: 9 })
    const restoration = yield* store.load(Restoration, ["latest"])
    return [
      ...audit.map(({ action, actor }) => `${action} ${actor}`),
      ...(restoration === undefined ? [] : ["pending"])
    ]
  }).pipe(
    Effect.provide(SqliteStore.layer({ path: join(folder, "gateway.db"), witness: join(folder, "store.witness") }), {
      local: true
    })
  )

describe("a data folder that was copied", () => {
  it.live.each(copies)("starts only with a word about the original: %s", ([_how, copying]) =>
    Effect.gen(function* () {
      const { from, to } = yield* folders
      copying(from, to)
      assert.match(yield* production(to, {}), refused)
      assert.strictEqual(yield* production(to, moved), "starts")
      assert.strictEqual(yield* production(to, {}), "starts")
      assert.deepStrictEqual(yield* past(to), ["store.moved host:tester"])
    })
  )

  it.live("starts with --restored as a restored copy, which asks the bank before it takes payments", () =>
    Effect.gen(function* () {
      const { from, to } = yield* folders
      copy(from, to)
      assert.strictEqual(yield* production(to, restored), "starts")
      assert.deepStrictEqual(yield* past(to), ["store.restored host:tester", "pending"])
      assert.strictEqual(yield* production(to, {}), "starts")
    })
  )

  it.live("leaves the original as it was", () =>
    Effect.gen(function* () {
      const { from, to } = yield* folders
      copy(from, to)
      assert.strictEqual(yield* production(to, moved), "starts")
      assert.strictEqual(yield* production(from, {}), "starts")
    })
  )

  it.live("is refused with --moved, too, if its witness has seen later commits", () =>
    Effect.gen(function* () {
      const { from, to } = yield* folders
      copy(from, to)
      assert.strictEqual(yield* production(from, {}), "starts")
      cpSync(join(from, "store.witness"), join(to, "store.witness"))
      assert.match(yield* production(to, moved), /is behind its witness/)
      assert.strictEqual(yield* production(to, restored), "starts")
    })
  )

  it.live("starts without a word where it was only renamed", () =>
    Effect.gen(function* () {
      const { from, to } = yield* folders
      renameSync(from, to)
      assert.strictEqual(yield* production(to, {}), "starts")
    })
  )

  it.live("was not copied if --moved is refused, and may be restored whatever is known", () =>
    Effect.gen(function* () {
      const { from } = yield* folders
      assert.match(yield* production(from, moved), /leave out --moved/)
      assert.strictEqual(yield* production(from, restored), "starts")
    })
  )

  it.live("is continued by a sandbox, which records it", () =>
    Effect.gen(function* () {
      const around = yield* temporaryFolder
      const [from, to] = [join(around, "data"), join(around, "elsewhere")]
      assert.strictEqual(yield* sandbox(from, {}), "starts")
      copy(from, to)
      assert.strictEqual(yield* sandbox(to, {}), "starts")
      assert.deepStrictEqual(yield* past(to), ["store.moved host:sandbox"])
    })
  )
})

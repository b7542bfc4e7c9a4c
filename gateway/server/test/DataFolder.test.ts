/** The data folders on which a gateway starts, and the files that it leaves there. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as ProductionCheck from "../src/ProductionCheck.ts"
import * as Sandbox from "../src/Sandbox.ts"
import * as Start from "../src/Start.ts"
import * as Deployment from "./Deployment.ts"

/** The paths of a data folder and of a witness file outside of it. */
const paths = Effect.map(temporaryFolder, (folder) => ({
  data: join(folder, "data"),
  witness: join(folder, "witness")
}))

type Place = Effect.Success<typeof paths>

const textOf = <A, E, R>(starting: Effect.Effect<A, E, R>) =>
  starting.pipe(
    Effect.match({
      onSuccess: () => "starts",
      onFailure: (error) => (error instanceof Error ? error.message : String(error))
    })
  )

const environment = {
  PAY_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  PAY_HASHING_KEY: Buffer.alloc(32, 8).toString("base64")
}

const production = Effect.fnUntraced(function* ({ data, witness }: Place, start: Start.Start) {
  const around = yield* Deployment.within({ file: { dataDirectory: data, witness }, environment })
  const { acceptLoss, isNew = false } = start
  const problems = yield* Effect.provide(ProductionCheck.problems({ isNew }), around)
  const text = yield* textOf(Deployment.started(around, start))
  // A check foretells what a start does. It judges starts that accept no loss.
  if (acceptLoss === undefined) assert.strictEqual(problems.length > 0, !text.startsWith("starts"), problems.join("\n"))
  return text
})

const sandbox = ({ data }: Place, start: Start.Start) =>
  textOf(
    Effect.scoped(
      Layer.build(Layer.provide(Sandbox.layer({ dataDirectory: data, port: 0, ...start }), Logger.layer([])))
    )
  )

const makeFolder = ({ data }: Place, mode: number) => {
  mkdirSync(data)
  chmodSync(data, mode)
}

const deleteDatabase = ({ data }: Place) => {
  for (const name of readdirSync(data)) if (name.startsWith("gateway.db")) rmSync(join(data, name))
}

const isNew: Start.Start = { isNew: true }
const nothing = () => {}

/** The state of the folder, the kind of gateway, its arguments and the expected message. */
type Row = readonly [
  what: string,
  gateway: "production" | "sandbox",
  before: (place: Place) => void,
  start: Start.Start,
  says: RegExp
]

const empty: ReadonlyArray<Row> = [
  ["a missing folder", "production", nothing, {}, /There is no data folder .*mounted.*--new/],
  ["a missing folder", "production", nothing, isNew, /^starts/],
  ["a missing folder", "sandbox", nothing, {}, /^starts/],
  ["an empty folder", "production", (place) => makeFolder(place, 0o700), {}, /There is no store .*mounted.*--new/],
  ["an empty folder", "production", (place) => makeFolder(place, 0o700), isNew, /^starts/],
  ["an empty folder", "sandbox", (place) => makeFolder(place, 0o700), {}, /^starts/],
  [
    "a folder with other things",
    "sandbox",
    (place) => {
      makeFolder(place, 0o700)
      writeFileSync(join(place.data, "bank.journal"), "", { mode: 0o600 })
    },
    {},
    /There is no store .*--new/
  ],
  [
    "a folder that others may read",
    "production",
    (place) => makeFolder(place, 0o755),
    isNew,
    /Others .* chmod -R go= '/
  ],
  ["a folder that others may read", "sandbox", (place) => makeFolder(place, 0o755), {}, /^starts/]
]

const titled = (rows: ReadonlyArray<Row>) =>
  rows.map((row) => {
    const [what, gateway, , { acceptLoss, isNew }] = row
    return [`${what}: ${gateway}${isNew ? " --new" : ""}${acceptLoss ? " --accept-loss" : ""}`, row] as const
  })

const gateways = { production, sandbox }

describe("a gateway on a folder without a store", () => {
  it.live.each(titled(empty))("%s", ([_title, [_what, gateway, before, start, says]]) =>
    Effect.gen(function* () {
      const there = yield* paths
      before(there)
      assert.match(yield* gateways[gateway](there, start), says)
    })
  )
})

const later: ReadonlyArray<Row> = [
  ["unchanged", "production", nothing, {}, /^starts/],
  ["unchanged", "production", nothing, isNew, /There is a store .*leave out --new/],
  [
    "unchanged",
    "production",
    nothing,
    { acceptLoss: { by: "tester" } },
    /Nothing is missing .*leave out --accept-loss/
  ],
  ["its database deleted", "production", deleteDatabase, {}, /is not there, but its witness .* has seen a store/],
  ["its database deleted", "production", deleteDatabase, isNew, /is not there, but its witness .* has seen a store/],
  ["its database deleted", "production", deleteDatabase, { acceptLoss: { by: "tester" } }, /^starts/],
  [
    "its volume not mounted",
    "production",
    ({ data }) => rmSync(data, { recursive: true }),
    {},
    /There is no data folder/
  ],
  [
    "its volume not mounted",
    "production",
    ({ data }) => rmSync(data, { recursive: true }),
    isNew,
    /is not there, but its witness .* has seen a store/
  ],
  ["its witness not mounted", "production", ({ witness }) => rmSync(witness), {}, /the witness .* is not there/],
  ["its database deleted", "sandbox", deleteDatabase, {}, /is not there, but its witness .* has seen a store/],
  [
    "one file opened to others",
    "production",
    ({ data }) => chmodSync(join(data, "gateway.db"), 0o644),
    {},
    /Others .*gateway.db/
  ]
]

describe("a gateway on a folder in which it has run", () => {
  it.live.each(titled(later))("%s", ([_title, [_what, gateway, before, start, says]]) =>
    Effect.gen(function* () {
      const there = yield* paths
      const first = gateway === "production" ? isNew : {}
      assert.strictEqual(yield* gateways[gateway](there, first), "starts")
      before(there)
      assert.match(yield* gateways[gateway](there, start), says)
    })
  )

  it.live.each(["production", "sandbox"] as const)("leaves no file that others can read: %s", (gateway) =>
    Effect.gen(function* () {
      const there = yield* paths
      const before = process.umask(0)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.umask(before)))
      assert.strictEqual(yield* gateways[gateway](there, gateway === "production" ? isNew : {}), "starts")
      const names = readdirSync(there.data, { recursive: true, encoding: "utf8" })
      assert.include(names, "gateway.db.lock")
      assert.deepStrictEqual(
        [".", ...names].filter((name) => (statSync(join(there.data, name)).mode & 0o077) !== 0),
        []
      )
    })
  )

  it.live("writes a witness file with store, sequence, commits, creation, file and checksum", () =>
    Effect.gen(function* () {
      const there = yield* paths
      yield* production(there, isNew)
      assert.match(
        readFileSync(there.witness, "utf8"),
        /^pay witness 1 store=\S+ sequence=\d+ committed=\d+ created=\d+ file=\S+ crc=/
      )
    })
  )
})

describe("the arguments of the gateway programs", () => {
  it.effect("are --new, --accept-loss, --moved, --restored and --accept-clock, and no others", () =>
    Effect.gen(function* () {
      const none = {
        isNew: false,
        acceptLoss: undefined,
        moved: undefined,
        restored: undefined,
        acceptClock: undefined
      }
      assert.deepStrictEqual(yield* Start.fromArguments([]), none)
      const all = yield* Start.fromArguments(["--accept-loss", "--new", "--moved", "--restored", "--accept-clock"])
      assert.strictEqual(all.isNew, true)
      for (const word of [all.acceptLoss, all.moved, all.restored, all.acceptClock]) assert.isNotEmpty(word?.by)
      assert.match((yield* Effect.flip(Start.fromArguments(["--force"]))).message, /--force.*--new, --accept-loss, /)
    })
  )
})

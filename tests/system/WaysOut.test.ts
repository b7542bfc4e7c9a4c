/**
 * Each state in which a gateway refuses to start or to take payments, and the command that ends it. After the command a payment is
 * accepted.
 */
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Backup from "@pay/storage/Backup"
import * as Reopen from "@pay/storage/Reopen"
import { Effect } from "effect"
import type * as MoveMark from "../../gateway/storage/src/MoveMark.ts"
import * as SqliteSource from "../../gateway/storage/src/move/SqliteSource.ts"
import { Why } from "../../packages/sqlite/src/durability/StoreRefused.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Copies from "./Copies.ts"

/** The folder on which the gateway starts, and one beside it that has all that happened. */
interface Place {
  readonly folder: string
  readonly other: string
}

type Start = TestGateway.Options

const by = { by: "tester" }

/** A gateway that refuses what one for real money refuses. */
const strict = { settings: { production: true } } as const

const on = ({ folder }: Place, start: Start = {}) => TestGateway.quietly(folder, { ...strict, ...start })

const database = ({ folder }: Place) => join(folder, "gateway.db")
const log = (place: Place) => `${database(place)}-wal`
const witness = ({ folder }: Place) => join(folder, "store.witness")

const deleteDatabase = (place: Place) => {
  for (const name of readdirSync(place.folder))
    if (name.startsWith("gateway.db") && name !== "gateway.db.restoring") rmSync(join(place.folder, name))
}

/** Puts a copy of the running gateway's folder in its place: the gateway ended by `kill -9`. Its database is the same file. */
const killed = (place: Place, change: () => void) => {
  for (const name of ["gateway.db", "gateway.db-wal", "store.witness"]) {
    const bytes = readFileSync(join(place.other, name))
    if (name === "gateway.db") writeFileSync(database(place), bytes)
    else writeFileSync(join(place.folder, name), bytes)
  }
  change()
}

const damage = (file: string, at: number) => {
  const bytes = readFileSync(file)
  bytes.fill(0x5a, at, at + 2000)
  writeFileSync(file, bytes)
}

const moving: MoveMark.MoveMark = {
  state: "moving",
  move: "01234567-89ab-cdef-0123-456789abcdef",
  other: "postgres://db/pay"
}

const marked = (place: Place) =>
  Effect.scoped(
    Effect.flatMap(SqliteSource.open({ path: database(place), witness: undefined }), ({ write }) => write(moving))
  )

/** Puts the backup back into an empty folder, as `pay restore FILE FOLDER` does. */
const restoreBackup = (place: Place) =>
  Effect.suspend(() => {
    deleteDatabase(place)
    rmSync(witness(place), { force: true })
    return Backup.restore({ file: join(place.other, "copy.db"), dataDirectory: place.folder, by: "tester" })
  })

interface Row {
  readonly state: string
  /** The reason of the refusal that the row is about. */
  readonly why: Why | undefined
  /** Makes the state from a folder that a gateway has closed. `other` is the folder as it was while the gateway ran. */
  readonly before: (place: Place) => void
  readonly makes?: (place: Place) => Effect.Effect<void, unknown>
  readonly start?: Start
  readonly refusal: RegExp
  readonly command: string
  /** What the command does before the start, and the options of the start. */
  readonly prepares?: (place: Place) => Effect.Effect<unknown, unknown>
  readonly starts?: Start
}

const acceptLoss: Pick<Row, "command" | "starts"> = { command: "--accept-loss", starts: { acceptLoss: by } }
const restored: Pick<Row, "command" | "starts"> = { command: "--restored", starts: { restored: by } }
const restore: Pick<Row, "command" | "prepares"> = { command: "pay restore FILE FOLDER", prepares: restoreBackup }
const without = (flag: string): Pick<Row, "command"> => ({ command: `a start without ${flag}` })

const elsewhere = (place: Place) => {
  renameSync(place.folder, `${place.folder}.original`)
  cpSync(`${place.folder}.original`, place.folder, { recursive: true })
}

const olderFile = (place: Place) => {
  const newer = readFileSync(witness(place))
  deleteDatabase(place)
  copyFileSync(join(place.other, "copy.db"), database(place))
  writeFileSync(witness(place), newer)
}

const rows: ReadonlyArray<Row> = [
  {
    state: "the database was deleted",
    why: "gone",
    before: deleteDatabase,
    refusal: /has seen a store/,
    ...acceptLoss
  },
  { state: "the database was deleted", why: "gone", before: deleteDatabase, refusal: /has seen a store/, ...restore },
  { state: "an older file was put back", why: "behind", before: olderFile, refusal: /missing/, ...acceptLoss },
  { state: "an older file was put back", why: "behind", before: olderFile, refusal: /missing/, ...restored },
  {
    state: "the log was deleted after kill -9",
    why: "log",
    before: (place) => killed(place, () => rmSync(log(place))),
    refusal: /log .* is missing/,
    ...acceptLoss
  },
  { state: "the folder was copied", why: "elsewhere", before: elsewhere, refusal: /was copied/, ...restored },
  {
    state: "the folder was moved",
    why: "elsewhere",
    before: elsewhere,
    refusal: /was copied/,
    command: "--moved",
    starts: { moved: by }
  },
  {
    state: "the witness was lost",
    why: "unwitnessed",
    before: (place) => rmSync(witness(place)),
    refusal: /the witness .* is not there/,
    ...acceptLoss
  },
  {
    state: "another program changed the file",
    why: "changed",
    before: (place) => {
      const writer = new DatabaseSync(database(place))
      writer.exec("CREATE TABLE foreign_table (a)")
      writer.close()
    },
    refusal: /is not as it was left/,
    ...acceptLoss
  },
  {
    state: "an older file was put beside its log",
    why: "mixed",
    before: (place) =>
      killed(place, () => {
        writeFileSync(database(place), readFileSync(join(place.other, "first.db")))
      }),
    refusal: /older than the log/,
    ...restore
  },
  {
    state: "pages are damaged",
    why: "damaged",
    before: (place) => {
      damage(database(place), 4096 * 3)
      rmSync(witness(place))
    },
    start: { acceptLoss: by },
    refusal: /damaged|malformed|cannot be read/,
    ...restore
  },
  {
    state: "there is no store",
    why: "absent",
    before: (place) => {
      deleteDatabase(place)
      rmSync(witness(place))
    },
    refusal: /There is no store/,
    command: "--new",
    starts: { isNew: true }
  },
  {
    state: "the store is being moved to PostgreSQL",
    why: "moved",
    before: () => {},
    makes: marked,
    refusal: /pay store reopen/,
    command: "pay store reopen",
    prepares: (place) => Effect.scoped(Reopen.run({ path: database(place), unused: false })),
    starts: {}
  },
  {
    state: "a new store was requested where there is one",
    why: "present",
    before: () => {},
    start: { isNew: true },
    refusal: /leave out --new/,
    ...without("--new")
  },
  {
    state: "a loss was accepted where there is none",
    why: "sound",
    before: () => {},
    start: { acceptLoss: by },
    refusal: /leave out --accept-loss/,
    ...without("--accept-loss")
  },
  {
    state: "a move was said where there was none",
    why: "sound",
    before: () => {},
    start: { moved: by },
    refusal: /leave out --moved/,
    ...without("--moved")
  },
  {
    state: "a restore was interrupted",
    why: undefined,
    before: (place) => {
      deleteDatabase(place)
      mkdirSync(`${database(place)}.restoring`)
    },
    refusal: /restore was interrupted/,
    ...restore
  }
]

/** A payment, after the time that a restored gateway needs to learn what the bank has booked. */
const accepted = Effect.gen(function* () {
  yield* Copies.enumerated
  assert.include(yield* Effect.flatMap(TestMerchant.order("SALE"), TestMerchant.orderStatus), "approved")
})

const prepared = Effect.gen(function* () {
  const around = yield* temporaryFolder
  const place: Place = { folder: join(around, "data"), other: join(around, "other") }
  const sale = TestGateway.quietly(place.folder)(TestMerchant.order("SALE"))
  yield* sale
  const first = readFileSync(database(place))
  yield* sale
  yield* Effect.gen(function* () {
    yield* Copies.backup(place.folder)
    yield* TestMerchant.order("SALE")
    cpSync(place.folder, place.other, { recursive: true })
    writeFileSync(join(place.other, "first.db"), first)
  }).pipe(TestGateway.quietly(place.folder))
  return place
})

const refusalOf = (place: Place, start: Start) =>
  Effect.void.pipe(
    on(place, start),
    Effect.match({ onSuccess: () => "it starts", onFailure: (error) => (error instanceof Error ? error.message : "") })
  )

describe("a gateway that does not start", () => {
  it("is in one of these states: each reason of a refusal is in the table", () => {
    assert.sameMembers([...new Set(rows.flatMap(({ why }) => why ?? []))], [...Why.literals])
  })

  it.live.each(rows)(
    "takes payments again: $state; $command",
    ({ before, makes, prepares, refusal, start = {}, starts }) =>
      Effect.gen(function* () {
        const place = yield* prepared
        before(place)
        if (makes !== undefined) yield* makes(place)
        assert.match(yield* refusalOf(place, start), refusal)
        if (prepares !== undefined) yield* prepares(place)
        yield* accepted.pipe(on(place, starts))
        yield* accepted.pipe(on(place))
      })
  )
})

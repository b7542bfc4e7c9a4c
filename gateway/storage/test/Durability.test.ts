import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, layer } from "@effect/vitest"
import { AuditEntry } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Backup from "../src/Backup.ts"
import * as Image from "./Image.ts"

const firstMs = Date.UTC(2026, 10, 21)
const lastMs = Date.UTC(2026, 10, 22)
const all = Image.names(0, 14)
const acceptLoss = { by: "tester" }

/** Data folders: `other` is of another store, the rest of one. */
interface Folders {
  /** After its first run, which was closed in order: 2 sales. */
  readonly copy: Image.Image
  /** During its third run: 4 sales. */
  readonly earlier: Image.Image
  /** Killed during its third run after 14 acknowledged sales, one COMMIT each; the last ten a day after the others. */
  readonly killed: Image.Image
  /** After its third run, which was closed in order. */
  readonly closed: Image.Image
  readonly other: Image.Image
}

class Prepared extends Context.Service<Prepared, Folders>()("Prepared") {}

const prepared = Layer.effect(
  Prepared,
  Effect.gen(function* () {
    const closed = yield* Image.empty
    const other = yield* Image.empty
    yield* TestClock.setTime(firstMs)
    yield* Image.on(other, Image.sell("other"))
    yield* Image.on(closed, Image.sell("0", "1"))
    const copy = yield* Image.taken(closed)
    yield* Image.on(closed, Image.sell("2"))
    const thirdRun = yield* Image.on(
      closed,
      Effect.gen(function* () {
        yield* Image.sell("3")
        const earlier = yield* Image.taken(closed)
        yield* TestClock.setTime(lastMs)
        yield* Image.sell(...Image.names(4, 14))
        return { earlier, killed: yield* Image.taken(closed) }
      })
    )
    return { ...thirdRun, closed, copy, other }
  })
).pipe(Layer.provide(TestClock.layer()))

/** Copies of the folders for one test to damage. */
const folders = Effect.flatMap(
  Prepared,
  Effect.fnUntraced(function* ({ closed, copy, earlier, killed, other }) {
    const each = yield* Effect.forEach([closed, copy, earlier, killed, other], Image.taken)
    const [one = closed, two = copy, three = earlier, four = killed, five = other] = each
    return { closed: one, copy: two, earlier: three, killed: four, other: five }
  })
)

const logBytes = ({ log }: Image.Image): number => statSync(log).size

/** Removes the last second of the witness, as a power cut does. */
const lag = ({ earlier, killed }: Folders) => copyFileSync(earlier.witness, killed.witness)

const removeDatabase = ({ folder }: Image.Image) => {
  for (const name of readdirSync(folder)) if (name.startsWith("gateway.db")) rmSync(join(folder, name))
}

type Row = readonly [what: string, damage: (files: Folders) => unknown, report: RegExp]

/** Changes to the killed store that lose nothing acknowledged, and the result of opening it. */
const whole: ReadonlyArray<Row> = [
  ["no change", () => {}, /^opens with 14 of 14/],
  ["the witness written in part", ({ killed }) => Image.cut(killed.witness, 0.95), /^opens with 14 of 14/],
  ["a power cut before the witness was synced", lag, /^opens with 14 of 14/],
  [
    "a power cut during the last transaction, before it was acknowledged",
    (files) => {
      lag(files)
      Image.flip(files.killed.log, logBytes(files.killed) - 99)
    },
    /^opens with 13 of 14/
  ]
]

const missing: ReadonlyArray<Row> = [
  [
    "a bit flipped in the middle of the log",
    ({ killed }) => Image.flip(killed.log, logBytes(killed) >> 1),
    /^log: .*\d commits? (is|are) missing/
  ],
  [
    "a bit flipped in the log's last transaction",
    ({ killed }) => Image.flip(killed.log, logBytes(killed) - 99),
    /1 commit is missing/
  ],
  [
    "a bit flipped in the log's header",
    ({ killed }) => Image.flip(killed.log, 17),
    /^log: .*: 11 commits.*damaged from its start/
  ],
  ["the log cut", ({ killed }) => Image.cut(killed.log, 0.5), /^behind: .*\d commits are missing/],
  ["the log cut to nothing", ({ killed }) => Image.cut(killed.log, 0), /^behind: .*: 11 commits are missing/],
  ["the log deleted", ({ killed }) => rmSync(killed.log), /^log: .*: 11 commits are missing/],
  [
    "the log deleted, with commits after the last state of the witness",
    (files) => {
      copyFileSync(files.copy.witness, files.killed.witness)
      rmSync(files.killed.log)
    },
    /^log: .*was not closed cleanly, and its log .* is missing/
  ],
  [
    "a bit flipped in the log after the last state of the witness",
    (files) => {
      lag(files)
      Image.flip(files.killed.log, logBytes(files.earlier) + 99)
    },
    /^log: .*damaged before its last commit: 10 commits/
  ],
  ["database and log deleted", ({ killed }) => removeDatabase(killed), /^gone: .*14 commits are missing\. Rest/],
  ["the database deleted without its log", ({ killed }) => rmSync(killed.path), /^gone: .*14 commits are missing/],
  [
    "older files put back",
    ({ earlier, killed }) => {
      copyFileSync(earlier.path, killed.path)
      copyFileSync(earlier.log, killed.log)
    },
    /^behind: .*: 10 commits are missing, the last at 2026-11-22T.*the store's last commit: 2026-11-21T/
  ],
  [
    "an older file put back that was closed in order",
    ({ copy, killed }) => {
      removeDatabase(killed)
      copyFileSync(copy.path, killed.path)
    },
    /^behind: .*: 12 commits are missing/
  ],
  [
    "another store put in its place",
    ({ killed, other }) => {
      removeDatabase(killed)
      copyFileSync(other.path, killed.path)
    },
    /^unwitnessed: .*another store's/
  ],
  ["the witness deleted", ({ killed }) => rmSync(killed.witness), /^unwitnessed: .*is not there/],
  ["the witness damaged", ({ killed }) => writeFileSync(killed.witness, "pay witness"), /^unwitnessed: .*is damaged/]
]

/** Changes to the store that was closed in order, and the result of opening it. */
const changed: ReadonlyArray<Row> = [
  ["no change", () => {}, /^opens with 14 of 14/],
  ["the missing log deleted", ({ closed }) => rmSync(closed.log, { force: true }), /^opens with 14 of 14/],
  [
    "a bit flipped in the database",
    ({ closed }) => Image.flip(closed.path, (statSync(closed.path).size >> 1) + 99),
    /^changed: .*not as it was left/
  ],
  ["a change by another program", ({ closed }) => changeRows(closed.path), /^changed: .*not as it was left/],
  ["a bit flipped in the witness", ({ closed }) => Image.flip(closed.witness, 99), /^opens with 14 of 14/]
]

const changeRows = (path: string) => {
  const database = new DatabaseSync(path)
  database.exec('DELETE FROM "balances"')
  database.close()
}

/** Damage that only a restored backup repairs. */
const broken: ReadonlyArray<Row> = [
  [
    "an older database put beside the log of a later run",
    ({ copy, killed }) => copyFileSync(copy.path, killed.path),
    /^mixed: .*older than the log beside it/
  ],
  [
    "pages of the database overwritten",
    ({ killed }) => {
      const bytes = readFileSync(killed.path)
      bytes.fill(0x55, bytes.length >> 1)
      writeFileSync(killed.path, bytes)
    },
    /^damaged: /
  ]
]

layer(prepared)("a killed store", (it) => {
  it.effect.each([...whole, ...missing, ...broken])("opens complete or names the loss: %s", ([_, damage, expected]) =>
    Effect.gen(function* () {
      const files = yield* folders
      damage(files)
      const report = yield* Image.opening(files.killed, all)
      assert.match(report, expected)
      // A second start has the same result.
      assert.strictEqual(yield* Image.opening(files.killed, all), report)
    })
  )

  it.effect.each(changed)("opens after a clean close if unchanged: %s", ([_, damage, expected]) =>
    Effect.gen(function* () {
      const files = yield* folders
      damage(files)
      assert.match(yield* Image.opening(files.closed, all), expected)
    })
  )

  it.effect.each(missing)("starts as a restored store if the loss is accepted: %s", ([_what, damage]) =>
    Effect.gen(function* () {
      const files = yield* folders
      damage(files)
      const { killed } = files
      yield* TestClock.setTime(lastMs + 1)
      assert.match(yield* Image.opening(killed, [], { acceptLoss }), /^opens/)
      const [mark, messages] = yield* Image.on(killed, Effect.all([Image.mark, audited]))
      assert.deepInclude(mark, { startedAtMs: null, enumeratedAtMs: null })
      assert.isAtMost(mark?.lastCommitAtMs ?? lastMs + 1, lastMs)
      assert.deepStrictEqual(messages, ["host:tester store.accept-loss"])
      yield* Image.on(killed, Image.sell("later"))
      assert.match(yield* Image.opening(killed, ["later"]), /^opens with 1 of 1/)
    })
  )

  it.effect.each([
    ["the operator accepts a loss and nothing is missing", { acceptLoss }, /^sound: .*leave out --accept-loss/],
    ["the operator requests a new store and there is one", { absent: "insist" }, /^present: .*leave out --new/]
  ] as const)("is refused if %s", ([_what, options, expected]) =>
    Effect.gen(function* () {
      const { killed } = yield* folders
      assert.match(yield* Image.opening(killed, all, options), expected)
    })
  )

  it.effect("is not replaced by a new store while its witness exists", () =>
    Effect.gen(function* () {
      const { killed } = yield* folders
      removeDatabase(killed)
      assert.match(yield* Image.opening(killed, [], { absent: "insist" }), /^gone: /)
    })
  )

  it.effect.each(missing)("opens after the process that accepted the loss was killed: %s", ([_what, damage]) =>
    Effect.gen(function* () {
      const files = yield* folders
      damage(files)
      const interrupted = yield* Image.diedTakingOver(files.killed)
      assert.match(yield* Image.opening(interrupted, []), /^opens|^behind: .*--accept-loss/)
      assert.match(yield* Image.opening(interrupted, [], { acceptLoss }), /^opens|^sound/)
    })
  )

  it.effect("does not change if the loss is accepted with a witness that cannot be written", () =>
    Effect.gen(function* () {
      const { killed } = yield* folders
      const nowhere = { acceptLoss, witness: join(killed.folder, "not", "there") }
      assert.match(yield* Image.opening(killed, all, nowhere), /^unwitnessed: .*cannot be written: ENOENT/)
      const folder = { acceptLoss, witness: killed.folder }
      assert.match(yield* Image.opening(killed, all, folder), /^unwitnessed: The witness .* cannot be read: EISDIR/)
      assert.match(yield* Image.opening(killed, all), /^opens with 14 of 14/)
      assert.isUndefined(yield* Image.on(killed, Image.mark))
    })
  )

  it.effect("has a second loss from the start of the first one if that was not reconciled", () =>
    Effect.gen(function* () {
      const { copy, killed } = yield* folders
      copyFileSync(copy.path, killed.path)
      rmSync(killed.log)
      assert.match(yield* Image.opening(killed, [], { acceptLoss }), /^opens/)
      yield* TestClock.setTime(lastMs + 2)
      yield* Image.on(killed, Image.sell("later"))
      rmSync(killed.witness)
      assert.match(yield* Image.opening(killed, [], { acceptLoss }), /^opens/)
      assert.strictEqual((yield* Image.on(killed, Image.mark))?.lastCommitAtMs, firstMs)
    })
  )

  it.effect("has the last commit time of the backup after a restore", () =>
    Effect.gen(function* () {
      const { copy, killed } = yield* folders
      removeDatabase(killed)
      yield* Backup.restore({ file: copy.path, dataDirectory: killed.folder, by: "tester" })
      assert.strictEqual((yield* Image.on(killed, Image.mark))?.lastCommitAtMs, firstMs)
      assert.match(yield* Image.opening(killed, ["0", "1"]), /^opens with 2 of 2/)
    })
  )
})

const audited = Effect.gen(function* () {
  const store = yield* Store
  const entries = yield* store.find(AuditEntry, "key", { limit: 9 })
  return entries.map(({ action, actor }) => `${actor} ${action}`)
})

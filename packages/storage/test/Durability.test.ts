import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, layer } from "@effect/vitest"
import { AuditEntry } from "@pay/gateway/Audit"
import { Store } from "@pay/gateway/Store"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Backup from "../src/Backup.ts"
import * as Image from "./Image.ts"

const firstMs = Date.UTC(2026, 10, 21)
const lastMs = Date.UTC(2026, 10, 22)
const all = Image.names(0, 14)
const acceptLoss = { by: "tester" }

/** Data folders, all of one store but the last. */
interface Folders {
  /** After its first life, which ended in good order: 2 sales. */
  readonly copy: Image.Image
  /** In the middle of its third life: 4 sales. */
  readonly earlier: Image.Image
  /** Killed in it when 14 sales were acknowledged, one COMMIT each; the last ten a day after the others. */
  readonly killed: Image.Image
  /** What became of it in the end. */
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
    yield* Image.on(other, Image.sell("strange"))
    yield* Image.on(closed, Image.sell("0", "1"))
    const copy = yield* Image.taken(closed)
    yield* Image.on(closed, Image.sell("2"))
    const taken = yield* Image.on(
      closed,
      Effect.gen(function* () {
        yield* Image.sell("3")
        const earlier = yield* Image.taken(closed)
        yield* TestClock.setTime(lastMs)
        yield* Image.sell(...Image.names(4, 14))
        return { earlier, killed: yield* Image.taken(closed) }
      })
    )
    return { ...taken, closed, copy, other }
  })
).pipe(Layer.provide(TestClock.layer()))

/** Copies of its own, for each test to spoil. */
const folders = Effect.flatMap(
  Prepared,
  Effect.fnUntraced(function* ({ closed, copy, earlier, killed, other }) {
    const each = yield* Effect.forEach([closed, copy, earlier, killed, other], Image.taken)
    const [one = closed, two = copy, three = earlier, four = killed, five = other] = each
    return { closed: one, copy: two, earlier: three, killed: four, other: five }
  })
)

const logBytes = ({ log }: Image.Image): number => statSync(log).size

/** The last second of the witness is gone, as after a power cut. */
const lag = ({ earlier, killed }: Folders) => copyFileSync(earlier.witness, killed.witness)

const removeDatabase = ({ folder }: Image.Image) => {
  for (const name of readdirSync(folder)) if (name.startsWith("gateway.db")) rmSync(join(folder, name))
}

type Row = readonly [what: string, spoil: (files: Folders) => unknown, says: RegExp]

/** Changes to the killed store before it is opened again, and the result of opening it. */
const whole: ReadonlyArray<Row> = [
  ["nothing", () => {}, /^opens with 14 of 14/],
  ["the witness written in part", ({ killed }) => Image.cut(killed.witness, 0.95), /^opens with 14 of 14/],
  ["a power cut, before which the witness was not synced", lag, /^opens with 14 of 14/],
  [
    "a power cut amid the last transaction, which nobody was told of",
    (files) => {
      lag(files)
      Image.flip(files.killed.log, logBytes(files.killed) - 99)
    },
    /^opens with 13 of 14/
  ]
]

const missing: ReadonlyArray<Row> = [
  [
    "a bit flipped amid the log",
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
    /^log: .*: 11 commits.*damaged from its beginning/
  ],
  ["the log cut", ({ killed }) => Image.cut(killed.log, 0.5), /^behind: .*\d commits are missing/],
  ["the log cut to nothing", ({ killed }) => Image.cut(killed.log, 0), /^behind: .*: 11 commits are missing/],
  ["the log deleted", ({ killed }) => rmSync(killed.log), /^log: .*: 11 commits are missing/],
  [
    "the log deleted, of what the witness has not seen",
    (files) => {
      copyFileSync(files.copy.witness, files.killed.witness)
      rmSync(files.killed.log)
    },
    /^log: .*did not end in good order, and its log .* is missing/
  ],
  [
    "a bit flipped in the log, of what the witness has not seen",
    (files) => {
      lag(files)
      Image.flip(files.killed.log, logBytes(files.earlier) + 99)
    },
    /^log: .*damaged amid what was committed: 10 commits/
  ],
  ["database and log deleted", ({ killed }) => removeDatabase(killed), /^gone: .*14 commits are missing\. Put/],
  ["the database deleted, its log left", ({ killed }) => rmSync(killed.path), /^gone: .*14 commits are missing/],
  [
    "older files put back",
    ({ earlier, killed }) => {
      copyFileSync(earlier.path, killed.path)
      copyFileSync(earlier.log, killed.log)
    },
    /^behind: .*: 10 commits are missing, the last at 2026-11-22T.*what is there ends at 2026-11-21T/
  ],
  [
    "an older file put back that had ended in good order",
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

/** Changes to the store that was closed in good order, and the result of opening it. */
const changed: ReadonlyArray<Row> = [
  ["nothing", () => {}, /^opens with 14 of 14/],
  ["the log deleted that is not there", ({ closed }) => rmSync(closed.log, { force: true }), /^opens with 14 of 14/],
  [
    "a bit flipped in the database",
    ({ closed }) => Image.flip(closed.path, (statSync(closed.path).size >> 1) + 99),
    /^changed: .*not as it was left/
  ],
  ["another program's change", ({ closed }) => written(closed.path), /^changed: .*not as it was left/],
  ["a bit flipped in the witness", ({ closed }) => Image.flip(closed.witness, 99), /^opens with 14 of 14/]
]

const written = (path: string) => {
  const database = new DatabaseSync(path)
  database.exec('DELETE FROM "balances"')
  database.close()
}

/** For which there is no way on but a copy. */
const broken: ReadonlyArray<Row> = [
  [
    "an older file laid under the log of a later life",
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

layer(prepared)("a store that was killed has all that it acknowledged, or is refused with what is missing", (it) => {
  it.effect.each([...whole, ...missing, ...broken])("%s", ([_what, spoil, says]) =>
    Effect.gen(function* () {
      const files = yield* folders
      spoil(files)
      const report = yield* Image.opening(files.killed, all)
      assert.match(report, says)
      // What it was refused for is not gone by having been looked at.
      assert.strictEqual(yield* Image.opening(files.killed, all), report)
    })
  )

  it.effect.each(changed)("closed in good order, then %s", ([_what, spoil, says]) =>
    Effect.gen(function* () {
      const files = yield* folders
      spoil(files)
      assert.match(yield* Image.opening(files.closed, all), says)
    })
  )

  it.effect.each(missing)("is started as restored where somebody accepts: %s", ([_what, spoil]) =>
    Effect.gen(function* () {
      const files = yield* folders
      spoil(files)
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
    ["loss is accepted and nothing is missing", { acceptLoss }, /^sound: .*leave out --accept-loss/],
    ["a new store is asked for and there is one", { absent: "insist" }, /^present: .*leave out --new/]
  ] as const)("is refused where %s", ([_what, options, says]) =>
    Effect.gen(function* () {
      const { killed } = yield* folders
      assert.match(yield* Image.opening(killed, all, options), says)
    })
  )

  it.effect("is begun anew by nothing but that where its witness has seen one", () =>
    Effect.gen(function* () {
      const { killed } = yield* folders
      removeDatabase(killed)
      assert.match(yield* Image.opening(killed, [], { absent: "insist" }), /^gone: /)
    })
  )

  it.effect.each(missing)("can be opened where the process that accepted the loss died over it: %s", ([_what, spoil]) =>
    Effect.gen(function* () {
      const files = yield* folders
      spoil(files)
      const died = yield* Image.diedTakingOver(files.killed)
      assert.match(yield* Image.opening(died, []), /^opens|^behind: .*--accept-loss/)
      assert.match(yield* Image.opening(died, [], { acceptLoss }), /^opens|^sound/)
    })
  )

  it.effect("is as it was where its loss is accepted under a witness that cannot be", () =>
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

  it.effect("a gap that was not looked through stays part of the next", () =>
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

  it.effect("a copy that is put back is its own witness, and says where it ends", () =>
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

/** Measures group commit, relative to the same grouping on `node:sqlite` alone, for the same rows. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import * as Database from "@pay/sqlite/Database"
import * as GroupCommit from "@pay/sqlite/GroupCommit"
import { Effect, Exit, Scope } from "effect"
import * as Measure from "./Measure.ts"
import { syncsOf } from "./storage/Durability.ts"

/** One job writes five rows into four tables, as one sale does. */
const tables = `
  CREATE TABLE document (id TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE answer (id TEXT PRIMARY KEY, document TEXT NOT NULL, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE movement (id INTEGER PRIMARY KEY, document TEXT NOT NULL, account TEXT NOT NULL, minor INTEGER NOT NULL) STRICT;
  CREATE TABLE due (id TEXT PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX due_at ON due (at);
`
const insertDocument = "INSERT INTO document VALUES (?, ?, ?, ?)"
const insertAnswer = "INSERT INTO answer VALUES (?, ?, ?)"
const insertMovement = "INSERT INTO movement (document, account, minor) VALUES (?, ?, ?)"
const insertDue = "INSERT INTO due VALUES (?, ?, ?)"
const findKey = "SELECT 1 FROM document WHERE key = ?"
const body = JSON.stringify({ name: "José Ångström", lines: Array.from({ length: 12 }, (_, n) => `line ${n} of it`) })

const write = (db: Database.Statements, turn: number): void => {
  const id = `document-${turn.toString().padStart(12, "0")}`
  db.prepare(insertDocument).run(id, `key-${turn}`, 1, body)
  db.prepare(insertAnswer).run(`answer-${turn}`, id, body)
  db.prepare(insertMovement).run(id, "held", 1042)
  db.prepare(insertMovement).run(id, "held against", -1042)
  db.prepare(insertDue).run(`due-${turn}`, turn, "continue")
}

const ours = async (path: string, scope: Scope.Scope) => {
  const open = Effect.provideService(Database.open({ path }), Scope.Scope, scope)
  const database = await Effect.runPromise(open)
  const writer = await Effect.runPromise(GroupCommit.make({ database }))
  database.connection.exec(tables)
  let turns = 0
  const next = Effect.suspend(() => {
    const turn = turns++
    return writer.submit({
      check: (db) => (db.prepare(findKey).get(`key-${turn}`) === undefined ? undefined : "taken"),
      write: (db) => write(db, turn)
    })
  })
  return (callers: number) => Measure.byCallers(callers, next)
}

const bare = (path: string) => {
  const database = new DatabaseSync(path)
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
  database.exec(tables)
  const statements = new Map(
    [insertDocument, insertAnswer, insertMovement, insertDue, findKey].map((sql) => [sql, database.prepare(sql)])
  )
  const db: Database.Statements = {
    prepare: (sql) => statements.get(sql) ?? database.prepare(sql),
    prepareBigInt: (sql) => database.prepare(sql)
  }
  let turns = 0
  let waiting: Array<() => void> = []
  const commit = () => {
    const batch = waiting
    waiting = []
    database.exec("BEGIN IMMEDIATE")
    for (const _ of batch) {
      const turn = turns++
      if (db.prepare(findKey).get(`key-${turn}`) === undefined) write(db, turn)
    }
    database.exec("COMMIT")
    for (const done of batch) done()
  }
  const next = () =>
    new Promise<void>((done) => {
      if (waiting.push(done) === 1) setImmediate(commit)
    })
  return (callers: number) => Measure.inFlight(callers, next)
}

const run = async (directory: string): Promise<ReadonlyArray<Measure.Row>> => {
  const scope = await Effect.runPromise(Scope.make())
  try {
    const work = await ours(join(directory, "ours.db"), scope)
    const bareWork = bare(join(directory, "bare.db"))
    const rows: Array<Measure.Row> = []
    for (const callers of [64, 1]) {
      const sides = { ours: work(callers), baseline: bareWork(callers) }
      const measure = `jobs of five rows, ${callers} at once / bare node:sqlite group commit`
      const line = { id: `D0.${callers}`, measure, limit: { atLeast: 0.6, aim: 0.85 } }
      rows.push(Measure.rates(line, await Measure.compare(sides, { repetitionMillis: 150 })))
    }
    return [...rows, ...syncs(directory)]
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const countedJobs = 2000

/** Counts the syncs of a separate process, if the machine has `strace`. */
const syncs = (directory: string): ReadonlyArray<Measure.Row> => {
  const count = syncsOf(directory, [fileURLToPath(import.meta.url), join(directory, "counted.db")])
  if (count === undefined) return []
  return [
    Measure.row({
      id: "D2",
      measure: `syncs of the disk for ${countedJobs} jobs, 64 at once, opening included`,
      ours: String(count),
      baseline: String(countedJobs),
      ratio: count,
      limit: { atMost: 150, aim: 50 }
    })
  ]
}

const benchmark: Measure.Benchmark = { id: "sqlite", title: "SQLite: group commit", run: () => Measure.inFolder(run) }
export default benchmark

const [, , countedPath] = process.argv
if (import.meta.main && countedPath !== undefined) {
  const scope = await Effect.runPromise(Scope.make())
  const work = await ours(countedPath, scope)
  await work(64)(countedJobs)
  process.exit()
} else if (import.meta.main) await Measure.main(benchmark)

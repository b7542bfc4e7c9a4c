/** Checks a whole SQLite store, also while a gateway runs on it, and changes nothing. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import * as Entities from "@pay/gateway/Entities"
import * as Database from "@pay/sqlite/Database"
import * as Migration from "@pay/sqlite/Migration"
import * as Owner from "@pay/sqlite/Owner"
import { fromUnknown } from "@pay/sqlite/SqliteError"
import { Effect, type Scope } from "effect"
import { statements as ddl, quote } from "../Ddl.ts"
import * as Examination from "../Examination.ts"
import { migrations } from "../Migrations.ts"
import { failed, failWith, type MoveError } from "../MoveError.ts"
import * as MoveMark from "../MoveMark.ts"
import * as SqliteMarks from "../move/SqliteMarks.ts"
import * as SqliteSource from "../move/SqliteSource.ts"
import * as Restoring from "../Restoring.ts"
import * as Books from "./Books.ts"
import type { Checked } from "./Checked.ts"

/** The statements that create indexes and triggers, by their names in the database. */
const expected = Entities.all.flatMap(ddl).flatMap((sql) => {
  const [, kind, name] = /^CREATE (?:UNIQUE )?(INDEX|TRIGGER) ("(?:[^"]|"")+")/.exec(sql) ?? []
  return kind === undefined || name === undefined ? [] : [{ kind: kind.toLowerCase(), name, sql }]
})

const books = Books.texts(({ name }) => quote(name))

/** Whether a process has the file. A missing lock file is not created, because it would belong to another account than the gateway's. */
const owner = (path: string): Effect.Effect<string | undefined, MoveError, Scope.Scope> =>
  existsSync(`${path}.lock`)
    ? Effect.acquireRelease(
        Effect.try({
          try: (): string | (() => void) => {
            try {
              return Owner.claim(path)
            } catch (cause) {
              const { message, reason } = fromUnknown(cause)
              if (reason._tag === "InUse") return message
              throw cause
            }
          },
          catch: failed(path)
        }),
        (claim) => Effect.sync(() => (typeof claim === "string" ? undefined : claim()))
      ).pipe(Effect.map((claim) => (typeof claim === "string" ? claim : undefined)))
    : Effect.undefined

const witnessOf = (path: string, witness: string) =>
  Effect.match(Examination.examine(path, { witness }), {
    onFailure: ({ message }) => ({ witness: message, problems: [message] }),
    onSuccess: ({ evidence }) => ({
      witness:
        evidence.testimony._tag === "Read"
          ? `The witness ${witness} has seen nothing that is missing here.`
          : `There is no witness at ${witness}; none is needed yet.`,
      problems: []
    })
  })

/** Checks the store. `witness`: the witness file of the store; by default the one beside it. */
export const run = Effect.fn("SqliteCheck.run")(function* (options: {
  readonly path: string
  readonly witness: string | undefined
}): Effect.fn.Return<Checked, MoveError, Scope.Scope> {
  const path = resolve(options.path)
  if (!Restoring.isThere(path)) return yield* failWith("absent", `There is no store at ${path}.`)
  const user = yield* owner(path)
  const witness = options.witness ?? SqliteSource.witnessOf(path)
  const testified =
    user === undefined
      ? yield* witnessOf(path, witness)
      : { witness: "The gateway that runs compares the store with its witness by itself.", problems: [] }
  const database = yield* Effect.mapError(Database.open({ path, readOnly: true }), failed(path))
  const ask = (sql: string) =>
    Effect.mapError(
      database.read((statements) => statements.prepare(sql).all()),
      failed(path)
    )
  const damages = (yield* ask("PRAGMA integrity_check(3)"))
    .map((row) => String(row.integrity_check))
    .filter((text) => text !== "ok")
  const mark = yield* Effect.mapError(database.read(SqliteMarks.mark), failed(path))
  const due = yield* Effect.result(Migration.pending(database, migrations))
  const pending = due._tag === "Success" ? due.success.length : 0
  const there = new Map(
    (yield* ask("SELECT name, sql FROM sqlite_schema")).map(({ name, sql }) => [`${name}`, `${sql}`])
  )
  const missing = expected.filter(({ name }) => !there.has(name.slice(1, -1)))
  const present = Entities.all.filter(({ name }) => there.has(name))
  const rows: Record<string, number> = {}
  for (const { name } of present) rows[name] = Number((yield* ask(`SELECT count(*) AS n FROM ${quote(name)}`))[0]?.n)
  const isWhole = present.length === Entities.all.length
  const accounts = isWhole ? yield* ask(books.accounts) : []
  const movements = isWhole ? yield* ask(books.movements) : []
  const applied = there.has("migration")
    ? yield* ask(`SELECT max(id) AS step FROM migration WHERE id <> ${MoveMark.step}`)
    : []
  return {
    store: path,
    engine: "SQLite",
    step: Number(applied[0]?.step ?? 0),
    pending,
    rows,
    users: user === undefined ? [] : [user],
    witness: testified.witness,
    roles: {},
    problems: [
      ...damages.map((text) => `${path} is damaged: ${text}. Restore a copy: pay restore FILE FOLDER.`),
      ...(mark === undefined ? [] : [MoveMark.explain(mark)]),
      ...(mark === undefined && due._tag === "Failure" ? [due.failure.message] : []),
      ...(pending > 0 ? [`${pending} steps of this release are missing: a start of the gateway applies them.`] : []),
      ...(pending > 0
        ? []
        : missing.map(({ kind, name }) => `The ${kind} ${name} is missing: put a copy back, or restore the ${kind}.`)),
      ...testified.problems,
      ...accounts.map(({ account, rest }) => Books.ofAccount(account, rest)),
      ...movements.map(({ cause, requestId, rest }) => Books.ofMovement(requestId, cause, rest))
    ]
  }
})

/**
 * Moves a store from a SQLite file to a PostgreSQL database: each entity in the order of its key, in pages. Each page is stored with
 * the progress of the copy in one transaction, so that an interrupted move continues where it was. Before the database may be used,
 * each of its rows is compared with the file's, and the ledger is recomputed.
 */
import { randomUUID } from "node:crypto"
import * as Entities from "@pay/gateway/Entities"
import type { Finding } from "@pay/gateway/Reconciliation"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { Clock, Effect, type Scope } from "effect"
import { failed, failWith, type MoveError } from "../MoveError.ts"
import * as MoveMark from "../MoveMark.ts"
import * as Administration from "../postgres/Administration.ts"
import * as MoveTarget from "../postgres/MoveTarget.ts"
import * as Restoring from "../Restoring.ts"
import * as SqliteStore from "../SqliteStore.ts"
import type { Phase, Progress } from "./MoveProgress.ts"
import * as Rows from "./Rows.ts"
import * as SqliteSource from "./SqliteSource.ts"

export type { MoveError } from "../MoveError.ts"
export type { Progress } from "./MoveProgress.ts"

export interface Options {
  /** The path of the file. */
  readonly from: string
  readonly to: Administration.Place
  /** The witness file of the source; by default the one beside it. */
  readonly witness?: string | undefined
  /** The operator's account, for the audit. */
  readonly by: string
  readonly report?: (progress: Progress) => void
}

export interface Moved {
  readonly from: string
  readonly to: string
  /** Number of rows of all tables. */
  readonly rows: number
  /** Number of rows that this run copied: fewer than all after an interrupted run. */
  readonly copied: number
  readonly copyMs: number
  /** Discrepancies in the ledger. The source has the same ones, because the rows are equal. */
  readonly findings: ReadonlyArray<Finding>
}

interface Sides {
  readonly source: SqliteSource.Source
  readonly target: MoveTarget.Target
}

const open = Effect.fnUntraced(function* ({
  from,
  to,
  witness
}: Options): Effect.fn.Return<Sides, MoveError, Scope.Scope> {
  const source = yield* SqliteSource.open({ path: from, witness })
  const target = yield* MoveTarget.open(yield* Administration.connect(to)).pipe(
    // If the target is used because the source was moved before, that is the reported reason.
    Effect.catchIf(
      ({ why }) => why === "present",
      (present) =>
        Effect.flatMap(source.mark, (mark) =>
          Effect.fail(mark?.state === "moved" ? failWith("other", MoveMark.explain(mark)) : present)
        )
    )
  )
  return { source, target }
})

/** Returns the interrupted move, or a new one. */
const identify = ({ source, target }: Sides, from: MoveMark.MoveMark | undefined): Effect.Effect<string, MoveError> => {
  const to = target.mark
  if (to !== undefined)
    return from?.move === to.move
      ? Effect.succeed(to.move)
      : Effect.fail(
          failWith(
            "other",
            `${target.label} holds what an unfinished move from ${to.other} has copied, and ${source.label} is no longer marked as that move's source. To begin anew, remove what is there: DROP SCHEMA pay CASCADE.`
          )
        )
  if (from !== undefined && (from.state !== "moving" || from.other !== target.label))
    return Effect.fail(failWith("other", `${source.label}: ${MoveMark.explain(from)}`))
  return Effect.sync(() => from?.move ?? randomUUID())
}

/** Counts the rows that are done over all tables, and reports them. */
const counting = (of: number, report: (progress: Progress) => void) => (phase: Phase, done: number) => {
  let rows = done
  return (table: string) => (more: number) => {
    rows += more
    report({ phase, table, rows, of })
  }
}

/** Copies the rows that are not copied yet, compares all rows, and recomputes the ledger. */
const fill = Effect.fnUntraced(function* (
  { source, target }: Sides,
  report: (progress: Progress) => void
): Effect.fn.Return<Pick<Moved, "rows" | "copied" | "copyMs" | "findings">, MoveError> {
  const counts = yield* Effect.forEach(Entities.all, source.count)
  const of = counts.reduce((sum, count) => sum + count, 0)
  const before = yield* Effect.forEach(Entities.all, target.copied)
  const copiedBefore = before.reduce((sum, { rows }) => sum + rows, 0)
  const begin = counting(of, report)
  const copying = begin("copying", copiedBefore)
  const startMs = yield* Clock.currentTimeMillis
  for (const entity of Entities.all) yield* Rows.copy({ source, target }, entity, copying(entity.name))
  const copyMs = (yield* Clock.currentTimeMillis) - startMs
  for (const [at, entity] of Entities.all.entries()) {
    report({ phase: "indexing", table: entity.name, rows: at + 1, of: Entities.all.length })
    yield* target.index(entity)
  }
  const comparing = begin("comparing", 0)
  let rows = 0
  for (const [at, entity] of Entities.all.entries()) {
    const same = yield* Rows.compare({ source, target }, entity, comparing(entity.name))
    const count = yield* target.count(entity)
    if (same !== counts[at] || count !== same)
      return yield* failWith(
        "differs",
        `The table ${entity.name} has ${counts[at]} rows in ${source.label} and ${count} in ${target.label}.`
      )
    rows += same
  }
  const recomputing = (done: number) => report({ phase: "books", table: "orders and entries", rows: done, of: 0 })
  recomputing(0)
  const { findings } = yield* Reconciliation.run({
    report: ({ entries, orders }) => Effect.sync(() => recomputing(orders + entries))
  }).pipe(
    // The ledger of the file equals that of the database, and is read faster.
    Effect.provideService(Store, SqliteStore.readOnly(source.database)),
    Effect.mapError(failed("the books cannot be recomputed"))
  )
  return { rows, copied: of - copiedBefore, copyMs, findings }
})

/** Moves the store. Fails if one side is in use, if the target has a store, or if the rows differ. */
export const run = Effect.fn("Move.run")(function* (options: Options): Effect.fn.Return<Moved, MoveError, Scope.Scope> {
  const { by, report = () => {} } = options
  const sides = yield* open(options)
  const { source, target } = sides
  const from = yield* source.mark
  const move = yield* identify(sides, from)
  const reach = (phase: Phase) => report({ phase, table: "", rows: 0, of: 0 })
  if (from === undefined) yield* source.write({ state: "moving", move, other: target.label })
  reach("marking")
  yield* target.begin({ state: "filling", move, other: source.label })
  const filled = yield* fill(sides, report)
  const audit = yield* Restoring.audited(by, "store.move", {
    from: source.label,
    to: target.label,
    rows: filled.rows,
    findings: filled.findings.length
  })
  // After an interruption between the two, the next run finds both marks and finishes.
  if (from?.state !== "moved") yield* source.write({ state: "moved", move, other: target.label })
  reach("finishing")
  yield* target.finish(yield* source.lastCommit, audit)
  return { from: source.label, to: target.label, ...filled }
}, Effect.scoped)

import { Clock, Effect, Fiber, Option, Schema } from "effect"
import { Executions } from "../Executions.ts"
import { type Core, codecsOf, commitReady } from "./Core.ts"
import * as Entries from "./Entries.ts"
import { atRest, resultOf } from "./Outcome.ts"
import * as ReadExecution from "./ReadExecution.ts"
import * as Records from "./Records.ts"
import * as Steps from "./Steps.ts"
import * as Waits from "./Waits.ts"

const columns = "id, workflow, state, wakes, interrupt, outcome, started_at_ms, changed_at_ms"

/** Requests an interruption, which takes effect where the execution waits. An unsafe one also ends a run at its current step. */
export const interrupt = Effect.fnUntraced(function* (core: Core, id: string, how: number) {
  yield* commitReady(core, (db) => Records.interrupt(db, core.places, id, how))
  const run = core.runs.get(id)
  if (run !== undefined) run.interrupt = Math.max(run.interrupt, how)
  if (how === Records.interrupts.unsafe && run?.fiber !== undefined) yield* Fiber.interrupt(run.fiber)
})

export const make = (core: Core): Executions["Service"] => {
  const { database, encoding } = core
  const executionOf = ReadExecution.make(core)

  return Executions.of({
    start: Effect.fnUntraced(function* (workflow, { executionId, ignores = [], payload }) {
      const json = yield* Effect.orDie(Schema.encodeEffect(codecsOf(workflow).payload)(payload))
      const { isExisting } = yield* Steps.begin(core, workflow, executionId, json, ignores)
      return isExisting ? "known" : "begun"
    }),
    isOther: Effect.fnUntraced(function* (workflow, { executionId, ignores = [], payload }) {
      const json = yield* Effect.orDie(Schema.encodeEffect(codecsOf(workflow).payload)(payload))
      const row = yield* database.read((db) =>
        db.prepare("SELECT workflow, fingerprint FROM execution WHERE id = ?").get(executionId)
      )
      return (
        row !== undefined &&
        (row.workflow !== workflow._tag ||
          !encoding.matches(Steps.without(json, ignores), Records.text(row.fingerprint)))
      )
    }),
    find: Effect.fnUntraced(function* (executionId) {
      const row = yield* database.read((db) =>
        db.prepare(`SELECT ${columns} FROM execution WHERE id = ?`).get(executionId)
      )
      return row === undefined ? Option.none() : Option.some(yield* executionOf(row))
    }),
    open: Effect.fnUntraced(function* ({ after, limit, state }) {
      const rows = yield* database.read((db) =>
        db
          .prepare(
            `SELECT ${columns} FROM execution
            WHERE state = ? AND state <> 'finished' AND (changed_at_ms, id) > (?, ?)
            ORDER BY changed_at_ms, id LIMIT ?`
          )
          .all(state, after?.changedAtMs ?? -1, after?.executionId ?? "", limit)
      )
      return yield* Effect.forEach(rows, executionOf)
    }),
    interrupt: (executionId) => interrupt(core, executionId, Records.interrupts.safe),
    result: (workflow, executionId) => resultOf(core, workflow, executionId),
    resume: (executionId) => commitReady(core, (db) => Records.wake(db, core.places, executionId, true)),
    signal: (key, value) => Steps.signal(core, key, value),
    awaitSignal: (options) => Steps.awaitSignal(core, options),
    hasRequested: (name) => Steps.hasRequested(core, name),
    writeEntry: (key, text) => Entries.write(core, key, text),
    readEntry: (key) => Entries.read(core, key),
    atRest: (workflow, executionId) => atRest(core, workflow, executionId),
    nextDueMs: database.read(Waits.nextDueMs),
    running: core.dispatcher.running,
    settled: Effect.gen(function* () {
      while (true) {
        yield* core.dispatcher.idle
        const due = yield* Effect.orDie(database.read(Waits.nextDueMs))
        if (due === undefined || due > (yield* Clock.currentTimeMillis)) return
        yield* Steps.ring(core, due)
      }
    }).pipe(Effect.orDie),
    statistics: core.statistics
  })
}

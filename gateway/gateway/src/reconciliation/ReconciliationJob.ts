/** Runs `Reconciliation` beside the gateway, once at a time. An operator starts it and can read its progress. */
import { Clock, Effect, Exit, Metric, Schema } from "effect"
import * as SingleRun from "../kernel/SingleRun.ts"
import * as MadeReversal from "../orders/outcomes/MadeReversal.ts"
import * as UnexpectedAnswers from "../orders/outcomes/UnexpectedAnswers.ts"
import type { Period } from "../orders/record/Booking.ts"
import * as Openings from "./Openings.ts"
import * as Reconciliation from "./Reconciliation.ts"

const RunProgress = Schema.Struct({
  state: Schema.Literals(["never", "running", "done", "broken"]),
  orders: Schema.Int,
  entries: Schema.Int,
  /** Number of all findings, of which only the first are returned. */
  count: Schema.Int,
  findings: Schema.Array(Schema.Struct({ where: Schema.String, expected: Schema.String, actual: Schema.String })),
  /** What was not compared. */
  omissions: Schema.Array(Schema.Struct({ what: Schema.String, why: Schema.String })),
  endedAtMs: Schema.NullOr(Schema.Int)
})
export type RunProgress = typeof RunProgress.Type

const mostReported = 1000

const findings = Metric.gauge("pay_parity_findings", { description: "What the last whole run of parity found" })
const lastRun = Metric.gauge("pay_parity_last_run_seconds", {
  description: "When parity last ran to its end, Unix time"
})

const never: RunProgress = {
  ...{ state: "never", orders: 0, entries: 0, count: 0 },
  ...{ findings: [], omissions: [], endedAtMs: null }
}

const ended = Effect.fnUntraced(function* (exit: Exit.Exit<Reconciliation.Report, unknown>, progress: RunProgress) {
  const endedAtMs = yield* Clock.currentTimeMillis
  if (Exit.isFailure(exit)) return { ...progress, state: "broken", endedAtMs } satisfies RunProgress
  const { findings: all, ...counts } = exit.value
  yield* Metric.update(findings, all.length)
  yield* Metric.update(lastRun, Math.floor(endedAtMs / 1000))
  if (all.length > 0) yield* Effect.logError("The books do not add up").pipe(Effect.annotateLogs({ count: all.length }))
  return {
    state: "done",
    ...counts,
    count: all.length,
    findings: all.slice(0, mostReported),
    endedAtMs
  } satisfies RunProgress
})

/**
 * Makes the job. A booking that bank or rail approved and whose request ended differently here becomes a task, even if
 * its answer never arrived.
 */
export const make = Effect.gen(function* () {
  const unexpected = yield* UnexpectedAnswers.make
  const made = yield* MadeReversal.make
  return yield* SingleRun.make({
    action: "reconciliation.run",
    subject: { kind: "books", id: "all" },
    progress: RunProgress,
    never,
    run: (see, period: Period | undefined) =>
      Reconciliation.run({ period, report: (counts) => see((progress) => ({ ...progress, ...counts })) }).pipe(
        Effect.tap(({ contradictions }) => Effect.forEach(contradictions, unexpected.report, { discard: true })),
        Effect.tap(({ openings }) => Openings.correct(openings)),
        Effect.tap(({ reversals }) => Effect.forEach(reversals, (each) => made(each), { discard: true }))
      ),
    ended
  })
})

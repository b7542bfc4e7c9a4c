/** One run of `Reconciliation` at a time beside the gateway, begun by an operator and looked at while it goes. */
import { Clock, Effect, Exit, Metric } from "effect"
import * as OneRun from "../kernel/OneRun.ts"
import type { Period } from "../orders/Booking.ts"
import * as UnexpectedAnswers from "../orders/outcomes/UnexpectedAnswers.ts"
import type { Finding } from "./OrderComparison.ts"
import * as Reconciliation from "./Reconciliation.ts"

export interface RunProgress {
  readonly state: "never" | "running" | "done" | "broken"
  readonly orders: number
  readonly entries: number
  /** All that were found, of which the first are told. */
  readonly count: number
  readonly findings: ReadonlyArray<Finding>
  readonly endedAtMs: number | null
}

const mostTold = 1000

const findings = Metric.gauge("pay_parity_findings", { description: "What the last whole run of parity found" })
const lastRun = Metric.gauge("pay_parity_last_run_seconds", {
  description: "When parity last ran to its end, Unix time"
})

const never: RunProgress = { state: "never", orders: 0, entries: 0, count: 0, findings: [], endedAtMs: null }

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
    findings: all.slice(0, mostTold),
    endedAtMs
  } satisfies RunProgress
})

/** What bank or rail approved and ended otherwise here becomes a task, also where its answer was never heard. */
export const make = Effect.gen(function* () {
  const unexpected = yield* UnexpectedAnswers.make
  return yield* OneRun.make({
    action: "parity.run",
    subject: { kind: "books", id: "all" },
    never,
    run: (see, period: Period | undefined) =>
      Reconciliation.run({ period, report: (counts) => see((progress) => ({ ...progress, ...counts })) }).pipe(
        Effect.tap(({ contradictions }) => Effect.forEach(contradictions, unexpected.report, { discard: true }))
      ),
    ended
  })
})

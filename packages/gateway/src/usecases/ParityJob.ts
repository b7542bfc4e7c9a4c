/** One run of `Parity` at a time beside the gateway, begun by an operator and looked at while it goes. */
import { Cause, Clock, Effect, Exit, Metric } from "effect"
import * as Audit from "../domain/Audit.ts"
import type { Actor } from "../domain/entities/AuditEntry.ts"
import type { Finding } from "../domain/ParityCheck.ts"
import * as Parity from "../Parity.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"

export interface Seen {
  readonly state: "never" | "running" | "done" | "broken"
  readonly orders: number
  readonly entries: number
  /** All that were found, of which the first are told. */
  readonly found: number
  readonly findings: ReadonlyArray<Finding>
  readonly endedAtMs: number | null
}

const mostTold = 1000

const findings = Metric.gauge("pay_parity_findings", { description: "What the last whole run of parity found" })
const lastRun = Metric.gauge("pay_parity_last_run_seconds", {
  description: "When parity last ran to its end, Unix time"
})

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const scope = yield* Effect.scope
  const context = yield* Effect.context<never>()
  let seen: Seen = { state: "never", orders: 0, entries: 0, found: 0, findings: [], endedAtMs: null }

  const ended = Effect.fnUntraced(function* (exit: Exit.Exit<Parity.Report, unknown>) {
    const endedAtMs = yield* Clock.currentTimeMillis
    if (Exit.isFailure(exit)) {
      seen = { ...seen, state: "broken", endedAtMs }
      return
    }
    const { findings: all, ...counts } = exit.value
    seen = { state: "done", ...counts, found: all.length, findings: all.slice(0, mostTold), endedAtMs }
    yield* Metric.update(findings, all.length)
    yield* Metric.update(lastRun, Math.floor(endedAtMs / 1000))
    if (all.length > 0)
      yield* Effect.logError("The books do not add up").pipe(Effect.annotateLogs({ found: all.length }))
  })

  const run = Parity.run({
    report: (counts) =>
      Effect.sync(() => {
        seen = { ...seen, ...counts }
      })
  }).pipe(
    Effect.provideService(Store, store),
    Effect.provideContext(context),
    Effect.onExit(ended),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logError("A run of parity broke off; it may be begun again", cause)
    )
  )

  return {
    look: () => seen,
    /** False: one is under way. */
    begin: Effect.fnUntraced(function* (actor: Actor) {
      if (seen.state === "running") return false
      const before = seen
      seen = { state: "running", orders: 0, entries: 0, found: 0, findings: [], endedAtMs: null }
      const audited = Audit.entry({
        auditId: ids.next(),
        atMs: yield* Clock.currentTimeMillis,
        actor,
        action: "parity.run",
        subject: { kind: "books", id: "all" }
      })
      yield* store.commit({ guards: [], writes: [audited] }).pipe(
        Effect.catchTag("GuardFailed", Effect.die),
        Effect.onError(() =>
          Effect.sync(() => {
            seen = before
          })
        )
      )
      yield* Effect.forkIn(run, scope)
      return true
    })
  }
})

/**
 * Long work that an operator starts and observes while the gateway continues to serve. One run at a time exists over all
 * processes that share the store. The commit that starts a run also writes its audit row. The progress of a run is stored under a
 * lease, so every process can show it. If the process of a run is gone and the lease has ended, the run is shown as broken off,
 * and any process can start it again.
 */

import { Cause, Clock, Effect, type Exit, Option, Schema, Semaphore } from "effect"
import type { Actor } from "./Audit.ts"
import * as Audit from "./Audit.ts"
import { AuthClock } from "./AuthClock.ts"
import * as Change from "./Change.ts"
import * as Decision from "./Decision.ts"
import * as Entity from "./Entity.ts"
import { Ids } from "./Ids.ts"
import { ProcessName, RenewalClock } from "./ProcessLease.ts"
import { Store } from "./Store.ts"
import * as Transact from "./Transact.ts"

export const Run = Entity.make("runs", {
  columns: {
    /** The action in the audit trail: `reconciliation.run`, `master-key.rotate`. */
    action: Entity.text(),
    version: Entity.integer,
    token: Entity.text(),
    leaseUntilMs: Entity.integer,
    /** JSON. Its `state` is `running` until the run has ended. */
    progress: Entity.text(),
    startedAtMs: Entity.integer,
    /** Name of the process that runs the work, for people. */
    process: Entity.text()
  },
  key: ["action"]
})
export type Run = Entity.Row<typeof Run>

/** Length of a run's lease, in milliseconds. A run that does not renew its lease in this time has broken off. */
const leaseMs = 60_000
const renewEvery = "15 seconds"

interface RunState {
  readonly state: "never" | "running" | "done" | "broken"
}

interface Work<S extends RunState, I, A, E, R> extends Pick<Audit.Audited, "action" | "subject"> {
  readonly progress: Schema.Codec<S, unknown>
  /** The status before the first run. */
  readonly never: S
  /** Carries out the work. It reports progress through `see`. */
  readonly run: (report: (change: (progress: S) => S) => Effect.Effect<void>, input: I) => Effect.Effect<A, E, R>
  readonly ended: (exit: Exit.Exit<A, E>, progress: S) => Effect.Effect<S>
}

interface RunLease<S> {
  readonly store: Store["Service"]
  readonly nowMs: () => number
  readonly token: string
  readonly leaseUntilMs: number
  readonly encode: (progress: S) => string
}

/** Keeps the progress of a run in its row, which `load` returns, and extends the lease with it. */
const leased = <S, E>(
  { encode, leaseUntilMs, nowMs, store, token }: RunLease<S>,
  load: Effect.Effect<Run | undefined, E>,
  first: S
) => {
  let progress = first
  let untilMs = leaseUntilMs
  const mutex = Semaphore.makeUnsafe(1)
  const takenOver = Effect.die(new Error("another process has started this run again"))

  const attempt = Effect.gen(function* () {
    const row = yield* load
    if (row?.token !== token) return yield* takenOver
    const nextUntilMs = Math.max(row.leaseUntilMs, nowMs() + leaseMs)
    yield* store.commit(Change.update(Run, row, { progress: encode(progress), leaseUntilMs: nextUntilMs }))
    untilMs = nextUntilMs
  })
  /** Writes the progress and extends the lease. Dies if another process has taken the run. */
  const write = Transact.transact({ attempt, exhausted: () => takenOver }).pipe(
    Effect.catch((error) =>
      nowMs() < untilMs
        ? Effect.logWarning("The progress of a run cannot be written; the run continues", error)
        : Effect.die(new Error("the store was gone for longer than the lease of this run"))
    ),
    mutex.withPermit
  )
  const see = (change: (progress: S) => S) =>
    Effect.suspend(() => {
      progress = change(progress)
      return write
    })
  return { current: () => progress, renewed: Effect.forever(Effect.delay(write, renewEvery)), see }
}

/** Makes the operations on one kind of work. `I` is the input that a run receives when it starts. */
export const make = Effect.fnUntraced(function* <S extends RunState, A, E, R, I = void>(work: Work<S, I, A, E, R>) {
  const store = yield* Store
  const ids = yield* Ids
  const authClock = yield* AuthClock
  const renewalClock = yield* RenewalClock
  const process = yield* ProcessName
  const scope = yield* Effect.scope
  const context = yield* Effect.context<R>()
  const Progress = Schema.fromJsonString(work.progress)
  const encode = Schema.encodeSync(Progress)
  const decode = (text: string): S => Option.getOrElse(Schema.decodeOption(Progress)(text), () => work.never)
  /** Token of the run in this process, if one is under way. */
  let ownToken: string | undefined

  const nowMs = () => Math.floor(authClock.nowMs())
  const stored = store.load(Run, [work.action])
  /** Whether the run is still under way. A store that no other process can open has no run of another process. */
  const isAlive = ({ leaseUntilMs, token }: Run): boolean =>
    store.exclusive ? token === ownToken : leaseUntilMs > nowMs() || token === ownToken
  const statusOf = (row: Run | undefined): S => {
    if (row === undefined) return work.never
    const progress = decode(row.progress)
    return progress.state === "running" && !isAlive(row) ? { ...progress, state: "broken" } : progress
  }

  /** Carries out the work under the lease of the row that was written when the run started. */
  const run = ({ leaseUntilMs, progress: first, token }: Run, input: I) => {
    const { current, renewed, see } = leased({ store, nowMs, token, leaseUntilMs, encode }, stored, decode(first))
    return Effect.raceFirst(work.run(see, input), Effect.provideService(renewed, Clock.Clock, renewalClock)).pipe(
      Effect.onExit((exit) => Effect.flatMap(work.ended(exit, current()), (end) => see(() => end))),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.logError("A run was interrupted; it can be started again", cause).pipe(
              Effect.annotateLogs({ run: work.action })
            )
      ),
      Effect.ensuring(
        Effect.sync(() => {
          if (ownToken === token) ownToken = undefined
        })
      ),
      Effect.provideContext(context)
    )
  }

  return {
    /** The status of the newest run, in whichever process it is. */
    look: Effect.map(stored, statusOf),
    /** Starts a run. Returns `false` if a run is already under way. */
    begin: Effect.fnUntraced(function* (actor: Actor, input: I) {
      const before = yield* stored
      if (statusOf(before).state === "running") return false
      const token = ids.token()
      const patch = {
        token,
        leaseUntilMs: nowMs() + leaseMs,
        progress: encode({ ...work.never, state: "running" }),
        startedAtMs: nowMs(),
        process
      }
      const { action, subject } = work
      const auditId = ids.next()
      const atMs = yield* Clock.currentTimeMillis
      const fresh: Run = { action, version: 1, ...patch }
      const change: Change.Change =
        before === undefined
          ? { guards: [Decision.absent(Run, "key", [action])], writes: [Decision.append(Run, fresh)] }
          : Change.update(Run, before, patch)
      const audited = Change.writing(Audit.entry({ auditId, atMs, actor, action, subject }))
      if ((yield* Transact.lostGuardOf(store, Change.all(change, audited))) !== undefined) return false
      ownToken = token
      yield* Effect.forkIn(run(before === undefined ? fresh : Change.next(before, patch), input), scope)
      return true
    })
  }
})

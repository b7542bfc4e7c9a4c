/**
 * Long work that an operator begins and looks at while the gateway goes on: one run at a time over all processes that share the
 * store, audited in the commit that starts it. Its progress stands in the store under a lease, so every process shows it. A run
 * whose process is gone shows as broken off when its lease has ended, and may be begun again anywhere.
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
    /** What is audited: `parity.run`, `keys.rewrap`. */
    action: Entity.text(),
    version: Entity.integer,
    token: Entity.text(),
    leaseUntilMs: Entity.integer,
    /** JSON; `state` in it is `running` until the run has ended. */
    progress: Entity.text(),
    startedAtMs: Entity.integer,
    /** The process that runs it, for people. */
    process: Entity.text()
  },
  key: ["action"]
})
export type Run = Entity.Row<typeof Run>

/** A run that has not been heard of for so long has broken off. */
export const leaseMs = 60_000
const renewEvery = "15 seconds"

interface RunState {
  readonly state: "never" | "running" | "done" | "broken"
}

interface Work<S extends RunState, I, A, E, R> extends Pick<Audit.Audited, "action" | "subject"> {
  readonly progress: Schema.Codec<S, unknown>
  /** The status where the work has not run yet. */
  readonly never: S
  /** Tells how far it is by what it gives to `see`. */
  readonly run: (see: (change: (progress: S) => S) => Effect.Effect<void>, input: I) => Effect.Effect<A, E, R>
  readonly ended: (exit: Exit.Exit<A, E>, progress: S) => Effect.Effect<S>
}

/** `I`: what a run is told when it begins. */
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
  /** The run of this process, if one is under way. */
  let own: string | undefined

  const nowMs = () => Math.floor(authClock.nowMs())
  const stored = store.load(Run, [work.action])
  /** A run of another process has broken off where no other process can have the store. */
  const isAlive = ({ leaseUntilMs, token }: Run): boolean =>
    store.exclusive ? token === own : leaseUntilMs > nowMs() || token === own
  const statusOf = (row: Run | undefined): S => {
    if (row === undefined) return work.never
    const progress = decode(row.progress)
    return progress.state === "running" && !isAlive(row) ? { ...progress, state: "broken" } : progress
  }

  /** Runs under the lease of the row that was written when it began. */
  const run = ({ leaseUntilMs, progress: first, token }: Run, input: I) => {
    let progress = decode(first)
    let untilMs = leaseUntilMs
    const one = Semaphore.makeUnsafe(1)
    const taken = Effect.die(new Error("another process has begun this run anew"))

    const attempt = Effect.gen(function* () {
      const row = yield* stored
      if (row?.token !== token) return yield* taken
      const nextUntilMs = Math.max(row.leaseUntilMs, nowMs() + leaseMs)
      yield* store.commit(Change.update(Run, row, { progress: encode(progress), leaseUntilMs: nextUntilMs }))
      untilMs = nextUntilMs
    })
    /** Writes the progress and extends the lease. Dies where another process has taken the run. */
    const write = Transact.transact({ attempt, exhausted: () => taken }).pipe(
      Effect.catch((error) =>
        nowMs() < untilMs
          ? Effect.logWarning("The progress of a run cannot be written; it goes on", error)
          : Effect.die(new Error("the store was gone for longer than the lease of this run"))
      ),
      one.withPermit
    )
    const see = (change: (progress: S) => S) =>
      Effect.suspend(() => {
        progress = change(progress)
        return write
      })
    const renewed = Effect.forever(Effect.delay(write, renewEvery)).pipe(
      Effect.provideService(Clock.Clock, renewalClock)
    )
    return Effect.raceFirst(work.run(see, input), renewed).pipe(
      Effect.onExit((exit) => Effect.flatMap(work.ended(exit, progress), (end) => see(() => end))),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.logError("A run broke off; it may be begun again", cause).pipe(
              Effect.annotateLogs({ run: work.action })
            )
      ),
      Effect.ensuring(
        Effect.sync(() => {
          if (own === token) own = undefined
        })
      ),
      Effect.provideContext(context)
    )
  }

  return {
    /** How far the newest run is, in whichever process. */
    look: Effect.map(stored, statusOf),
    /** False: one is under way. */
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
      if ((yield* Transact.lostOf(store, Change.all(change, audited))) !== undefined) return false
      own = token
      yield* Effect.forkIn(run(before === undefined ? fresh : Change.next(before, patch), input), scope)
      return true
    })
  }
})

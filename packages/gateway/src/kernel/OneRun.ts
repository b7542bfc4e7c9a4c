/**
 * Long work that an operator begins and looks at while the gateway goes on: one run at a time, audited in a commit before it
 * starts; one that breaks off may be begun again.
 */

import { Cause, Clock, Effect, type Exit } from "effect"
import type { Actor } from "./Audit.ts"
import * as Audit from "./Audit.ts"
import { Ids } from "./Ids.ts"
import { Store } from "./Store.ts"
import * as Transact from "./Transact.ts"

interface RunState {
  readonly state: "never" | "running" | "done" | "broken"
}

interface Work<S extends RunState, I, A, E, R> extends Pick<Audit.Audited, "action" | "subject"> {
  /** The status in a process in which the work has not run yet. */
  readonly never: S
  /** Tells how far it is by what it gives to `see`. */
  readonly run: (see: (change: (progress: S) => S) => Effect.Effect<void>, input: I) => Effect.Effect<A, E, R>
  readonly ended: (exit: Exit.Exit<A, E>, progress: S) => Effect.Effect<S>
}

/** `I`: what a run is told when it begins. */
export const make = Effect.fnUntraced(function* <S extends RunState, A, E, R, I = void>(work: Work<S, I, A, E, R>) {
  const store = yield* Store
  const ids = yield* Ids
  const scope = yield* Effect.scope
  const context = yield* Effect.context<R>()
  let progress = work.never

  const see = (change: (look: S) => S): Effect.Effect<void> =>
    Effect.sync(() => {
      progress = change(progress)
    })

  const run = (input: I) =>
    work.run(see, input).pipe(
      Effect.onExit((exit) => Effect.flatMap(work.ended(exit, progress), (now) => see(() => now))),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.logError("A run broke off; it may be begun again", cause).pipe(
              Effect.annotateLogs({ run: work.action })
            )
      ),
      Effect.provideContext(context)
    )

  return {
    /** How far the newest run is. */
    look: (): S => progress,
    /** False: one is under way. */
    begin: Effect.fnUntraced(function* (actor: Actor, input: I) {
      if (progress.state === "running") return false
      const before = progress
      progress = { ...work.never, state: "running" }
      const { action, subject } = work
      const audited = Audit.entry({
        auditId: ids.next(),
        atMs: yield* Clock.currentTimeMillis,
        actor,
        action,
        subject
      })
      yield* Effect.onError(Transact.record(store, [audited]), () => see(() => before))
      yield* Effect.forkIn(run(input), scope)
      return true
    })
  }
})

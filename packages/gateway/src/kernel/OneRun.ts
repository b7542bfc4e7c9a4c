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

interface Standing {
  readonly state: "never" | "running" | "done" | "broken"
}

interface Work<S extends Standing, I, A, E, R> extends Pick<Audit.Audited, "action" | "subject"> {
  /** Of a process in which it has not run. */
  readonly never: S
  /** Tells how far it is by what it gives to `see`. */
  readonly run: (see: (change: (seen: S) => S) => Effect.Effect<void>, input: I) => Effect.Effect<A, E, R>
  readonly ended: (exit: Exit.Exit<A, E>, seen: S) => Effect.Effect<S>
}

/** `I`: what a run is told when it begins. */
export const make = Effect.fnUntraced(function* <S extends Standing, A, E, R, I = void>(work: Work<S, I, A, E, R>) {
  const store = yield* Store
  const ids = yield* Ids
  const scope = yield* Effect.scope
  const context = yield* Effect.context<R>()
  let seen = work.never

  const see = (change: (seen: S) => S): Effect.Effect<void> =>
    Effect.sync(() => {
      seen = change(seen)
    })

  const run = (input: I) =>
    work.run(see, input).pipe(
      Effect.onExit((exit) => Effect.flatMap(work.ended(exit, seen), (now) => see(() => now))),
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
    look: (): S => seen,
    /** False: one is under way. */
    begin: Effect.fnUntraced(function* (actor: Actor, input: I) {
      if (seen.state === "running") return false
      const before = seen
      seen = { ...work.never, state: "running" }
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

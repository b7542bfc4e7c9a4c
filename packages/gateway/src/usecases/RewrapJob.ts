/** One run of `Rewrap` at a time beside the gateway, begun by the operator and looked at while it goes. */
import { Cause, Clock, Effect, Exit } from "effect"
import * as Audit from "../domain/Audit.ts"
import type { Actor } from "../domain/entities/AuditEntry.ts"
import { Ids } from "../ports/Ids.ts"
import { KeyVault } from "../ports/KeyVault.ts"
import { Store } from "../ports/Store.ts"
import * as Rewrap from "../Rewrap.ts"

export interface Seen extends Rewrap.Counts {
  readonly state: "never" | "running" | "done" | "broken"
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const scope = yield* Effect.scope
  let seen: Seen = { state: "never", seen: 0, rewrapped: 0, failed: 0 }

  const run = Rewrap.run({
    report: ({ failed, rewrapped, seen: rows }) =>
      Effect.sync(() => {
        seen = { state: "running", seen: rows, rewrapped, failed }
      })
  }).pipe(
    Effect.provideService(Store, store),
    Effect.provideService(KeyVault, vault),
    Effect.onExit((exit) =>
      Effect.sync(() => {
        seen = Exit.isSuccess(exit) ? { state: "done", ...exit.value } : { ...seen, state: "broken" }
      })
    ),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logError("A run of rewrap broke off; it may be begun again", cause)
    )
  )

  return {
    /** How far the newest run is. */
    look: () => seen,
    /** False: one is under way. */
    begin: Effect.fnUntraced(function* (actor: Actor) {
      if (seen.state === "running") return false
      const before = seen
      seen = { state: "running", seen: 0, rewrapped: 0, failed: 0 }
      const audited = Audit.entry({
        auditId: ids.next(),
        atMs: yield* Clock.currentTimeMillis,
        actor,
        action: "keys.rewrap",
        subject: { kind: "keys", id: "master" }
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

/** Looks at the store again and again for what other processes have changed. */
import { Cause, type Duration, Effect } from "effect"

/**
 * Repeats the look in a fiber of its own. `unknown` says what is not known while it fails: it is logged once, until a look succeeds
 * again, because an outage of the store lasts for many looks.
 */
export const repeated = <E, R>(
  look: Effect.Effect<void, E, R>,
  options: { readonly every: Duration.Input; readonly unknown: string }
) => {
  let isKnown = true
  return look.pipe(
    Effect.tap(() =>
      Effect.sync(() => {
        isKnown = true
      })
    ),
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
      const wasKnown = isKnown
      isKnown = false
      return wasKnown ? Effect.logWarning(options.unknown, cause) : Effect.void
    }),
    Effect.delay(options.every),
    Effect.forever,
    Effect.forkScoped
  )
}

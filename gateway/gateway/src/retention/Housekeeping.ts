/**
 * Removes rows that are no longer needed: nonces older than any timestamp that some process still accepts, CVVs that may no longer be
 * sent, payments that no velocity rule counts, old entries of the delivery log, and sessions of operators that have ended. Without it these tables would grow without
 * limit. It waits while the time is uncertain.
 */

import { Cause, Clock, Context, type Duration, Effect, Layer } from "effect"
import { CallbackAttempt } from "../callbacks/decide/CallbackEvent.ts"
import { AuthClock } from "../kernel/AuthClock.ts"
import { ClockTrust } from "../kernel/ClockTrust.ts"
import * as Decision from "../kernel/Decision.ts"
import { graceMs } from "../kernel/Process.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Nonce } from "../merchants/Call.ts"
import { Cvv } from "../orders/record/Card.ts"
import { VelocityCounter, VelocityEntry } from "../risk/Risk.ts"
import * as ConsoleSession from "../signin/decide/ConsoleSession.ts"

/** Time between two removals of expired rows. */
export const Every = Context.Reference<Duration.Input>("@pay/gateway/Housekeeping/Every", {
  defaultValue: () => "1 minute"
})

const batchRows = 1000
/** A timestamp has whole seconds, so it is accepted for up to one second longer. */
const timestampUnitMs = 1000
/** Time for which attempts of callbacks are kept. It is longer than a callback is retried. */
const callbackLogMs = 30 * 86_400_000

/** Removes up to `batchRows` rows of each kind. Returns the number of removed rows. */
export const tidy = Effect.gen(function* () {
  const store = yield* Store
  const authClock = yield* AuthClock
  const { clockSkewMs, resubmitWithinMs } = yield* Settings
  const usedUntilMs = Math.floor(authClock.nowMs()) - 2 * clockSkewMs - timestampUnitMs - graceMs
  const nonces = yield* store.find(Nonce, "used", { to: usedUntilMs, limit: batchRows })
  const nowMs = yield* Clock.currentTimeMillis
  const heldUntilMs = nowMs - 2 * resubmitWithinMs
  const cvvs = yield* store.find(Cvv, "created", { to: heldUntilMs, limit: batchRows })
  const velocityEntries = yield* store.find(VelocityEntry, "expires", { to: nowMs, limit: batchRows })
  const turns = yield* store.find(VelocityCounter, "expires", { to: nowMs, limit: batchRows })
  const tries = yield* store.find(CallbackAttempt, "at", { to: nowMs - callbackLogMs, limit: batchRows })
  const sessions = yield* store.find(ConsoleSession.ConsoleSession, "started", {
    to: Math.floor(authClock.nowMs()) - ConsoleSession.longestMs - clockSkewMs - graceMs,
    limit: batchRows
  })
  const writes = [
    ...sessions.map(ConsoleSession.end),
    ...nonces.map(({ consumerKey, nonce }) => Decision.remove(Nonce, [consumerKey, nonce])),
    ...cvvs.map(({ cardId }) => Decision.remove(Cvv, [cardId])),
    ...velocityEntries.map(({ atMs, orderId, subject }) => Decision.remove(VelocityEntry, [subject, atMs, orderId])),
    ...turns.map(({ subject }) => Decision.remove(VelocityCounter, [subject])),
    ...tries.map(({ eventId, number, what }) => Decision.remove(CallbackAttempt, [eventId, number, what]))
  ]
  if (writes.length > 0) yield* Transact.record(store, writes)
  return writes.length
})

export const layer = Layer.effectDiscard(
  Effect.flatMap(Effect.all({ every: Every, clockTrust: ClockTrust }), ({ clockTrust, every }) =>
    Effect.suspend(() => (clockTrust.isTrusted() ? tidy : Effect.succeed(0))).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.as(Effect.logWarning("Housekeeping has to wait for the store", cause), 0)
      ),
      Effect.repeat({ while: (removed) => removed >= batchRows }),
      Effect.delay(every),
      Effect.forever,
      Effect.forkScoped
    )
  )
)

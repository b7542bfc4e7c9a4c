/**
 * Receives callbacks for a merchant. It verifies the sender before it returns any field. A verified callback is still a hint,
 * because the signature covers status, orderid and client_orderid only: `status` returns the outcome.
 */

import { Clock, Data, Effect, Redacted, Result } from "effect"
import * as CallbackVerification from "./CallbackVerification.ts"

export type { Received, VerifiedCallback } from "./CallbackVerification.ts"

/** The keys and limits with which callbacks are verified. */
export interface Keys extends Omit<CallbackVerification.Keys, "controlKeys"> {
  /** The merchant's control keys. There are two while one replaces the other. */
  readonly controlKeys: ReadonlyArray<Redacted.Redacted<string>>
}

/** The callback is not accepted, for the reason of a refusal. */
export class CallbackRefused extends Data.TaggedError("CallbackRefused")<CallbackVerification.Refusal> {
  override get message(): string {
    return `callback refused: ${this.detail}`
  }
}

/** {@link verifyAt} with the time of the `Clock`. */
export const verify = (
  received: CallbackVerification.Received,
  keys: Keys
): Effect.Effect<CallbackVerification.VerifiedCallback, CallbackRefused> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fromResult(verifyAt(received, keys, Math.floor(now / 1000))))

/** Verifies a callback at this time, without the `Clock`. */
export const verifyAt = (
  received: CallbackVerification.Received,
  keys: Keys,
  nowSeconds: number
): Result.Result<CallbackVerification.VerifiedCallback, CallbackRefused> => {
  const plain = { ...keys, controlKeys: keys.controlKeys.map(Redacted.value) }
  const verified = CallbackVerification.verify(received, plain, nowSeconds)
  return verified.ok ? Result.succeed(verified.callback) : Result.fail(new CallbackRefused(verified.refusal))
}

/**
 * The open ends of an attempt: the flows that may have had an effect in it or in an earlier attempt. When the program runs again
 * without the records of their steps, these flows find out what they have done, and the others begin afresh.
 */
import { Cause, Context, Exit, Predicate, Schema } from "effect"

/** The ids of the flows. Null: each flow may have had an effect. */
export const Ids = Schema.NullOr(Schema.Array(Schema.String))
export type Ids = typeof Ids.Type

/** The open ends of a running attempt. */
export interface OpenEnds {
  /** Whether the attempt was begun before this run of it. */
  readonly isBegunBefore: boolean
  readonly has: (id: string) => boolean
  /** Takes note of how a flow has ended in this attempt. */
  readonly leave: (id: string, exit: Exit.Exit<unknown, unknown>) => void
  readonly ids: () => Ids
}

/** Makes the open ends of one run of an attempt from those of the attempt before it. */
export const make = (earlier: Ids, isBegunBefore: boolean): OpenEnds => {
  const ids = new Set(earlier)
  return {
    isBegunBefore,
    has: (id) => earlier === null || ids.has(id),
    leave: (id, exit) => {
      if (endsWith(exit, isUnsent)) return
      if (endsWith(exit, isNothingDone)) ids.delete(id)
      else ids.add(id)
    },
    ids: () => (earlier === null ? null : [...ids])
  }
}

/** The open ends of the attempt that runs. There are none outside of an engine. */
export const Current = Context.Reference<OpenEnds | undefined>("@pay/flows/OpenEnds", { defaultValue: () => undefined })

const endsWith = (exit: Exit.Exit<unknown, unknown>, is: (error: unknown) => boolean): boolean =>
  Exit.isFailure(exit) && exit.cause.reasons.every((reason) => Cause.isFailReason(reason) && is(reason.error))

/** Whether an error allows the flow to be run again with the same payload. */
export const isRetryable = (error: unknown): boolean =>
  Predicate.hasProperty(error, "retryable") && error.retryable === true

/** Whether an error is a refusal, of a flow or of a call. */
export const isRefusal = (error: unknown): boolean =>
  Predicate.isTagged(error, "NotAccepted") || Predicate.isTagged(error, "Refused")

/** Whether an error says only that this run sent nothing. An earlier one may have. */
const isUnsent = (error: unknown): boolean =>
  Predicate.isTagged(error, "Unreachable") || (isRefusal(error) && isRetryable(error))

/** Whether an error proves that nothing was done, in earlier runs either. */
const isNothingDone = (error: unknown): boolean => Predicate.isTagged(error, "NeverHappened") || isRefusal(error)

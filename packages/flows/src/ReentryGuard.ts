/**
 * Records for a process which flows it has run: how often each was started again under the same identity, and whether it was
 * interrupted, so that the outcome of its requests is unknown.
 */
import { Cause, Equal, Exit, Predicate } from "effect"
import { Recent } from "./Recent.ts"
import type { Shape } from "./Steps.ts"

interface RunRecord {
  /** Number of the run, from 1. It increases when a run ends with an error that is retryable. */
  readonly turn: number
  /** The payload of this run. */
  readonly payload?: object
  readonly isOpen: boolean
}

interface Reentry extends RunRecord {
  /** Whether the payload differs from the payload with which this run began. Its recorded steps must not be used for this one. */
  readonly isOther: boolean
  readonly leave: (exit: Exit.Exit<unknown, unknown>) => void
}

/** Number of flows that are remembered. Beyond it the oldest are dropped. */
const mostRemembered = 10_000
const runsBySteps = new WeakMap<Shape, Recent<RunRecord>>()

/**
 * Records that the flow `name` runs with these steps. If the steps are not recorded, the next run counts as open unless this one
 * ends with an error that proves that nothing was done.
 */
export const enter = (steps: Shape, name: string, payload: object): Reentry => {
  const recent = runsBySteps.get(steps) ?? new Recent<RunRecord>(mostRemembered)
  runsBySteps.set(steps, recent)
  const isRecorded = steps.run !== ""
  const { isOpen, payload: firstPayload = payload, turn } = recent.get(name) ?? { turn: 1, isOpen: false }
  if (isRecorded) recent.set(name, { turn, payload: firstPayload, isOpen })
  return {
    turn,
    isOpen,
    isOther: isRecorded && !Equal.equals(firstPayload, payload),
    leave: (exit) => {
      const isOpen = isRecorded ? isOpenEnd(exit) : !isNothingDone(exit)
      const isLate = (recent.get(name)?.turn ?? 1) > turn
      if (!isRecorded && !isOpen) recent.delete(name)
      else if (!isLate) {
        recent.set(name, endsRetryable(exit) ? { turn: turn + 1, isOpen } : { turn, payload: firstPayload, isOpen })
      }
    }
  }
}

/** Whether an error allows the flow to be run again with the same payload. */
export const isRetryable = (error: unknown): boolean =>
  Predicate.hasProperty(error, "retryable") && error.retryable === true

const endsRetryable = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && isRetryable(reason.error))

/** Tags of errors that prove that nothing was done. */
const nothingDone: ReadonlySet<unknown> = new Set(["Unreachable", "NeverHappened", "NotAccepted", "Refused"])

const isNothingDone = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.every((reason) => Cause.isFailReason(reason) && endsWithNothingDone(reason.error))

/** Whether an error is a refusal, which left the name of the action free. */
export const isRefusal = (error: unknown): boolean =>
  Predicate.isTagged(error, "NotAccepted") || Predicate.isTagged(error, "Refused")

/** Whether an error proves that nothing was done. */
export const endsWithNothingDone = (error: unknown): boolean =>
  Predicate.hasProperty(error, "_tag") && nothingDone.has(error._tag)

const isOpenEnd = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some(
    (reason) => !Cause.isFailReason(reason) || (isRetryable(reason.error) && !endsWithNothingDone(reason.error))
  )

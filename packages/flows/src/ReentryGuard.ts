/**
 * What a program knows of flows that it has run before, under the same identity: how often one was begun anew, and whether it was
 * cut off, so that nobody knows what became of what it sent.
 */
import { Cause, Equal, Exit, Predicate } from "effect"
import { Recent } from "./Recent.ts"
import type { Shape } from "./Steps.ts"

interface RunRecord {
  /** Grows with each end after which it may be begun anew. */
  readonly turn: number
  /** What this turn is asked for. */
  readonly payload?: object
  readonly isOpen: boolean
}

export interface Reentry extends RunRecord {
  /** Not the same as this turn was asked for before; its steps are remembered, and would be told as if they were of this. */
  readonly isOther: boolean
  readonly leave: (exit: Exit.Exit<unknown, unknown>) => void
}

/** So many at most; the oldest give way. */
const mostKnown = 10_000
const knownBy = new WeakMap<Shape, Recent<RunRecord>>()

/** The flow of that name is run with these steps. Without a record, whatever may have been sent leaves the next run open. */
export const enter = (steps: Shape, name: string, payload: object): Reentry => {
  const recent = knownBy.get(steps) ?? new Recent<RunRecord>(mostKnown)
  knownBy.set(steps, recent)
  const isRecorded = steps.run !== ""
  const { isOpen, payload: former = payload, turn } = recent.get(name) ?? { turn: 1, isOpen: false }
  if (isRecorded) recent.set(name, { turn, payload: former, isOpen })
  return {
    turn,
    isOpen,
    isOther: isRecorded && !Equal.equals(former, payload),
    leave: (exit) => {
      const isOpen = isRecorded ? isOpenEnd(exit) : !isNothingDone(exit)
      const isLate = (recent.get(name)?.turn ?? 1) > turn
      if (!isRecorded && !isOpen) recent.delete(name)
      else if (!isLate) {
        recent.set(name, endsRetryable(exit) ? { turn: turn + 1, isOpen } : { turn, payload: former, isOpen })
      }
    }
  }
}

/** Whether an error says that the same may be asked for again. */
export const isRetryable = (error: unknown): boolean =>
  Predicate.hasProperty(error, "retryable") && error.retryable === true

const endsRetryable = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && isRetryable(reason.error))

/** It is known that nothing was done. */
const nothingDone: ReadonlySet<unknown> = new Set(["Unreachable", "NeverHappened", "Refused"])

const isNothingDone = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.every((reason) => Cause.isFailReason(reason) && endsWithNothingDone(reason.error))

/** Whether an error says that nothing was done. */
export const endsWithNothingDone = (error: unknown): boolean =>
  Predicate.hasProperty(error, "_tag") && nothingDone.has(error._tag)

const isOpenEnd = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some(
    (reason) => !Cause.isFailReason(reason) || (isRetryable(reason.error) && !endsWithNothingDone(reason.error))
  )

/**
 * Counts the turns of the flows inside an attempt. A flow that has failed with an error that is retryable, or was refused, is run
 * again in its next turn, with steps of its own.
 */
import { Cause, Equal, Exit } from "effect"
import { isRefusal, isRetryable } from "./OpenEnds.ts"
import { Recent } from "./Recent.ts"
import type { Shape } from "./Steps.ts"

interface Turn {
  /** Number of the turn, from 1. */
  readonly number: number
  readonly payload: object
  /** Whether the flow had an open end when the turn began. A repeat within the turn takes the same recorded steps. */
  readonly isOpen: boolean
  /** The steps of the flow in this turn. */
  readonly steps: Shape
}

interface Reentry extends Pick<Turn, "isOpen" | "steps"> {
  /** Whether the payload differs from the payload with which this turn began. Its recorded steps must not be used for this one. */
  readonly isOther: boolean
  readonly leave: (exit: Exit.Exit<unknown, unknown>) => void
}

/** Number of flows that are remembered. Beyond it the oldest are dropped. */
const mostRemembered = 10_000
const turnsBySteps = new WeakMap<Shape, Recent<Turn | number>>()

/** Records that the flow `name` runs with these steps. `within` returns the steps of one of its turns. */
export const enter = (
  steps: Shape,
  name: string,
  payload: object,
  { hasOpenEnd, within }: { readonly hasOpenEnd: boolean; readonly within: (turn: number) => Shape }
): Reentry => {
  const recent = turnsBySteps.get(steps) ?? new Recent<Turn | number>(mostRemembered)
  turnsBySteps.set(steps, recent)
  const latest = recent.get(name) ?? 1
  const turn =
    typeof latest === "number" ? { number: latest, payload, isOpen: hasOpenEnd, steps: within(latest) } : latest
  recent.set(name, turn)
  return {
    steps: turn.steps,
    isOpen: steps.run === "" ? hasOpenEnd : turn.isOpen,
    isOther: !Equal.equals(turn.payload, payload),
    leave: (exit) => {
      if (endsTurn(exit) && recent.get(name) === turn) recent.set(name, turn.number + 1)
    }
  }
}

const endsTurn = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some(
    (reason) => Cause.isFailReason(reason) && (isRetryable(reason.error) || isRefusal(reason.error))
  )

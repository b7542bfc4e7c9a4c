/**
 * Requests the status of an order after a refusal, because the refusal may answer a repeat of a request that was already carried
 * out. A status request without an answer is repeated.
 */
import { Effect } from "effect"
import * as Ask from "./Ask.ts"
import type * as Evidence from "./Evidence.ts"
import { FlowSettings } from "./FlowSettings.ts"
import * as Steps from "./Steps.ts"

/** The reason of `NeedsAPerson` if no status request was answered. */
export const untold = "it was refused, and nobody could say whether it had been done before that"

/** Requests the status of the order after a refusal, up to `mostRepeats` times. */
export const look = Effect.fnUntraced(function* (step: string, named: Ask.Named, trail: Evidence.Trail) {
  const { mostRepeats, pause } = yield* FlowSettings
  for (let question = 1; ; question += 1) {
    const name = question === 1 ? step : `${step} again ${question}`
    const { ended } = yield* Ask.status(name, named, trail)
    const isTold = ended._tag === "Answered" || ended._tag === "Refused" || ended._tag === "InvalidRequest"
    if (isTold || question >= mostRepeats) return ended
    yield* Steps.sleep(`${name} pause`, pause)
  }
})

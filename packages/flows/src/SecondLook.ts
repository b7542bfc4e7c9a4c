/**
 * How an order stands after a refusal, which may hide that the same request was done a moment before. A question without an
 * answer proves nothing, so it is asked again.
 */
import { Effect } from "effect"
import * as Ask from "./Ask.ts"
import type * as Evidence from "./Evidence.ts"
import { FlowSettings } from "./FlowSettings.ts"
import * as Steps from "./Steps.ts"

/** Why it is for a person where nobody ever answers. */
export const untold = "it was refused, and nobody could say whether it had been done before that"

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

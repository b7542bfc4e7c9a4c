/**
 * Requests the status of an order after a refusal, because the refusal may answer a repeat of a request that was already carried
 * out. A status request without an answer is repeated.
 */
import { Effect } from "effect"
import { FlowSettings } from "../engine/FlowSettings.ts"
import * as Steps from "../engine/Steps.ts"
import type * as Evidence from "../order/Evidence.ts"
import * as Ask from "./Ask.ts"

/** The reason of `NeedsAPerson` if no status request was answered. */
export const unanswered = "it was refused, and its status could not be requested"

/** Requests the status of the order after a refusal, up to `mostRepeats` times. */
export const request = Effect.fnUntraced(function* (step: string, named: Ask.Named, trail: Evidence.Trail) {
  const { mostRepeats, pause } = yield* FlowSettings
  for (let question = 1; ; question += 1) {
    const name = question === 1 ? step : `${step} again ${question}`
    const { ended } = yield* Ask.status(name, named, trail)
    const isAnswered = ended._tag === "Answered" || ended._tag === "Refused" || ended._tag === "InvalidRequest"
    if (isAnswered || question >= mostRepeats) return ended
    yield* Steps.sleep(`${name} pause`, pause)
  }
})

/**
 * Counts answers by their status. Logs a warning for answers in the older dialect that contain `processing` for an unknown
 * outcome.
 */
import { Effect, Metric } from "effect"
import type { Answer } from "../kernel/Answer.ts"
import { AuthClock } from "../kernel/AuthClock.ts"
import * as RateLimit from "../network/RateLimit.ts"
import * as WrittenAnswer from "./WrittenAnswer.ts"

const requests = Metric.counter("pay_requests_total", {
  description: "Answered requests by HTTP status; in the older dialect, by the status that JSON mode would have",
  incremental: true
})
const countByStatus = new Map<number, Metric.Counter<number>>()

export const count = (answer: Answer): Effect.Effect<Answer> => {
  const { status } = answer
  const counter = countByStatus.get(status) ?? Metric.withAttributes(requests, { status: String(status) })
  if (!countByStatus.has(status)) countByStatus.set(status, counter)
  return Effect.as(Metric.update(counter, 1), answer)
}

const unknowns = Metric.counter("pay_unknown_as_processing_total", {
  description: "Answers in the older dialect that say `processing` where the outcome is unknown",
  incremental: true
})

/** Limit of the warning: one per order and hour, because a client repeats its request every few seconds. */
const oncePerHour = { perSecond: 1 / 3600, burst: 1 }

export const unknownAlert = Effect.map(AuthClock, (clock) => {
  const perOrder = RateLimit.make(oncePerHour)
  return (answer: Answer): Effect.Effect<void> => {
    if (!WrittenAnswer.isUnknown(answer)) return Effect.void
    const orderId = WrittenAnswer.orderIdOf(answer) ?? "none"
    return Effect.andThen(
      Metric.update(unknowns, 1),
      perOrder.take(orderId, clock.nowMs()) === undefined
        ? Effect.annotateLogs(
            Effect.logWarning("A merchant of the older dialect reads `processing` for an unknown outcome"),
            { orderId }
          )
        : Effect.void
    )
  }
})

/**
 * Counts answers by their status. Logs a warning for answers in the older dialect that contain `processing` for an unknown
 * outcome.
 */
import { Effect, Metric } from "effect"
import type { Answer } from "../kernel/Answer.ts"
import { AuthClock } from "../kernel/AuthClock.ts"
import * as MetricSeries from "../kernel/MetricSeries.ts"
import * as RateLimit from "../network/RateLimit.ts"
import type { Observed } from "./RequestLog.ts"
import * as WrittenAnswer from "./WrittenAnswer.ts"

const requests = Metric.counter("pay_requests_total", {
  description:
    "Answered requests by merchant, operation and HTTP status; in the older dialect, by the status that JSON mode would have",
  incremental: true
})
const seconds = Metric.histogram("pay_request_seconds", {
  description: "Time from the head of a request to its answer, by operation",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
})

const countOf = MetricSeries.make(requests, "merchant", "operation", "status")
const timerOf = MetricSeries.make(seconds, "operation")

/** The merchant of a request without a right signature, and the operation of an unknown path. */
const unsigned = "none"

/** Counts an answer. `tookMs`: from the head of the request. */
export const count = (
  answer: Answer,
  { merchant = unsigned, operation = unsigned }: Pick<Observed, "merchant" | "operation">,
  tookMs: number
): Effect.Effect<Answer> =>
  Metric.update(countOf(merchant, operation, String(answer.status)), 1).pipe(
    Effect.andThen(Metric.update(timerOf(operation), tookMs / 1000)),
    Effect.as(answer)
  )

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

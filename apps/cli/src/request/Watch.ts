/** Polls the status until it is final, at the intervals that the protocol's specification recommends. */

import * as Status from "@pay/schema/Status"
import type { StatusResponse } from "@pay/schema/StatusResponse"
import type { PayError } from "@pay/transport/PayError"
import { Clock, Effect, Random } from "effect"

const second = 1000
const minute = 60 * second

/** The first five minutes, in which the status is requested every 3 to 5 s. */
const SOON_MS = 5 * minute
const soonMs = [3 * second, 5 * second] as const
/** The later interval: every 5 to 10 minutes. */
const laterMs = [5 * minute, 10 * minute] as const
/** Time without a change after which polling ends, because the callback will report the final status. */
const UNCHANGED_MS = 60 * minute

/** The last answer. If `isFinal` is false, nothing has changed for an hour. */
export interface Watched {
  readonly answer: StatusResponse
  readonly isFinal: boolean
}

export interface WatchEvents {
  /** Receives the first answer, and each one that differs from the previous. `elapsedMs` counts from the start of polling. */
  readonly onChange: (answer: StatusResponse, before: StatusResponse | undefined, elapsedMs: number) => void
  /** Receives a failed request, which is repeated. */
  readonly onMissed: (error: PayError) => void
}

/**
 * Polls the status with `ask`. An error of the first request fails the effect; retryable errors of later requests are only
 * reported.
 */
export const watch = Effect.fnUntraced(function* (
  ask: Effect.Effect<StatusResponse, PayError>,
  { onChange, onMissed }: WatchEvents
) {
  const startedAt = yield* Clock.currentTimeMillis
  let answer = yield* ask
  let changedAt = startedAt
  onChange(answer, undefined, 0)
  while (!Status.isFinal(answer.status)) {
    const now = yield* Clock.currentTimeMillis
    if (now - changedAt >= UNCHANGED_MS) return { answer, isFinal: false }
    const [least, most] = now - startedAt < SOON_MS ? soonMs : laterMs
    yield* Effect.sleep(yield* Random.nextBetween(least, most))
    const next = yield* Effect.catchIf(
      ask,
      ({ retryable }) => retryable,
      (error) =>
        Effect.as(
          Effect.andThen(
            Effect.sync(() => onMissed(error)),
            Effect.sleep(error._tag === "Refused" ? (error.retryAfterMs ?? 0) : 0)
          ),
          answer
        )
    )
    if (changes(answer, next).length > 0) {
      changedAt = yield* Clock.currentTimeMillis
      onChange(next, answer, changedAt - startedAt)
    }
    answer = next
  }
  return { answer, isFinal: true }
})

/** Returns the names of fields whose values differ. The serial number is ignored, because every answer has a new one. */
export const changes = (before: StatusResponse, after: StatusResponse): ReadonlyArray<string> => {
  const earlier = new Map<string, unknown>(Object.entries(before))
  return Object.entries(after).flatMap(([name, value]) =>
    name === "serial-number" || earlier.get(name) === value ? [] : [name]
  )
}

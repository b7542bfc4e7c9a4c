/** Asking for the status until it is final, as often as the protocol's pages advise. */

import * as Status from "@pay/schema/Status"
import type { StatusResponse } from "@pay/schema/StatusResponse"
import type { PayError } from "@pay/transport/PayError"
import { Clock, Effect, Random } from "effect"

const second = 1000
const minute = 60 * second

/** For five minutes every 3 to 5 s. */
const SOON_MS = 5 * minute
const soonMs = [3 * second, 5 * second] as const
/** Then every 5 to 10 minutes. */
const laterMs = [5 * minute, 10 * minute] as const
/** Without a change for this long, the callback is what will tell. */
const UNCHANGED_MS = 60 * minute

/** `isFinal` false: nothing has changed for an hour. */
export interface Watched {
  readonly answer: StatusResponse
  readonly isFinal: boolean
}

export interface Telling {
  /** The first answer and each that differs from the one before; the time since watching began. */
  readonly onChange: (answer: StatusResponse, before: StatusResponse | undefined, elapsedMs: number) => void
  /** Asking failed in a way that does no harm; it is asked again. */
  readonly onMissed: (error: PayError) => void
}

/** Only the first question may fail for want of a connection; later ones are asked again. */
export const watch = Effect.fnUntraced(function* (
  ask: Effect.Effect<StatusResponse, PayError>,
  { onChange, onMissed }: Telling
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

/** Names whose values differ. The serial number names the question and is always new. */
export const changes = (before: StatusResponse, after: StatusResponse): ReadonlyArray<string> => {
  const earlier = new Map<string, unknown>(Object.entries(before))
  return Object.entries(after).flatMap(([name, value]) =>
    name === "serial-number" || earlier.get(name) === value ? [] : [name]
  )
}

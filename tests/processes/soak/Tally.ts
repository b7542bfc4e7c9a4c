/** How requests were answered, counted by operation, and when the last one was accepted. */
import type * as PayError from "@pay/transport/PayError"
import type { Result } from "effect"

export const answers = ["accepted", "refused", "unknown", "notSent"] as const
export type Answer = (typeof answers)[number]

export interface Tally {
  readonly byOperation: ReadonlyMap<string, ReadonlyMap<Answer, number>>
  /** Why requests were refused, and how often. */
  readonly refusals: ReadonlyMap<string, number>
  /** Monotonic milliseconds of each accepted request, in their order. */
  readonly acceptedAtMs: ReadonlyArray<number>
  /** What contradicts an earlier answer, in words. */
  readonly contradictions: Array<string>
  readonly add: (operation: string, result: Result.Result<unknown, PayError.PayError>) => void
}

const kinds: Readonly<Record<PayError.PayError["_tag"], Answer>> = {
  InvalidRequest: "refused",
  NotSent: "notSent",
  OutcomeUnknown: "unknown",
  Refused: "refused"
}

export const make = (): Tally => {
  const byOperation = new Map<string, Map<Answer, number>>()
  const refusals = new Map<string, number>()
  const acceptedAtMs: Array<number> = []
  return {
    ...{ byOperation, refusals, acceptedAtMs, contradictions: [] },
    add: (operation, result) => {
      const answer = result._tag === "Success" ? "accepted" : kinds[result.failure._tag]
      const counts = byOperation.get(operation) ?? new Map<Answer, number>()
      byOperation.set(operation, counts.set(answer, (counts.get(answer) ?? 0) + 1))
      if (answer === "accepted") acceptedAtMs.push(performance.now())
      if (result._tag === "Failure" && answer === "refused")
        refusals.set(result.failure.message, (refusals.get(result.failure.message) ?? 0) + 1)
    }
  }
}

/** How many requests were answered so, in all. */
export const total = ({ byOperation }: Tally, answer: Answer): number =>
  [...byOperation.values()].reduce((sum, counts) => sum + (counts.get(answer) ?? 0), 0)

/** The longest time without an accepted request that overlaps this period, in milliseconds. */
export const longestGapMs = ({ acceptedAtMs }: Tally, fromMs: number, untilMs: number): number => {
  let longest = 0
  let before = acceptedAtMs[0] ?? fromMs
  for (const atMs of acceptedAtMs) {
    if (atMs > fromMs) longest = Math.max(longest, atMs - Math.max(before, fromMs))
    if (atMs > untilMs) break
    before = atMs
  }
  return longest
}

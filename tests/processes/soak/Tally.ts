/** How requests were answered, counted by operation, and when the last one was accepted. */
import type * as PayError from "@pay/transport/PayError"
import type { Result } from "effect"

export const answers = ["accepted", "refused", "unknown", "notSent"] as const
export type Answer = (typeof answers)[number]

export interface Tally {
  readonly byOperation: ReadonlyMap<string, ReadonlyMap<Answer, number>>
  /** Why requests were refused, and when, in monotonic milliseconds. */
  readonly refusals: ReadonlyArray<{ readonly atMs: number; readonly message: string }>
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
  const refusals: Array<Tally["refusals"][number]> = []
  const acceptedAtMs: Array<number> = []
  return {
    ...{ byOperation, refusals, acceptedAtMs, contradictions: [] },
    add: (operation, result) => {
      const answer = result._tag === "Success" ? "accepted" : kinds[result.failure._tag]
      const counts = byOperation.get(operation) ?? new Map<Answer, number>()
      byOperation.set(operation, counts.set(answer, (counts.get(answer) ?? 0) + 1))
      if (answer === "accepted") acceptedAtMs.push(performance.now())
      if (result._tag === "Failure" && answer === "refused")
        refusals.push({ atMs: performance.now(), message: result.failure.message })
    }
  }
}

/** How many requests were answered so, in all. */
export const total = ({ byOperation }: Tally, answer: Answer): number =>
  [...byOperation.values()].reduce((sum, counts) => sum + (counts.get(answer) ?? 0), 0)

/** The longest time without an accepted request that overlaps this period, in milliseconds; what is before the period does not count. */
export const longestGapMs = (
  { acceptedAtMs }: Pick<Tally, "acceptedAtMs">,
  fromMs: number,
  untilMs: number
): number => {
  let longest = 0
  let before = fromMs
  for (const atMs of acceptedAtMs) {
    if (atMs <= fromMs) continue
    longest = Math.max(longest, atMs - before)
    before = atMs
    if (atMs > untilMs) return longest
  }
  return Math.max(longest, untilMs - before)
}

/**
 * The answers that the simulated Adyen gives again to a request with the same `Idempotency-Key`. Adyen keeps a key for at least 7 days
 * (https://docs.adyen.com/development-resources/api-idempotency); the simulator forgets it then.
 */

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const windowMs = 7 * 24 * 60 * 60 * 1000

interface Kept {
  readonly atMs: number
  readonly request: string
  /** Undefined while the first request is under way. */
  answer: Answer | undefined
}

/** What a key says about a request. */
export type Precedent =
  | { readonly _tag: "New"; readonly keep: (answer: Answer) => void }
  | { readonly _tag: "Answered"; readonly answer: Answer }
  /** The first request with this key is under way, or had another content. */
  | { readonly _tag: "Conflict"; readonly isTransient: boolean }

export const make = () => {
  const byKey = new Map<string, Kept>()
  return {
    /** Looks up a key, and begins it if it is new. `request`: the path and the body. */
    begin: (key: string, request: string, nowMs: number): Precedent => {
      const kept = byKey.get(key)
      if (kept === undefined || nowMs - kept.atMs >= windowMs) {
        const next: Kept = { atMs: nowMs, request, answer: undefined }
        byKey.set(key, next)
        const keep = (answer: Answer) => {
          next.answer = answer
        }
        return { _tag: "New", keep }
      }
      if (kept.request !== request) return { _tag: "Conflict", isTransient: false }
      return kept.answer === undefined
        ? { _tag: "Conflict", isTransient: true }
        : { _tag: "Answered", answer: kept.answer }
    }
  }
}

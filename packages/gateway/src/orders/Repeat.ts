/**
 * Which earlier request a new one repeats (decisions: operations that act on an order). With a key: the one that bound
 * it. Without: a void, a remainder capture or a full return that moves or is done is a replay; an equal part within a
 * day is refused, because nobody can tell a lost answer from a second wish.
 */
import type { OrderRequest } from "./OrderRequest.ts"

export interface RepeatableRequest {
  readonly operation: string
  /** The fingerprint, made with the key of an earlier one so that the two compare. */
  readonly fingerprintLike: (earlier: string) => string
  readonly idempotencyKey: string | undefined
  /** Undefined: the whole, or whatever is left. */
  readonly amountMinor: number | undefined
  readonly nowMs: number
  readonly repeatWindowMs: number
  /** Nothing of the kind can follow on the order after this amount: an exact repeat of it is no second wish. */
  readonly wholeMinor?: number | undefined
  /** It can happen once only: whatever came before is what this repeats, however it ended. */
  readonly once?: boolean
}

export type Verdict =
  | { readonly _tag: "New" }
  | { readonly _tag: "Replay"; readonly of: OrderRequest }
  | { readonly _tag: "KeyTaken"; readonly by: OrderRequest }
  | { readonly _tag: "Ambiguous"; readonly with: OrderRequest }

const counts = ({ progress }: OrderRequest): boolean =>
  progress === "moving" || progress === "unknown" || progress === "approved"

/** A whole one that named its amount is told by its content. `earlier`: the requests of the order, in any order. */
export const judge = (wanted: RepeatableRequest, earlier: ReadonlyArray<OrderRequest>): Verdict => {
  const same = earlier.filter(({ operation }) => operation === wanted.operation)
  if (wanted.idempotencyKey !== undefined) {
    const holder = same.find(({ idempotencyKey }) => idempotencyKey === wanted.idempotencyKey)
    if (holder === undefined && wanted.once !== true) return { _tag: "New" }
    if (holder !== undefined)
      return holder.fingerprint === wanted.fingerprintLike(holder.fingerprint)
        ? { _tag: "Replay", of: holder }
        : { _tag: "KeyTaken", by: holder }
  }
  const [first] = same
  if (wanted.once === true) return first === undefined ? { _tag: "New" } : { _tag: "Replay", of: first }
  if (wanted.amountMinor === undefined) {
    const whole = same.find((request) => request.amountGiven === 0 && counts(request))
    return whole === undefined ? { _tag: "New" } : { _tag: "Replay", of: whole }
  }
  const whole = same.find(
    (request) =>
      (request.amountGiven === 0 || request.amountMinor === wanted.wholeMinor) &&
      counts(request) &&
      request.fingerprint === wanted.fingerprintLike(request.fingerprint)
  )
  if (whole !== undefined) return { _tag: "Replay", of: whole }
  const equal = same.find(
    (request) =>
      request.amountGiven === 1 &&
      request.amountMinor === wanted.amountMinor &&
      counts(request) &&
      wanted.nowMs - request.acceptedAtMs < wanted.repeatWindowMs
  )
  return equal === undefined ? { _tag: "New" } : { _tag: "Ambiguous", with: equal }
}

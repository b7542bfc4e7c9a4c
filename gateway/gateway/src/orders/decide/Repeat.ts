/**
 * Decides which earlier request of an order a new one repeats (docs/assumptions.md#repeated-actions). With an idempotency key,
 * it repeats the request that has the same key. Without a key, a void, a capture of the remainder or a full return repeats an
 * equal one that is in flight, unknown or approved. An equal partial amount within the repeat window is refused, because it may
 * be a repetition or a second intended request.
 */
import type { OrderRequest } from "../record/OrderRequest.ts"

export interface RepeatableRequest {
  readonly operation: string
  /**
   * Returns the fingerprint of the request, made with the version of the key of an earlier one, so that the two can be
   * compared.
   */
  readonly fingerprintLike: (earlier: string) => string
  readonly idempotencyKey: string | undefined
  /** The amount in the request; undefined for the whole amount, or everything that is left. */
  readonly amountMinor: number | undefined
  readonly nowMs: number
  readonly repeatWindowMs: number
  /**
   * The amount that leaves nothing for a further request of this operation: a request with exactly this amount is no
   * second intended one.
   */
  readonly wholeMinor?: number | undefined
  /**
   * True: the action can happen only once. Any earlier request of this operation counts as repeated, whatever its
   * outcome.
   */
  readonly once?: boolean
}

export type RepeatVerdict =
  | { readonly _tag: "New" }
  | { readonly _tag: "Replay"; readonly of: OrderRequest }
  | { readonly _tag: "KeyTaken"; readonly by: OrderRequest }
  | { readonly _tag: "Ambiguous"; readonly with: OrderRequest }

const counts = ({ progress }: OrderRequest): boolean =>
  progress === "processing" || progress === "unknown" || progress === "approved"

/**
 * Decides whether a request is new. A request that sends the whole amount counts as a repetition if its content is
 * equal too. `earlier`: requests of the order, in any order.
 */
export const judge = (candidate: RepeatableRequest, earlier: ReadonlyArray<OrderRequest>): RepeatVerdict => {
  // A request without a fingerprint was never requested of this gateway.
  const sameOperation = earlier.filter(
    ({ fingerprint, operation }) => operation === candidate.operation && fingerprint !== ""
  )
  if (candidate.idempotencyKey !== undefined) {
    const holder = sameOperation.find(({ idempotencyKey }) => idempotencyKey === candidate.idempotencyKey)
    if (holder === undefined && candidate.once !== true) return { _tag: "New" }
    if (holder !== undefined)
      return holder.fingerprint === candidate.fingerprintLike(holder.fingerprint)
        ? { _tag: "Replay", of: holder }
        : { _tag: "KeyTaken", by: holder }
  }
  const [first] = sameOperation
  if (candidate.once === true) return first === undefined ? { _tag: "New" } : { _tag: "Replay", of: first }
  if (candidate.amountMinor === undefined) {
    const whole = sameOperation.find((request) => request.hasAmount === 0 && counts(request))
    return whole === undefined ? { _tag: "New" } : { _tag: "Replay", of: whole }
  }
  const whole = sameOperation.find(
    (request) =>
      (request.hasAmount === 0 || request.amountMinor === candidate.wholeMinor) &&
      counts(request) &&
      request.fingerprint === candidate.fingerprintLike(request.fingerprint)
  )
  if (whole !== undefined) return { _tag: "Replay", of: whole }
  const equal = sameOperation.find(
    (request) =>
      request.hasAmount === 1 &&
      request.amountMinor === candidate.amountMinor &&
      counts(request) &&
      candidate.nowMs - request.acceptedAtMs < candidate.repeatWindowMs
  )
  return equal === undefined ? { _tag: "New" } : { _tag: "Ambiguous", with: equal }
}

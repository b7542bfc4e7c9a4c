/**
 * Chooses how the outcome of a request ends whose answer is lost: the first way that its acquirer declares and that applies now. Pure.
 */
import type { Way } from "../bank/UnknownOutcome.ts"
import type { OrderRequest } from "../record/OrderRequest.ts"
import { isCreation } from "./RequestEnd.ts"

export interface Circumstances {
  readonly nowMs: number
  /** Milliseconds for which this process has known the request, by a clock that nobody sets. */
  readonly ageMs: number
  /** Longest time after the acceptance of a payment in which it may be sent again. */
  readonly resubmitWithinMs: number
  /** Whether another gateway may have acted for the order: it is then neither sent again nor reversed without a person. */
  readonly mayBeOfAnother: boolean
  /** Whether everything that the request contained is still there, such as the security code. */
  readonly isComplete: boolean
  /** Whether the adapter can reverse. */
  readonly canReverse: boolean
}

const defaultMarginMs = 60_000

type Known = Pick<OrderRequest, "acceptedAtMs" | "action" | "processorTxId">

/**
 * Whether the identical request gets the first one's answer. The window is counted from the acceptance, which is never after the first
 * time that the request was sent; business time goes slower while a clock that was set back catches up, and is before the acceptance where
 * the process has started since.
 */
const isResendable = (
  { acceptedAtMs, action }: Known,
  { marginMs = defaultMarginMs, windowMs }: Extract<Way, { readonly by: "resend" }>,
  { ageMs, isComplete, mayBeOfAnother, nowMs, resubmitWithinMs }: Circumstances
): boolean => {
  const limitMs = Math.min(windowMs - marginMs, isCreation({ action }) ? resubmitWithinMs : windowMs)
  const sinceMs = nowMs - acceptedAtMs
  return !mayBeOfAnother && isComplete && sinceMs >= 0 && Math.max(sinceMs, ageMs) <= limitMs
}

/** Returns the way; `person` if none applies. The outcome of a request that the bank has taken is only waited for. */
export const of = (request: Known, ways: ReadonlyArray<Way>, circumstances: Circumstances): Way["by"] => {
  const applies = (way: Way): boolean => {
    switch (way.by) {
      case "inquiry":
      case "person":
        return true
      case "resend":
        return request.processorTxId === null && isResendable(request, way, circumstances)
      case "reversal":
        return request.processorTxId === null && circumstances.canReverse && !circumstances.mayBeOfAnother
    }
  }
  return ways.find(applies)?.by ?? "person"
}

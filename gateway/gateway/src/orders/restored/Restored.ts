/**
 * What a restored copy may send. Its orders may have changed after the copy was taken: the bank may have processed requests
 * under their references that the copy lacks. So the gateway inquires before it sends anything.
 */
import type { Order } from "../Order.ts"
import type { OrderRequest } from "../OrderRequest.ts"
import type { Continuation } from "../outcomes/OutcomeContext.ts"

/**
 * Whether the gateway must inquire before it sends a request of the order. `startedAtMs`: when a gateway first started on the
 * copy; undefined if this store is no restored copy.
 */
export const inquiresFirst = (order: Pick<Order, "createdAtMs">, startedAtMs: number | undefined): boolean =>
  startedAtMs !== undefined && order.createdAtMs <= startedAtMs

export interface AttemptTimes {
  readonly nowMs: number
  readonly startedAtMs: number
  readonly acceptedAtMs: number
  readonly longestProcessingMs: number
  readonly resubmitWithinMs: number
}

/**
 * Whether a reference that the bank does not have may be sent at once: requests from before the restore have been processed
 * by now, and the request is recent enough.
 */
export const maySend = ({
  acceptedAtMs,
  longestProcessingMs,
  nowMs,
  resubmitWithinMs,
  startedAtMs
}: AttemptTimes): boolean => nowMs - startedAtMs >= longestProcessingMs && nowMs - acceptedAtMs <= resubmitWithinMs

interface Charge {
  readonly order: Order
  readonly request: OrderRequest
  readonly continuation?: Continuation | undefined
}

/** Returns a charge with the sequence number of another of its attempts. */
export const withSequence = <C extends Charge>(charge: C, sequence: number): C => ({
  ...charge,
  order: { ...charge.order, sequence },
  request: { ...charge.request, sequence },
  continuation: charge.continuation?.withSequence(sequence)
})

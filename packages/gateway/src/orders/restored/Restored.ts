/**
 * What a restored copy may do. Its orders lived on after the copy was made: under any of their references the bank may have
 * done something that the copy does not know, so it is asked before anything is sent.
 */
import type { Order } from "../Order.ts"
import type { OrderRequest } from "../OrderRequest.ts"
import type { Continuation } from "../outcomes/OutcomeContext.ts"

/** `startedAtMs`: when a gateway first started on the copy; undefined: this store never was one. */
export const asksFirst = (order: Pick<Order, "createdAtMs">, startedAtMs: number | undefined): boolean =>
  startedAtMs !== undefined && order.createdAtMs <= startedAtMs

export interface AttemptTimes {
  readonly nowMs: number
  readonly startedAtMs: number
  readonly acceptedAtMs: number
  readonly longestProcessingMs: number
  readonly resubmitWithinMs: number
}

/** Whether a reference that the bank does not know may be sent at once: whatever the former life sent was heard of by now. */
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

/** A charge as it stands under another of its tries. */
export const underTry = <C extends Charge>(charge: C, sequence: number): C => ({
  ...charge,
  order: { ...charge.order, sequence },
  request: { ...charge.request, sequence },
  continuation: charge.continuation?.underTry(sequence)
})

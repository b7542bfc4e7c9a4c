/** A request about an existing order, a stored card or a recurring payment, as the modules of flows pass it on. */
import { Effect } from "effect"
import * as Flow from "../engine/Flow.ts"
import * as Steps from "../engine/Steps.ts"
import type * as Evidence from "../order/Evidence.ts"
import type { OrderStatus } from "../order/OrderStatus.ts"
import type * as Ask from "./Ask.ts"

/** A request about an existing order, a stored card or a recurring payment. */
export interface FollowUp extends Ask.Target {
  /** The prefix of the names of its steps. The `Idempotency-Key` is derived from it. */
  readonly step: string
  readonly clientOrderId: string
  readonly trail: Evidence.Trail
  /** The `Idempotency-Key` of the request. Default: a key derived from the flow and the step. */
  readonly idempotencyKey?: string
  /**
   * Whether the request may have been sent before. A refusal, or a request that is not sent, then does not prove that it had no
   * effect.
   */
  readonly isOpen?: boolean
}

/** A request about an existing order, such as a capture. */
export interface OnOrder extends FollowUp {
  readonly orderId?: string | undefined
  /** The status of the order before the request, if the request may have been sent before. */
  readonly before?: OrderStatus | undefined
  /** Whether the earlier request was sent to a gateway that was known to honour `Idempotency-Key`. */
  readonly wasKeyed?: boolean
}

/** Returns the `Idempotency-Key` of the request: the caller's, or one derived from the flow and the step. */
export const keyOf = ({ idempotencyKey, step }: FollowUp) =>
  Effect.map(Steps.Steps, ({ workflowId }) => idempotencyKey ?? Flow.keyOf(workflowId, step))

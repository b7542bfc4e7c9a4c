/** A request about an order that exists, or about a kept card or a recurring payment, as flows hand it on. */
import { Effect } from "effect"
import type * as Ask from "./Ask.ts"
import type * as Evidence from "./Evidence.ts"
import * as Flow from "./Flow.ts"
import type { OrderStatus } from "./OrderStatus.ts"
import * as Steps from "./Steps.ts"

export interface FollowUp extends Ask.Target {
  /** Names of the steps begin so, and the key towards the gateway is made of it. */
  readonly step: string
  readonly clientOrderId: string
  readonly trail: Evidence.Trail
  /** Instead of one of the flow's own. */
  readonly idempotencyKey?: string
  /** It may have been sent before: what is refused or not sent now says nothing of then. */
  readonly isOpen?: boolean
}

export interface OnOrder extends FollowUp {
  readonly orderId?: string | undefined
  /** How the order stood before the request, where it may have been sent before. */
  readonly before?: OrderStatus | undefined
  /** What was sent before was sent to a gateway that was known to honour keys. */
  readonly wasKeyed?: boolean
}

/** The `Idempotency-Key` it is sent under: the caller's own, or one of the flow's. */
export const keyOf = ({ idempotencyKey, step }: FollowUp) =>
  Effect.map(Steps.Steps, ({ workflowId }) => idempotencyKey ?? Flow.keyOf(workflowId, step))

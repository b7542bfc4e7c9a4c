/**
 * Resolves a request whose answer was lost, for programs that call `PayClient` themselves. Flows do this on their own. The
 * procedure depends on the operation. A creation is sent again only if `status` shows that the order does not exist. An action is
 * sent again under its key if the gateway honours keys; otherwise the amounts before and after it are compared. A read is not
 * repeated: only the status of its order is returned.
 */
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import type * as PayError from "@pay/transport/PayError"
import { Effect } from "effect"
import { currentMerchant } from "../engine/Performance.ts"
import { Steps, within } from "../engine/Steps.ts"
import * as Evidence from "../order/Evidence.ts"
import type { OrderStatus } from "../order/OrderStatus.ts"
import type { OnOrder } from "./Action.ts"
import * as AwaitFinal from "./AwaitFinal.ts"
import * as Creation from "./Creation.ts"
import * as Ending from "./Ending.ts"
import * as FollowUp from "./FollowUp.ts"

/** A request whose answer was lost. */
export interface Lost {
  readonly operation: Operation
  /** The request exactly as it was sent. */
  readonly request: Readonly<Record<string, unknown>> & { readonly client_orderid: string }
  readonly error: PayError.OutcomeUnknown
  /** The endpoint that the request was sent to, if it is not the client's own. */
  readonly endpointId?: string
  /**
   * The status of the order before a capture, void or return. It is needed if the gateway was not known to honour
   * `Idempotency-Key` when the request was sent, because then only amounts can be compared. Without it the result is
   * `NeedsAPerson` in that case, and with it if the order has changed and others may act on it (`FlowSettings.actsAlone`).
   */
  readonly before?: OrderStatus
}

/**
 * Resolves the lost request. Returns the final status of the order or of the action, or fails with the reason.
 *
 * ```ts
 * pay.sale(request).pipe(Effect.catchTag("OutcomeUnknown", (error) => Resolve.resolve({ operation: SALE, request, error })))
 * ```
 */
export const resolve = Effect.fn("Flow.Resolve")(function* ({ before, endpointId, error, operation, request }: Lost) {
  const { client_orderid: clientOrderId } = request
  const key = `${clientOrderId}/${error.idempotencyKey ?? operation.name}`
  const steps = within(yield* Steps, "Resolve", { merchant: yield* currentMerchant, key })
  const trail: Evidence.Trail = [Evidence.ofError(error, 0)]
  const target = { step: "resolve", operation, request, clientOrderId, endpointId, trail, before, isOpen: true }
  return yield* Effect.provideService(settle(target, error), Steps, steps)
})

const settle = Effect.fnUntraced(function* (
  target: Creation.Creation & OnOrder & { readonly isOpen: boolean },
  { idempotencyKey, isKeyHonoured = false }: PayError.OutcomeUnknown
) {
  const { clientOrderId, endpointId, operation, request, trail } = target
  const about = { clientOrderId, trail }
  const conclude = Effect.fnUntraced(function* (orderId: string | undefined) {
    const named = { clientOrderId, endpointId, orderId }
    const { order } = yield* AwaitFinal.watch({ step: "status", named, trail })
    return yield* Ending.conclude(order, about)
  })
  if (operation.acts === "creates") {
    const order = yield* conclude((yield* Creation.create(target)).orderId)
    return yield* Ending.asRequested(order, target, about)
  }
  const orderId = typeof request.orderid === "string" ? request.orderid : undefined
  if (operation.acts === "reads") return yield* conclude(orderId)
  const key = idempotencyKey === undefined ? {} : { idempotencyKey }
  const followUp = { ...target, orderId, ...key, wasKeyed: isKeyHonoured }
  return yield* operation === PayApi.operations.PAYOUT_V4_PAY ? FollowUp.payOut(followUp) : FollowUp.carryOut(followUp)
})

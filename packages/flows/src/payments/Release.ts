/**
 * Releases a hold whose scope has closed early. It finds out what became of the order, and voids what is left of it. It captures
 * nothing, and it voids only what cannot be captured money: a gateway that honours `Idempotency-Key` refuses to void it, and at any
 * other one nothing is voided once a part was or may have been captured.
 */
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Result, Schema } from "effect"
import * as FieldNames from "../engine/FieldNames.ts"
import type { FlowEngine } from "../engine/FlowEngine.ts"
import { HoldsOfFlow } from "../engine/HoldsOfFlow.ts"
import * as Steps from "../engine/Steps.ts"
import type * as Evidence from "../order/Evidence.ts"
import * as FlowError from "../order/FlowError.ts"
import type { OrderStatus } from "../order/OrderStatus.ts"
import * as AwaitFinal from "../requests/AwaitFinal.ts"
import * as ByAmounts from "../requests/ByAmounts.ts"
import * as Creation from "../requests/Creation.ts"
import * as Ending from "../requests/Ending.ts"
import { Authorization } from "./CardPayment.ts"
import { Void } from "./OrderAction.ts"

type Payment = Parameters<typeof Authorization.execute>[0]

const Progress = Schema.Struct({
  /** Whether an order may exist. */
  mayExist: Schema.Boolean,
  /** The order, if it is known to be approved. */
  orderId: Schema.optionalKey(Schema.String),
  /** Whether the outcome of a capture is unknown. */
  isCaptureOpen: Schema.Boolean
})

/** What the program knew about its hold when the scope closed. */
export type Progress = typeof Progress.Type

/** The order of an action on the hold. */
export const targetOf = ({ clientOrderId, currency }: Payment, orderId: string) => ({
  clientOrderId,
  orderId,
  currency
})

/** The endpoint of requests about the hold, if it is not the client's own. */
export const endpointOf = ({ endpointId }: Payment) => (endpointId === undefined ? {} : { endpointId })

/** Whether the hold of an approved order was released as a whole. */
export const isReleased = ({ transactionType }: OrderStatus): boolean => transactionType === "cancel"

/** Whether the bank holds nothing for the order any more. */
const isClosed = (order: OrderStatus): boolean => {
  const { authorizedMinor, capturedMinor = 0, type } = ByAmounts.amountsOf(order)
  if (order.status !== "approved" || isReleased(order)) return true
  if (authorizedMinor !== undefined && capturedMinor >= authorizedMinor) return true
  // What is left is not captured any more, and money that was captured has not been refunded: the rest was released.
  return type === "capture" && ByAmounts.minor(order.remainingAmount, order.currency) === 0
}

/** Releases the hold, and records in the flow whether it was released. `progress`: what the program knows at this moment. */
export const release = (
  payment: Payment,
  progress: Progress
): Effect.Effect<void, never, PayClient.PayClient | FlowEngine> =>
  Effect.gen(function* () {
    const holds = yield* HoldsOfFlow
    const end = yield* Effect.result(releaseInTurns(payment, progress))
    if (Result.isSuccess(end)) {
      if (end.success) holds?.released.add(payment.clientOrderId)
      return
    }
    yield* Effect.logError(end.failure.message, end.failure.evidence)
    if (holds === undefined) return yield* Effect.die(end.failure)
    holds.unreleased.push(end.failure)
  })

type Unreleased = FlowError.FlowError | FlowError.ExecuteError

/** Tries again while the gateway is not reachable, for about an hour, and once after a refusal or an unknown outcome. */
const releaseInTurns = Effect.fnUntraced(function* (payment: Payment, given: Progress) {
  const pauses = yield* AwaitFinal.Pauses
  const inTurn = yield* stepsOf(payment)
  const success = Progress
  const progress = yield* inTurn(1)(Steps.step("progress", { success, error: Schema.Never }, Effect.succeed(given)))
  if (!progress.mayExist) return false
  const trail: Evidence.Trail = []
  let refusals = 0
  let unknowns = 0
  for (let turn = 1; ; turn += 1) {
    const end = yield* Effect.result(releaseOnce({ payment, progress, trail, refusals }, inTurn(turn)))
    if (Result.isSuccess(end)) return end.success
    const { failure } = end
    const pause = pauses[turn - 1]
    if (failure._tag === "StillUnknown") unknowns += 1
    else if (!failure.retryable) refusals += 1
    const isOver = failure._tag === "NeedsAPerson" || refusals > 1 || unknowns > 1
    if (isOver || pause === undefined) return yield* unreleased(payment, failure, trail)
    yield* inTurn(turn)(Steps.sleep("pause", pause))
  }
})

/**
 * Returns the steps of a release, for each of its turns. In a flow they have names of their own, so that many holds can be released.
 */
const stepsOf = Effect.fnUntraced(function* ({ clientOrderId }: Payment) {
  const steps = yield* Steps.Steps
  const identity = { merchant: steps.merchant, key: clientOrderId }
  return (turn: number) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      steps.workflowId === ""
        ? effect
        : Effect.provideService(effect, Steps.Steps, Steps.within(steps, "Release", identity, turn))
})

const unreleased = ({ clientOrderId }: Payment, failure: Unreleased, trail: Evidence.Trail) =>
  new FlowError.NeedsAPerson({
    clientOrderId,
    operation: PayApi.operations.VOID.name,
    reason: `its hold was not released, and may be open at the bank: ${failure.message}`,
    evidence: [...trail, ...("evidence" in failure ? failure.evidence : [])],
    ...("order" in failure && failure.order !== undefined ? { order: failure.order } : {})
  })

interface Releasing {
  readonly payment: Payment
  readonly progress: Progress
  readonly trail: Evidence.Trail
  /** Number of earlier refusals of the void. */
  readonly refusals: number
}

/** Returns whether there was a hold. */
const releaseOnce = Effect.fnUntraced(function* (
  { progress, payment, refusals, trail }: Releasing,
  own: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
) {
  const order = yield* own(orderOf(payment, progress, trail))
  if (order === undefined) return false
  if (isClosed(order)) return order.status === "approved"
  const isSafe = yield* own(
    Steps.step("safe", { success: Schema.Boolean, error: Schema.Never }, isVoidSafe(order, progress))
  )
  const { clientOrderId } = payment
  const about = { clientOrderId, trail }
  if (!isSafe) {
    const reason = "this gateway may reverse what was captured when it voids the rest, so nothing was voided"
    return yield* Ending.needsAPerson("VOID", reason, about, order)
  }
  const name = refusals === 0 ? {} : { name: `void ${refusals + 1}` }
  const target = targetOf(payment, order.orderId)
  const after = yield* Void.execute({ ...Void.of(target, endpointOf(payment)), ...name }).pipe(
    // A refund of all that was captured may have released the rest, which the status does not show.
    Effect.catchTag("NotAccepted", (error) =>
      order.transactionType === "reversal" && !error.retryable ? Effect.succeed(order) : Effect.fail(error)
    )
  )
  const [was, is] = [order, after].map((status) => ByAmounts.amountsOf(status).capturedMinor)
  if (was === undefined || is === undefined || is >= was) return true
  return yield* Ending.needsAPerson("VOID", "the void has reversed what was captured", about, after)
})

/** Whether a void can release only what is not captured. */
const isVoidSafe = (order: OrderStatus, { isCaptureOpen }: Progress) =>
  Effect.gen(function* () {
    const { profile } = yield* (yield* PayClient.PayClient).assumedProfile
    return profile.honoursIdempotencyKey || (!isCaptureOpen && ByAmounts.amountsOf(order).capturedMinor === 0)
  })

/** Returns the final status of the order, or `undefined` if the payment created none. */
const orderOf = Effect.fnUntraced(function* (payment: Payment, progress: Progress, trail: Evidence.Trail) {
  const { clientOrderId, endpointId } = payment
  const orderId = progress.orderId ?? (yield* createdOrderId(payment, trail))
  if (orderId === undefined) return undefined
  const { order } = yield* AwaitFinal.watch({ step: "status", named: { clientOrderId, endpointId, orderId }, trail })
  return order
})

/** Finds the order of an authorization whose outcome is unknown. */
const createdOrderId = Effect.fnUntraced(function* (payment: Payment, trail: Evidence.Trail) {
  const { clientOrderId, endpointId } = payment
  const { workflowId } = yield* Steps.Steps
  // Outside of a flow, a durable engine continues the authorization on its own, and may not have sent it yet.
  if (workflowId === "") yield* Effect.ignore(Authorization.ended(clientOrderId))
  const { PREAUTH: operation } = PayApi.operations
  const request = FieldNames.requestOf(operation, payment)
  // An order that is refused as another payment is not the one of this authorization.
  const receipt = yield* Effect.catchTag(
    Creation.search({ clientOrderId, endpointId, operation, request, trail }, "search"),
    "NotAccepted",
    () => Effect.undefined
  )
  return receipt?.orderId
})

/**
 * A hold: an authorized amount that belongs to a scope. If the scope closes early, what is not captured is released at the bank.
 */
import type { PayClient } from "@pay/transport/PayClient"
import { Effect, Exit, type Scope } from "effect"
import type { CustomerBrowser } from "../browser/CustomerBrowser.ts"
import type { FlowEngine } from "../engine/FlowEngine.ts"
import { HoldsOfFlow } from "../engine/HoldsOfFlow.ts"
import * as Steps from "../engine/Steps.ts"
import type * as FlowError from "../order/FlowError.ts"
import type { OrderStatus } from "../order/OrderStatus.ts"
import * as Ending from "../requests/Ending.ts"
import { Authorization } from "./CardPayment.ts"
import { Capture, type OrderPart, Void } from "./OrderAction.ts"
import * as Release from "./Release.ts"

type ActionError = FlowError.OrderError | FlowError.ExecuteError

/** An authorized amount, and what a program can do with it. */
export interface Hold {
  /** The status of the order after the authorization. */
  readonly order: OrderStatus
  /** Captures a part, or without an amount all that is left. A repeat under the same name is the same capture. */
  readonly capture: (part: OrderPart) => Effect.Effect<OrderStatus, ActionError, PayClient | FlowEngine>
  /** Voids the amount that is not captured. */
  readonly void: Effect.Effect<OrderStatus, ActionError, PayClient | FlowEngine>
}

/** A payment, as `Authorization.execute` takes it. */
export type Payment = Parameters<typeof Authorization.execute>[0]

/**
 * Authorizes an amount. If the scope closes early, by a failure, an interruption or a defect, what is not captured is voided: also
 * a hold whose authorization is under way at that moment. Closing never captures, and never refunds or reverses what was captured.
 * If the scope closes with success, the hold stays as it is: capture or void its `order` later, or the gateway releases it after its
 * time.
 *
 * In a flow, holds are voided also after a restart, and an interrupted part of a durable flow is voided at the end of the flow. If a
 * hold cannot be voided, the flow ends with `NeedsAPerson`, which names the order. Outside of flows, closing the scope dies with
 * this error.
 *
 * An order whose hold was voided cannot be authorized again, so `authorize` then fails with `NotAccepted`: use a new `clientOrderId`.
 *
 * ```ts
 * Effect.scoped(
 *   Effect.gen(function* () {
 *     const holds = yield* Effect.forEach(payments, authorize, { concurrency: "unbounded" })
 *     return yield* Effect.forEach(holds, (hold) => hold.capture({ name: "trip-7" }))
 *   })
 * )
 * ```
 */
export const authorize = (
  payment: Payment
): Effect.Effect<
  Hold,
  FlowError.CustomerError | FlowError.ExecuteError,
  Scope.Scope | FlowEngine | PayClient | CustomerBrowser
> =>
  Effect.gen(function* () {
    const { addFinalizer } = yield* Steps.Steps
    const state: State = { authorization: "none", captures: new Set() }
    yield* addFinalizer((exit) => (Exit.isSuccess(exit) ? Effect.void : Release.release(payment, progressOf(state))))
    state.authorization = "requested"
    const order = yield* Effect.tapError(Authorization.execute(payment), (error) =>
      Effect.sync(() => {
        if (!isOpen(error)) state.authorization = "none"
      })
    )
    const { clientOrderId, orderId } = order
    if (Release.isReleased(order) || (yield* wasVoided(clientOrderId, orderId))) {
      state.authorization = "none"
      const reason = `the hold of ${clientOrderId} was released: use a new clientOrderId`
      return yield* Ending.reused("PREAUTH", reason, { clientOrderId, trail: [] })
    }
    state.authorization = { orderId }
    const target = Release.targetOf(payment, orderId)
    const endpoint = Release.endpointOf(payment)
    const hold: Hold = {
      order,
      capture: (part) => tracked(Capture.of(target, { ...endpoint, ...part }), state),
      void: Void.execute(Void.of(target, endpoint))
    }
    return hold
  })

/**
 * Authorizes an amount and runs the program with its hold, which is voided as {@link authorize} describes.
 *
 * ```ts
 * withAuthorization(payment, ({ capture }) =>
 *   Effect.andThen(warehouse.pick(order), capture({ name: "shipment-1" }))
 * )
 * ```
 */
export const withAuthorization = <A, E, R>(
  payment: Payment,
  program: (hold: Hold) => Effect.Effect<A, E, R>
): Effect.Effect<
  A,
  E | FlowError.CustomerError | FlowError.ExecuteError,
  Exclude<R, Scope.Scope> | FlowEngine | PayClient | CustomerBrowser
> => Effect.scoped(Effect.flatMap(authorize(payment), program))

/** Whether the hold was voided after the authorization whose result an engine has kept. */
const wasVoided = Effect.fnUntraced(function* (clientOrderId: string, orderId: string) {
  const holds = yield* HoldsOfFlow
  if (holds !== undefined) return holds.released.has(clientOrderId)
  return yield* Effect.match(Void.poll(Void.idempotencyKey({ clientOrderId, orderId })), {
    onFailure: () => false,
    onSuccess: ({ _tag }) => _tag === "Succeeded"
  })
})

type CapturePayload = typeof Capture.payload.Type

/** What the program knows about its hold. */
interface State {
  /** `requested`: the authorization was requested and its outcome is not known, so an order may exist. */
  authorization: "none" | "requested" | { readonly orderId: string }
  /** Captures with an unknown outcome. Each call of `capture` has its own entry. */
  readonly captures: Set<CapturePayload>
}

const progressOf = ({ authorization, captures }: State): Release.Progress => ({
  mayExist: authorization !== "none",
  isCaptureOpen: captures.size > 0,
  ...(typeof authorization === "string" ? {} : authorization)
})

const isOpen = ({ _tag }: FlowError.FlowError | FlowError.ExecuteError): boolean =>
  _tag === "StillUnknown" || _tag === "NeedsAPerson" || _tag === "StorageFailed"

/** Whether the error is a final outcome of a capture. It then applies to all calls under the same name. */
const isOutcome = ({ _tag }: ActionError): boolean => _tag === "Declined" || _tag === "Filtered" || _tag === "Failed"

/** Captures a part. While its outcome is unknown, it is among the open captures. */
const tracked = (part: CapturePayload, { captures }: State) =>
  Effect.suspend(() => {
    const entry = { ...part }
    const removeSameName = Effect.sync(() => {
      for (const other of captures) if (other.name === entry.name) captures.delete(other)
    })
    const removeEntry = Effect.sync(() => captures.delete(entry))
    captures.add(entry)
    return Capture.execute(entry).pipe(
      Effect.tap(() => removeSameName),
      Effect.tapError((error) => (isOutcome(error) ? removeSameName : isOpen(error) ? Effect.void : removeEntry))
    )
  })

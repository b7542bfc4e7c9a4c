/**
 * An authorization that belongs to a program. If the program fails, the amount that is not captured is voided. Before that, each
 * capture with an unknown outcome is resolved.
 */
import * as PayApi from "@pay/schema/PayApi"
import type { PayClient } from "@pay/transport/PayClient"
import { Effect, Exit, type Scope } from "effect"
import * as AwaitFinal from "./AwaitFinal.ts"
import { Authorization } from "./CardPayment.ts"
import * as Creation from "./Creation.ts"
import type { CustomerBrowser } from "./CustomerBrowser.ts"
import * as FieldNames from "./FieldNames.ts"
import type { FlowEngine } from "./FlowEngine.ts"
import type * as FlowError from "./FlowError.ts"
import { Capture, type OrderPart, Void } from "./OrderAction.ts"
import type { OrderStatus } from "./OrderStatus.ts"
import * as Steps from "./Steps.ts"

type ActionError = FlowError.OrderError | FlowError.ExecuteError

/** The actions of a program on its authorization. */
export interface OpenAuthorization {
  /** The status of the order after the authorization. */
  readonly order: OrderStatus
  /** Captures a part, or without an amount all that is left. A repeat under the same name is the same capture. */
  readonly capture: (part: OrderPart) => Effect.Effect<OrderStatus, ActionError, PayClient | FlowEngine>
  /** Voids the amount that is not captured. */
  readonly void: Effect.Effect<OrderStatus, ActionError, PayClient | FlowEngine>
}

type CapturePayload = typeof Capture.payload.Type

const isOpen = ({ _tag }: FlowError.FlowError | FlowError.ExecuteError): boolean =>
  _tag === "StillUnknown" || _tag === "NeedsAPerson" || _tag === "StorageFailed"

/** The state that decides what to void at the end of the program. */
interface State {
  /** `requested`: the authorization was requested and its outcome is not known, so an order may exist. */
  authorization: "none" | "requested" | { readonly orderId: string }
  /** Captures with an unknown outcome. Each call of `capture` has its own entry. */
  readonly captures: Set<CapturePayload>
  /** Whether the authorization holds no amount any more, because it was captured in full or voided. */
  isUsed: boolean
}

type Payload = typeof Authorization.payload.Type

/**
 * Authorizes the amount and runs the program. If the program fails or is interrupted, the amount that is not captured is voided.
 * If the program succeeds, nothing is voided.
 *
 * ```ts
 * withAuthorization(payment, ({ capture }) =>
 *   Effect.andThen(warehouse.pick(order), capture({ name: "shipment-1" }))
 * )
 * ```
 */
export const withAuthorization = <A, E, R>(
  payload: Payload,
  program: (authorization: OpenAuthorization) => Effect.Effect<A, E, R>
): Effect.Effect<
  A,
  E | FlowError.CustomerError | FlowError.ExecuteError,
  Exclude<R, Scope.Scope> | FlowEngine | PayClient | CustomerBrowser
> => Effect.scoped(Effect.flatMap(authorize(payload), program))

/**
 * Authorizes the amount. If the scope closes early, by a failure or an interruption, the amount that is not captured is voided. A
 * flow voids it also after a restart.
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
export const authorize = Effect.fnUntraced(function* (payload: Payload) {
  const steps = yield* Steps.Steps
  const state: State = { authorization: "none", captures: new Set(), isUsed: false }
  yield* steps.addFinalizer((exit) => (Exit.isSuccess(exit) ? Effect.void : voidRest(payload, state)))
  state.authorization = "requested"
  const order = yield* Effect.tapError(Authorization.execute(payload), (error) =>
    Effect.sync(() => {
      if (!isOpen(error)) state.authorization = "none"
    })
  )
  const { orderId } = order
  state.authorization = { orderId }
  const target = targetOf(payload, orderId)
  const authorization: OpenAuthorization = {
    order,
    capture: (part) => captureOnce(Capture.of(target, { ...endpointOf(payload), ...part }), state),
    void: Effect.tap(Void.execute(Void.of(target, endpointOf(payload))), () =>
      Effect.sync(() => {
        state.isUsed = true
      })
    )
  }
  return authorization
})

const targetOf = ({ clientOrderId, currency }: Payload, orderId: string) => ({ clientOrderId, orderId, currency })

const endpointOf = ({ endpointId }: Payload) => (endpointId === undefined ? {} : { endpointId })

/** Whether the error is a final outcome of a capture. It then applies to all calls under the same name. */
const isOutcome = ({ _tag }: ActionError): boolean => _tag === "Declined" || _tag === "Filtered" || _tag === "Failed"

const captureOnce = (part: CapturePayload, state: State) =>
  Effect.suspend(() => {
    const payload = { ...part }
    const removeSameName = Effect.sync(() => {
      for (const other of state.captures) if (other.name === payload.name) state.captures.delete(other)
    })
    const removeEntry = Effect.sync(() => state.captures.delete(payload))
    state.captures.add(payload)
    return Capture.execute(payload).pipe(
      Effect.tap(({ authorizedAmount, capturedAmount }) =>
        Effect.sync(() => {
          state.isUsed = authorizedAmount !== undefined && capturedAmount === authorizedAmount
        })
      ),
      Effect.tap(() => removeSameName),
      Effect.tapError((error) => (isOutcome(error) ? removeSameName : isOpen(error) ? Effect.void : removeEntry))
    )
  })

/**
 * Resolves the unknown outcomes, then voids the rest. If an outcome cannot be resolved, nothing is voided and an error is logged.
 */
const voidRest = (payload: Payload, state: State): Effect.Effect<void, never, PayClient | FlowEngine> =>
  Effect.gen(function* () {
    const orderId = yield* orderToVoid(payload, state)
    if (orderId === undefined) return
    for (const capture of [...state.captures]) {
      yield* Effect.catch(captureOnce(capture, state), (error) => (isOpen(error) ? Effect.fail(error) : Effect.void))
    }
    if (!state.isUsed) yield* Void.execute(Void.of(targetOf(payload, orderId), endpointOf(payload)))
  }).pipe(
    Effect.catch((error) =>
      Effect.logError(
        `the authorization of ${payload.clientOrderId} was not voided`,
        error.message,
        "evidence" in error ? error.evidence : []
      )
    )
  )

/** Returns the identifier of the order to void, or `undefined` if no order was created or approved. */
const orderToVoid = Effect.fnUntraced(function* (payload: Payload, { authorization }: State) {
  if (authorization === "none") return undefined
  if (authorization !== "requested") return authorization.orderId
  const { clientOrderId, endpointId } = payload
  const { PREAUTH: operation } = PayApi.operations
  const request = FieldNames.requestOf(operation, payload)
  const searchTarget = { clientOrderId, endpointId, operation, request, trail: [] }
  const receipt = yield* Creation.search(searchTarget, "void search")
  if (receipt?.orderId === undefined) return undefined
  const { order } = yield* AwaitFinal.watch({
    step: "void status",
    named: { clientOrderId, endpointId, orderId: receipt.orderId },
    trail: searchTarget.trail
  })
  return order.status === "approved" ? order.orderId : undefined
})

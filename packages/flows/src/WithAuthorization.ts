/**
 * An authorization for the time of a program. If the program fails, what no capture has taken is voided. The outcome of every
 * capture is found out before that.
 */
import * as PayApi from "@pay/schema/PayApi"
import type { PayClient } from "@pay/transport/PayClient"
import { Effect, Exit, type Scope } from "effect"
import * as AwaitFinal from "./AwaitFinal.ts"
import { Authorization } from "./CardPayment.ts"
import * as Creation from "./Creation.ts"
import type { CustomerBrowser } from "./CustomerBrowser.ts"
import * as FieldNames from "./FieldNames.ts"
import * as Flow from "./Flow.ts"
import type * as FlowError from "./FlowError.ts"
import { type ActionError, Capture, type OrderPart, Void } from "./OrderAction.ts"
import type { OrderStatus } from "./OrderStatus.ts"
import * as Steps from "./Steps.ts"

/** What a program can do with its authorization. */
export interface OpenAuthorization {
  /** The order as it stood after the authorization. */
  readonly order: OrderStatus
  /** Captures a part, or with no amount all that is left. A repeat under the same name is the same capture. */
  readonly capture: (part: OrderPart) => Effect.Effect<OrderStatus, typeof ActionError.Type, PayClient>
  /** Voids what is left, now. */
  readonly void: Effect.Effect<OrderStatus, typeof ActionError.Type, PayClient>
}

type CapturePayload = typeof Capture.payload.Type

const isOpen = ({ _tag }: FlowError.FlowError): boolean => _tag === "StillUnknown" || _tag === "NeedsAPerson"

/** What the end of the program has to know. */
interface State {
  /** `asked`: there may be an order, and nobody has said so yet. */
  reservation: "none" | "asked" | { readonly orderId: string }
  /** Captures that were begun and whose outcome is not known: an entry for each time that one was asked for. */
  readonly captures: Set<CapturePayload>
  /** Nothing of it is held any more. */
  isUsed: boolean
}

type Payload = typeof Authorization.payload.Type

/**
 * Authorizes the amount, and runs the program. If the program ends with a failure or an interruption, what no capture has taken is
 * voided. If it succeeds, everything stays as it is.
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
): Effect.Effect<A, E | typeof Authorization.error.Type, Exclude<R, Scope.Scope> | PayClient | CustomerBrowser> =>
  Effect.scoped(Effect.flatMap(authorize(payload), program))

const authorize = Effect.fnUntraced(function* (payload: Payload) {
  const steps = yield* Steps.Steps
  const state: State = { reservation: "none", captures: new Set(), isUsed: false }
  yield* steps.addFinalizer((exit) => (Exit.isSuccess(exit) ? Effect.void : putBack(payload, state)))
  state.reservation = "asked"
  const order = yield* Effect.tapError(Flow.run(Authorization, payload), (error) =>
    Effect.sync(() => {
      if (!isOpen(error)) state.reservation = "none"
    })
  )
  const { orderId } = order
  state.reservation = { orderId }
  const target = targetOf(payload, orderId)
  const authorization: OpenAuthorization = {
    order,
    capture: (part) => captureOnce(Capture.of(target, { ...endpointOf(payload), ...part }), state),
    void: Effect.tap(Flow.run(Void, Void.of(target, endpointOf(payload))), () =>
      Effect.sync(() => {
        state.isUsed = true
      })
    )
  }
  return authorization
})

const targetOf = ({ clientOrderId, currency }: Payload, orderId: string) => ({ clientOrderId, orderId, currency })

const endpointOf = ({ endpointId }: Payload) => (endpointId === undefined ? {} : { endpointId })

/** The gateway's word about a capture, which is its word about all that were asked for under the same name. */
const isOutcome = ({ _tag }: FlowError.FlowError): boolean =>
  _tag === "Declined" || _tag === "Filtered" || _tag === "Failed"

const captureOnce = (part: CapturePayload, state: State) =>
  Effect.suspend(() => {
    const payload = { ...part }
    const isKnown = Effect.sync(() => {
      for (const other of state.captures) if (other.name === payload.name) state.captures.delete(other)
    })
    const isNotSent = Effect.sync(() => state.captures.delete(payload))
    state.captures.add(payload)
    return Flow.run(Capture, payload).pipe(
      Effect.tap(({ authorizedAmount, capturedAmount }) =>
        Effect.sync(() => {
          state.isUsed = authorizedAmount !== undefined && capturedAmount === authorizedAmount
        })
      ),
      Effect.tap(() => isKnown),
      Effect.tapError((error) => (isOutcome(error) ? isKnown : isOpen(error) ? Effect.void : isNotSent))
    )
  })

/** Finds out what is not known, then releases what is left; what cannot be found out stays, and is reported. */
const putBack = (payload: Payload, state: State): Effect.Effect<void, never, PayClient> =>
  Effect.gen(function* () {
    const orderId = yield* reservedOrder(payload, state)
    if (orderId === undefined) return
    for (const capture of [...state.captures]) {
      yield* Effect.catch(captureOnce(capture, state), (error) => (isOpen(error) ? Effect.fail(error) : Effect.void))
    }
    if (!state.isUsed) yield* Flow.run(Void, Void.of(targetOf(payload, orderId), endpointOf(payload)))
  }).pipe(
    Effect.catch((error) =>
      Effect.logError(`the authorization of ${payload.clientOrderId} was not voided`, error.message, error.evidence)
    )
  )

/** The order to release; nothing where none was made, or none was approved. */
const reservedOrder = Effect.fnUntraced(function* (payload: Payload, { reservation }: State) {
  if (reservation === "none") return undefined
  if (reservation !== "asked") return reservation.orderId
  const { clientOrderId, endpointId } = payload
  const { PREAUTH: operation } = PayApi.operations
  const request = FieldNames.requestOf(operation, payload)
  const looked = { clientOrderId, endpointId, operation, request, trail: [] }
  const receipt = yield* Creation.look(looked, "release look")
  if (receipt?.orderId === undefined) return undefined
  const { order } = yield* AwaitFinal.watch({
    step: "release status",
    named: { clientOrderId, endpointId, orderId: receipt.orderId },
    trail: looked.trail
  })
  return order.status === "approved" ? order.orderId : undefined
})

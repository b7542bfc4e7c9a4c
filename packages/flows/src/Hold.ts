/**
 * A reservation as a scoped resource: when the program around it fails, what is still held is released. Never while it is
 * unknown what became of a capture: first the capture's outcome is found out.
 */

import * as PayApi from "@pay/schema/PayApi"
import type { PayClient } from "@pay/transport/PayClient"
import { Effect, Exit, type Scope } from "effect"
import * as AwaitFinal from "./AwaitFinal.ts"
import { Authorization } from "./CardPayment.ts"
import * as Creation from "./Creation.ts"
import type { CustomerBrowser } from "./CustomerBrowser.ts"
import * as Flow from "./Flow.ts"
import type * as FlowError from "./FlowError.ts"
import { type ActionError, Capture, Void } from "./OrderAction.ts"
import type { OrderStatus } from "./OrderStatus.ts"
import * as Steps from "./Steps.ts"

/** One capture: `name` is the merchant's own; without an amount all that is left. */
export interface Part {
  readonly name: string
  readonly amount?: string
  readonly currency?: string
}

export interface Hold {
  /** The order as it stood after the authorization. */
  readonly order: OrderStatus
  /** Settles a part. The same part again is the same capture. */
  readonly capture: (part: Part) => Effect.Effect<OrderStatus, typeof ActionError.Type, PayClient>
  /** Releases what is left now. */
  readonly release: Effect.Effect<OrderStatus, typeof ActionError.Type, PayClient>
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

/**
 * Reserves; the scope is the time in which the reservation may be needed. If it ends with a failure or an interruption, what
 * no capture has settled is released; if it ends well, everything stays as it is.
 *
 * ```ts
 * Effect.scoped(Effect.gen(function* () {
 *   const hold = yield* Hold.reserve(payment)
 *   yield* warehouse.pick(order)
 *   yield* hold.capture({ name: "shipment-1" })
 * }))
 * ```
 */
export const reserve = (
  payload: typeof Authorization.payload.Type
): Effect.Effect<Hold, typeof Authorization.error.Type, PayClient | CustomerBrowser | Scope.Scope> =>
  Effect.gen(function* () {
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
    const names = orderNames(payload, orderId)
    return {
      order,
      capture: (part) => captureOnce({ ...names, ...part }, state),
      release: Effect.tap(Flow.run(Void, names), () =>
        Effect.sync(() => {
          state.isUsed = true
        })
      )
    }
  })

const orderNames = ({ client_orderid, endpointId }: typeof Authorization.payload.Type, orderid: string) => ({
  client_orderid,
  orderid,
  ...(endpointId === undefined ? {} : { endpointId })
})

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
const putBack = (payload: typeof Authorization.payload.Type, state: State): Effect.Effect<void, never, PayClient> =>
  Effect.gen(function* () {
    const orderId = yield* reservedOrder(payload, state)
    if (orderId === undefined) return
    for (const capture of [...state.captures]) {
      yield* Effect.catch(captureOnce(capture, state), (error) => (isOpen(error) ? Effect.fail(error) : Effect.void))
    }
    if (!state.isUsed) yield* Flow.run(Void, orderNames(payload, orderId))
  }).pipe(
    Effect.catch((error) =>
      Effect.logError(`the hold of ${payload.client_orderid} was not released`, error.message, error.evidence)
    )
  )

/** The order to release; nothing where none was made, or none was approved. */
const reservedOrder = Effect.fnUntraced(function* (payload: typeof Authorization.payload.Type, { reservation }: State) {
  if (reservation === "none") return undefined
  if (reservation !== "asked") return reservation.orderId
  const { client_orderid: clientOrderId, endpointId } = payload
  const looked = { clientOrderId, endpointId, operation: PayApi.operations.PREAUTH, request: payload, trail: [] }
  const receipt = yield* Creation.look(looked, "release look")
  if (receipt?.orderId === undefined) return undefined
  const { order } = yield* AwaitFinal.watch({
    step: "release status",
    named: { clientOrderId, endpointId, orderId: receipt.orderId },
    trail: looked.trail
  })
  return order.status === "approved" ? order.orderId : undefined
})

/**
 * Capture, void and return of an order, as pure decisions (docs/assumptions.md#captures-voids-and-returns). Amounts in flight
 * or unknown count as used, so that two requests at once can never exceed the order. A plan contains the request to the bank
 * and the order while this request is in flight.
 */

import { Result } from "effect"
import * as Answer from "../../kernel/Answer.ts"
import * as Change from "../../kernel/Change.ts"
import type * as Decision from "../../kernel/Decision.ts"
import type { Action } from "../record/Actions.ts"
import * as CardKinds from "../record/CardKinds.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import { isCardKind, type Order } from "../record/Order.ts"
import type { OrderRequest } from "../record/OrderRequest.ts"

export interface Plan {
  readonly action: Action
  /** The amount that the bank is requested to move; for `refundThenVoid` the amount of the refund. */
  readonly amountMinor: number
  /** 1 where the merchant named the amount. */
  readonly hasAmount: 0 | 1
  /** The order while the request is under way. */
  readonly order: Order
  /** Further writes that are committed with the request. */
  readonly writes?: (request: OrderRequest) => ReadonlyArray<Decision.Write>
  /** True: no job is started yet, because the request waits for a second approver. */
  readonly waits?: boolean
}

export type Planned = Result.Result<Plan, Answer.Refusal>

/** Returns the amount of the hold of a preauth that was voided, or expired: nothing more of it can be captured. */
export const voidedMinor = ({ authorizedMinor, capturedMinor, kind, state }: Order): number =>
  kind === "preauth" && !Lifecycle.isHeld(state) ? authorizedMinor - capturedMinor : 0

/** The amount of the hold that is neither captured nor in a capture in flight; 0 once everything captured was returned. */
export const capturableMinor = (order: Order): number =>
  Lifecycle.isHeld(order.state) && !isRefunded(order)
    ? order.authorizedMinor - order.capturedMinor - order.capturingMinor
    : 0

/**
 * The captured amount that is neither returned, nor in a return in flight, nor charged back; 0 for kinds of orders that cannot be
 * returned. A cardholder whose return and dispute met has more than the whole.
 */
export const refundableMinor = (order: Order): number =>
  nothingFollows(order) === undefined
    ? Math.max(0, order.capturedMinor - order.refundedMinor - order.refundingMinor - order.chargedBackMinor)
    : 0

/** Why an order of this kind is never captured, voided or returned; undefined if these operations are allowed. */
export const nothingFollows = ({ kind, orderId }: Order): string | undefined =>
  isCardKind(kind)
    ? CardKinds.kinds[kind].nothingFollows
    : `Order ${orderId} is no card payment: nothing to capture, void or return`

/** Whether a part of the captured amount is charged back now. */
export const isChargedBack = ({ chargedBackMinor, state }: Order): boolean =>
  chargedBackMinor > 0 && Lifecycle.isApproved(state)

/** Whether the whole captured amount was returned. */
export const isRefunded = (order: Order): boolean =>
  order.capturedMinor > 0 && order.refundedMinor === order.capturedMinor

const begin = (order: Order, action: Action, amountMinor: number, given: boolean, changes: Partial<Order>): Plan => ({
  action,
  amountMinor,
  hasAmount: given ? 1 : 0,
  order: Change.next(order, {
    ...changes,
    sequence: order.sequence + 1,
    inFlightCount: order.inFlightCount + 1
  })
})

const unfinished = (order: Order): Result.Result<never, Answer.Refusal> =>
  Answer.refusal(
    "orderState",
    `Order ${order.orderId} has no final outcome yet; ask status and try again once it is approved`
  )

const notApproved = (order: Order): Result.Result<never, Answer.Refusal> =>
  Answer.refusal("orderState", `Order ${order.orderId} was not approved (${Lifecycle.states[order.state].wire})`)

/** Refuses a void or return while a capture is in flight, because the amount that is left is not known until it ends. */
const noCaptureMoves = (order: Order): Result.Result<void, Answer.Refusal> =>
  order.capturingMinor === 0
    ? Result.void
    : Answer.refusal(
        "orderState",
        `A capture of order ${order.orderId} is under way; ask status and try again once it is no longer processing`
      )

const approved = (order: Order): Result.Result<void, Answer.Refusal> => {
  const never = nothingFollows(order)
  if (never !== undefined) return Answer.refusal("orderState", never)
  if (!Lifecycle.isFinal(order.state)) return unfinished(order)
  return Lifecycle.isApproved(order.state) ? Result.void : notApproved(order)
}

/** The settings of an order's endpoint and of the request's dialect that apply to a capture or return. */
export interface AmountRules {
  /** The amount is required, so that `control` covers it. */
  readonly needsAmount: boolean
  /**
   * A return of an uncaptured preauth may contain the whole amount of its hold, as clients of the older dialect always send it.
   */
  readonly takesWholeAmount?: boolean
  /**
   * `control` of a capture without an amount covers the amount and currency of the order, as clients of the older dialect sign
   * it.
   */
  readonly signsOrderAmount?: boolean
}

const anyAmount: AmountRules = { needsAmount: false }

const amountNamed = (
  { needsAmount }: AmountRules,
  askedMinor: number | undefined
): Result.Result<void, Answer.Refusal> =>
  needsAmount && askedMinor === undefined
    ? Answer.refusal(
        "parameterRequired",
        "Parameter amount is required: on this endpoint the control of a capture or return must cover amount and currency, also of a whole one",
        "amount"
      )
    : Result.void

/** Returns the whole amount of the order, if a capture without an amount moves it and `control` covers it. */
const signedMinor = (order: Order, { signsOrderAmount }: AmountRules): number | undefined =>
  signsOrderAmount === true && capturableMinor(order) === order.amountMinor ? order.amountMinor : undefined

/** Refuses an amount. The refusal names the field `amount` only if the merchant sent it. */
const tooMuch = (message: string, askedMinor: number | undefined): Result.Result<never, Answer.Refusal> =>
  Answer.refusal("amountExceeds", message, askedMinor === undefined ? undefined : "amount")

/** Captures a preauth in whole or in part; without an amount, everything that is left of its hold. */
export const capture = (
  order: Order,
  askedMinor: number | undefined,
  rules = anyAmount
): Result.Result<Plan, Answer.Refusal> =>
  Result.gen(function* () {
    yield* amountNamed(rules, askedMinor ?? signedMinor(order, rules))
    yield* approved(order)
    if (order.kind !== "preauth")
      return yield* Answer.refusal("orderState", "Only a preauth can be captured; a sale is captured already")
    if (order.voiding === 1)
      return yield* Answer.refusal("orderState", "The hold is being released; it cannot be captured now")
    if (!Lifecycle.isHeld(order.state) || isRefunded(order)) {
      return yield* Answer.refusal(
        "orderState",
        "Nothing is left to capture: the hold is captured, released or returned"
      )
    }
    const leftMinor = capturableMinor(order)
    const amountMinor = askedMinor ?? leftMinor
    if (amountMinor > leftMinor || leftMinor === 0) {
      return yield* tooMuch(
        leftMinor === 0 ? "The whole hold is captured or being captured" : "amount exceeds what is left of the hold",
        askedMinor
      )
    }
    return begin(order, "capture", amountMinor, askedMinor !== undefined, {
      capturingMinor: order.capturingMinor + amountMinor
    })
  })

/** Releases what is left of a preauth's hold. */
export const voidHold = (order: Order): Result.Result<Plan, Answer.Refusal> =>
  Result.gen(function* () {
    yield* approved(order)
    if (order.kind !== "preauth" || (order.capturedMinor > 0 && !Lifecycle.isHeld(order.state))) {
      return yield* Answer.refusal(
        "orderState",
        "The payment is captured and cannot be voided; use return to give the money back"
      )
    }
    if (!Lifecycle.isHeld(order.state) || order.voiding === 1) {
      return yield* Answer.refusal("orderState", "Nothing is left to void: the hold is released or being released")
    }
    yield* noCaptureMoves(order)
    return begin(order, "void", order.authorizedMinor - order.capturedMinor, false, { voiding: 1 })
  })

/** Returns money: cancels the hold of an uncaptured preauth, or refunds captured money in whole or in part. */
export const refund = (
  order: Order,
  askedMinor: number | undefined,
  rules = anyAmount
): Result.Result<Plan, Answer.Refusal> =>
  Result.gen(function* () {
    yield* amountNamed(rules, askedMinor)
    yield* approved(order)
    yield* noCaptureMoves(order)
    const isOnHold = Lifecycle.isHeld(order.state)
    if (isOnHold && order.capturedMinor === 0) {
      const whole = rules.needsAmount ? order.authorizedMinor : undefined
      if (askedMinor === whole || (rules.takesWholeAmount === true && askedMinor === order.authorizedMinor))
        return yield* voidHold(order)
      return yield* Answer.refusal(
        "amountNotAllowed",
        rules.needsAmount
          ? "An uncaptured preauth is cancelled as a whole; give the whole amount of its hold"
          : "An uncaptured preauth is cancelled as a whole; leave amount out",
        "amount"
      )
    }
    if (order.capturedMinor === 0)
      return yield* Answer.refusal("orderState", "Nothing was captured: there is nothing to return")
    const leftMinor = refundableMinor(order)
    const amountMinor = askedMinor ?? leftMinor
    const closes = isOnHold && askedMinor === undefined
    if (closes && order.voiding === 1)
      return yield* Answer.refusal("orderState", "The hold is being released; try again once that has ended")
    if (amountMinor > leftMinor || leftMinor === 0) {
      return yield* tooMuch(
        leftMinor === 0
          ? "All captured money is returned, being returned or charged back"
          : "amount exceeds what was captured and neither returned nor charged back",
        askedMinor
      )
    }
    return begin(order, closes ? "refundThenVoid" : "refund", amountMinor, askedMinor !== undefined, {
      refundingMinor: order.refundingMinor + amountMinor,
      voiding: closes ? 1 : order.voiding
    })
  })

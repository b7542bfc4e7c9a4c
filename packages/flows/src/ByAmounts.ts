/**
 * Acts on an order exactly once at a gateway without `Idempotency-Key`. After a lost answer, the amounts before and after the
 * request decide whether it was carried out. If they do not decide it, the flow fails with `NeedsAPerson`.
 */
import * as Money from "@pay/schema/Money"
import * as Status from "@pay/schema/Status"
import type * as PayError from "@pay/transport/PayError"
import { Effect, Equal, Result } from "effect"
import { keyOf, type OnOrder } from "./Action.ts"
import * as Ask from "./Ask.ts"
import * as AwaitFinal from "./AwaitFinal.ts"
import * as Ending from "./Ending.ts"
import { FlowSettings } from "./FlowSettings.ts"
import type { OrderStatus } from "./OrderStatus.ts"
import * as SecondLook from "./SecondLook.ts"
import * as Steps from "./Steps.ts"
import type { Way } from "./Way.ts"

/** The amounts of an order in minor units. An amount that the gateway does not report is `undefined`. */
interface Moved {
  readonly authorizedMinor: number | undefined
  readonly capturedMinor: number | undefined
  readonly returnedMinor: number | undefined
  readonly type: string
}

const minor = (amount: string | undefined, currency: string | undefined): number | undefined =>
  amount === undefined || currency === undefined
    ? undefined
    : /^0+(?:\.0*)?$/.test(amount)
      ? 0
      : Result.getOrElse(Money.toMinor(amount, currency), () => undefined)

const movedOf = ({
  authorizedAmount,
  capturedAmount,
  currency,
  returnedAmount,
  transactionType = ""
}: OrderStatus): Moved => ({
  authorizedMinor: minor(authorizedAmount, currency),
  // A `preauth` order without a captured amount has captured nothing.
  capturedMinor: minor(capturedAmount, currency) ?? (transactionType === "preauth" ? 0 : undefined),
  returnedMinor: minor(returnedAmount, currency),
  type: transactionType
})

/** Returns the requested amount in minor units, or `undefined` if the request applies to all that is left. */
const askedOf = ({ amount, currency }: Ask.Target["request"]): number | undefined =>
  typeof amount === "string" && typeof currency === "string" ? minor(amount, currency) : undefined

type Verdict = "happened" | "not" | "ambiguous"

/**
 * Decides from the amounts before and after one request whether it was carried out. After a decline, and after a request that
 * never arrived, the amounts are the same. If the gateway does not report the amount, the result is `ambiguous`, except for a
 * request for all that is left that has changed the transaction type.
 */
const judge = ({ operation: { name }, request }: Ask.Target, before: Moved, after: Moved): Verdict => {
  const amounts = (moved: Moved) =>
    name === "CAPTURE"
      ? ([moved.capturedMinor, moved.returnedMinor] as const)
      : ([moved.returnedMinor, moved.capturedMinor] as const)
  const [was, otherWas = 0] = amounts(before)
  const [is, otherIs = 0] = amounts(after)
  if (otherWas !== otherIs) return "ambiguous"
  const isSame = before.type === after.type
  const isEnded = !isSame && (after.type === "capture") === (name === "CAPTURE")
  if (name === "VOID") {
    // The status does not show that the rest was voided after a capture.
    if (was !== is) return "ambiguous"
    return isEnded ? "happened" : isSame && before.type === "preauth" ? "not" : "ambiguous"
  }
  const requestedMinor = askedOf(request)
  if (was === undefined || is === undefined) return requestedMinor === undefined && isEnded ? "happened" : "ambiguous"
  if (was === is) {
    if (isSame) return "not"
    return requestedMinor === undefined && isEnded && name === "RETURN" ? "happened" : "ambiguous"
  }
  if (requestedMinor !== undefined) return is - was === requestedMinor ? "happened" : "ambiguous"
  return is === (name === "CAPTURE" ? after.authorizedMinor : otherIs) ? "happened" : "ambiguous"
}

/** The transaction types that prove a request of another kind, for each operation. */
const foreignTypes: Readonly<Record<string, ReadonlyArray<string>>> = {
  CAPTURE: ["cancel", "reversal"],
  RETURN: ["capture"],
  VOID: ["capture", "reversal"]
}

/** Whether the status reports on a request of another kind, so that the gateway has mixed up two requests. */
export const isForeign = ({ operation: { name } }: Ask.Target, { transactionType }: OrderStatus): boolean =>
  transactionType !== undefined && foreignTypes[name]?.includes(transactionType) === true

/**
 * Returns the total in minor units after all that is left was captured or returned, or `undefined` if the gateway does not report
 * it.
 */
const wholeMinor = ({ operation: { name } }: Ask.Target, before: Moved, order: OrderStatus): number | undefined => {
  const { authorizedMinor, capturedMinor } = movedOf(order)
  if (name === "CAPTURE") return authorizedMinor
  // A sale captures its amount. An authorization may be captured in part.
  return capturedMinor ?? (before.type === "sale" ? minor(order.amount, order.currency) : undefined)
}

/** Whether the order shows another change than the requested one, because another request acted on it in the meantime. */
const showsAnother = (target: Ask.Target, before: Moved, order: OrderStatus): boolean => {
  const { name } = target.operation
  const after = movedOf(order)
  if (before.type !== after.type && foreignTypes[name]?.includes(after.type) === true) return true
  const [was, is] =
    name === "CAPTURE" ? [before.capturedMinor, after.capturedMinor] : [before.returnedMinor, after.returnedMinor]
  if (was === undefined || is === undefined || was === is) return false
  const requestedMinor = askedOf(target.request)
  if (requestedMinor !== undefined) return is - was !== requestedMinor
  const whole = wholeMinor(target, before, order)
  return whole !== undefined && is !== whole
}

/** Whether an approved order shows no trace of the request. Its status may then be the one from before the request. */
export const showsNothing = (target: Ask.Target, order: OrderStatus): boolean => {
  const after = movedOf(order)
  return (
    judge(target, { authorizedMinor: undefined, capturedMinor: 0, returnedMinor: 0, type: after.type }, after) === "not"
  )
}

/**
 * Carries out the action. Once the request may have been sent, no error is `retryable` before it is proved that the request had
 * no effect. A new run would otherwise compare with amounts that have already changed.
 */
export const carryOut = Effect.fnUntraced(function* (followUp: OnOrder, way: Way) {
  const { clientOrderId, endpointId, operation, orderId, step, trail } = followUp
  const about = { clientOrderId, trail }
  const settings = yield* FlowSettings
  const named = { clientOrderId, orderId, endpointId }
  const needsAPerson = (reason: string, order?: OrderStatus) =>
    Ending.needsAPerson(operation.name, reason, about, order)
  const standing = (name: string, serialNumber?: string) =>
    AwaitFinal.watch({ step: `${step} ${name}`, named: { ...named, serialNumber }, trail })
  const standingAfter = (name: string, serialNumber?: string) =>
    Effect.mapError(standing(name, serialNumber), ({ order }) => needsAPerson("nobody could say in time", order))
  const { isOpen } = way
  const secondLook = way.order !== undefined && Status.isFinal(way.order.status) ? way.order : undefined
  const first = followUp.before ?? (isOpen ? undefined : (secondLook ?? (yield* standing("before")).order))
  if (first === undefined) {
    const now = secondLook ?? (yield* standingAfter("now")).order
    return yield* needsAPerson("how much had moved before it is not known", now)
  }
  const before = movedOf(first)
  /** Whether the amounts show the request. An accepted request may still be declined by the bank. */
  const isShown = (order: OrderStatus) =>
    judge(followUp, before, movedOf(order)) !== "not" && !Equal.equals(before, movedOf(order))
  /**
   * Concludes an accepted request. An approved order counts as success if the change of its amounts can come from the request.
   */
  const concluded = (order: OrderStatus) =>
    order.status === "approved" && showsAnother(followUp, before, order)
      ? needsAPerson("it was accepted, and something else has moved", order)
      : Ending.conclude(order, about)
  const idempotencyKey = yield* keyOf(followUp)
  let refusal: PayError.Refused | undefined
  for (let submission = 1; submission <= settings.mostSubmissions; submission += 1) {
    const isFresh = submission === 1 && !isOpen
    const sends = submission === 1 && isOpen ? "not" : "once"
    const { ended } = yield* Ask.send(`${step} ${submission}`, followUp, trail, { idempotencyKey, sends })
    if (ended._tag === "Answered") {
      const { order } = yield* standingAfter("status", way.answersByRequest ? ended.answer.serialNumber : undefined)
      if (way.answersByRequest) return yield* Ending.conclude(order, about)
      if (order.status !== "approved" || isShown(order)) return yield* concluded(order)
      // The request was accepted, but the status does not show it yet.
      yield* Steps.sleep(`${step} ${submission} quiet`, settings.quietPeriod)
      const { order: later } = yield* standingAfter(`after ${submission}`)
      if (later.status !== "approved" || isShown(later)) return yield* concluded(later)
      return yield* needsAPerson("it was accepted, and nothing shows that it was done", later)
    }
    if (ended._tag === "InvalidRequest") return yield* Ending.refused(ended, about)
    if (isFresh && ended._tag === "NotSent") return yield* Ending.unreachable(ended, about)
    if (isFresh && way.isFormer === true && ended._tag === "Refused") return yield* Ending.refused(ended, about)
    if (isFresh && ended._tag === "Refused") {
      // A proxy may have sent the request twice. The refusal of the second one then hides the outcome of the first.
      const secondLook = yield* SecondLook.look(`${step} ${submission} refused`, named, trail)
      if (secondLook._tag === "NotSent" || secondLook._tag === "OutcomeUnknown")
        return yield* needsAPerson(SecondLook.untold)
      if (secondLook._tag !== "Answered") return yield* Ending.refused(ended, about)
      const isMoving = !Status.isFinal(secondLook.answer.order.status)
      const order = isMoving ? (yield* standingAfter("refused")).order : secondLook.answer.order
      const verdict = judge(followUp, before, movedOf(order))
      if (verdict === "happened") return order
      if (!isMoving && Equal.equals(before, movedOf(order))) return yield* Ending.refused(ended, about)
      return yield* needsAPerson("it was refused, and something has moved", order)
    }
    refusal = ended._tag === "Refused" ? ended : undefined
    yield* Steps.sleep(`${step} ${submission} quiet`, settings.quietPeriod)
    const { order } = yield* standingAfter(`after ${submission}`)
    const verdict = judge(followUp, before, movedOf(order))
    if (verdict === "happened") return order
    if (verdict === "ambiguous") return yield* needsAPerson("more or less has moved than was asked for", order)
    const goesOn = way.showsFollowUps || (yield* Steps.isRecorded(`${step} ${submission + 1} begun`))
    if (!goesOn) return yield* needsAPerson("nothing has moved so far, which proves nothing here", order)
  }
  return yield* refusal === undefined ? Ending.neverHappened(operation.name, about) : Ending.refused(refusal, about)
})

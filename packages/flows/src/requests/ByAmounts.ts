/**
 * Acts on an order exactly once at a gateway without `Idempotency-Key`. After a lost answer, the amounts before and after the
 * request decide whether it was carried out. A change is proof only if this engine acts alone (`actsAlone`). If they do not decide
 * it, the flow fails with `NeedsAPerson`.
 */
import * as Money from "@pay/schema/Money"
import * as Status from "@pay/schema/Status"
import type * as PayError from "@pay/transport/PayError"
import { Effect, Equal, Result } from "effect"
import { FlowSettings } from "../engine/FlowSettings.ts"
import * as Steps from "../engine/Steps.ts"
import type { OrderStatus } from "../order/OrderStatus.ts"
import { keyOf, type OnOrder } from "./Action.ts"
import type { ActionPlan } from "./ActionPlan.ts"
import * as Ask from "./Ask.ts"
import * as AwaitFinal from "./AwaitFinal.ts"
import * as Ending from "./Ending.ts"
import * as OrderTurn from "./OrderTurn.ts"
import * as StatusAfterRefusal from "./StatusAfterRefusal.ts"

/** The amounts of an order in minor units. An amount that the gateway does not report is `undefined`. */
interface Amounts {
  readonly authorizedMinor: number | undefined
  readonly capturedMinor: number | undefined
  readonly returnedMinor: number | undefined
  readonly type: string
}

/** Returns an amount in minor units, or `undefined` if it is absent or not an amount. */
export const minor = (amount: string | undefined, currency: string | undefined): number | undefined =>
  amount === undefined || currency === undefined
    ? undefined
    : Result.getOrUndefined(Money.toMinorOrZero(amount, currency))

/** Returns the amounts of an order in minor units. */
export const amountsOf = ({
  authorizedAmount,
  capturedAmount,
  currency,
  returnedAmount,
  transactionType = ""
}: OrderStatus): Amounts => ({
  authorizedMinor: minor(authorizedAmount, currency),
  // A `preauth` order without a captured amount has captured nothing.
  capturedMinor: minor(capturedAmount, currency) ?? (transactionType === "preauth" ? 0 : undefined),
  returnedMinor: minor(returnedAmount, currency),
  type: transactionType
})

/** Returns the requested amount in minor units, or `undefined` if the request applies to all that is left. */
const requestedMinorOf = ({ amount, currency }: Ask.Target["request"]): number | undefined =>
  typeof amount === "string" && typeof currency === "string" ? minor(amount, currency) : undefined

type RequestVerdict = "happened" | "not" | "ambiguous"

/**
 * Decides from the amounts before and after one request whether it was carried out. After a decline, and after a request that
 * never arrived, the amounts are the same. If the gateway does not report the amount, the result is `ambiguous`, except for a
 * request for all that is left that has changed the transaction type.
 */
const judge = ({ operation: { name }, request }: Ask.Target, before: Amounts, after: Amounts): RequestVerdict => {
  const totals = (amounts: Amounts) =>
    name === "CAPTURE"
      ? ([amounts.capturedMinor, amounts.returnedMinor] as const)
      : ([amounts.returnedMinor, amounts.capturedMinor] as const)
  const [was, otherWas = 0] = totals(before)
  const [is, otherIs = 0] = totals(after)
  if (otherWas !== otherIs) return "ambiguous"
  const isSame = before.type === after.type
  const isEnded = !isSame && (after.type === "capture") === (name === "CAPTURE")
  if (name === "VOID") {
    // The status does not show that the rest was voided after a capture.
    if (was !== is) return "ambiguous"
    return isEnded ? "happened" : isSame && before.type === "preauth" ? "not" : "ambiguous"
  }
  const requestedMinor = requestedMinorOf(request)
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
export const isForeign = ({ operation: { name } }: Ask.Target, { transactionType = "" }: OrderStatus): boolean =>
  foreignTypes[name]?.includes(transactionType) === true

/**
 * Returns the total in minor units after all that is left was captured or returned, or `undefined` if the gateway does not report
 * it.
 */
const wholeMinor = ({ operation: { name } }: Ask.Target, before: Amounts, order: OrderStatus): number | undefined => {
  const { authorizedMinor, capturedMinor } = amountsOf(order)
  if (name === "CAPTURE") return authorizedMinor
  // A sale captures its amount. An authorization may be captured in part.
  return capturedMinor ?? (before.type === "sale" ? minor(order.amount, order.currency) : undefined)
}

/** Whether the order shows another change than the requested one, because another request acted on it in the meantime. */
const showsAnother = (target: Ask.Target, before: Amounts, order: OrderStatus): boolean => {
  const { name } = target.operation
  const after = amountsOf(order)
  if (before.type !== after.type && foreignTypes[name]?.includes(after.type) === true) return true
  const [was, is] =
    name === "CAPTURE" ? [before.capturedMinor, after.capturedMinor] : [before.returnedMinor, after.returnedMinor]
  if (was === undefined || is === undefined || was === is) return false
  const requestedMinor = requestedMinorOf(target.request)
  if (requestedMinor !== undefined) return is - was !== requestedMinor
  const whole = wholeMinor(target, before, order)
  return whole !== undefined && is !== whole
}

/** The amounts of an order as text, to be compared. */
const showsOf = (order: OrderStatus): string => JSON.stringify(Object.values(amountsOf(order)))

/** Carries out the action in its turn, so that no other action of this engine changes the amounts in the meantime. */
export const carryOut = (followUp: OnOrder, plan: ActionPlan) =>
  OrderTurn.inTurn(followUp, plan, showsOf, (turn) => carryOutAlone(followUp, plan, turn))

/**
 * Carries out the action. Once the request may have been sent, no error is `retryable` before it is proved that the request had
 * no effect. A new run would otherwise compare with amounts that have already changed.
 */
const carryOutAlone = Effect.fnUntraced(function* (followUp: OnOrder, plan: ActionPlan, turn: OrderTurn.Turn) {
  const { clientOrderId, endpointId, operation, orderId, step, trail } = followUp
  const about = { clientOrderId, trail }
  const settings = yield* FlowSettings
  const named = { clientOrderId, orderId, endpointId }
  const needsAPerson = (reason: string, order?: OrderStatus) =>
    Ending.needsAPerson(operation.name, reason, about, order)
  const statusAt = (name: string, serialNumber?: string) =>
    AwaitFinal.watch({ step: `${step} ${name}`, named: { ...named, serialNumber }, trail })
  const statusAfter = (name: string, serialNumber?: string) =>
    Effect.mapError(statusAt(name, serialNumber), ({ order }) => needsAPerson("its status stayed unknown", order))
  const { isOpen } = plan
  const knownOrder = plan.order !== undefined && Status.isFinal(plan.order.status) ? plan.order : undefined
  // An action of an earlier turn may have changed the order since the plan was made.
  const latest = turn.isFirst ? knownOrder : undefined
  const first = followUp.before ?? (isOpen ? undefined : (latest ?? (yield* statusAt("before")).order))
  if (first === undefined) {
    const now = knownOrder ?? (yield* statusAfter("now")).order
    return yield* needsAPerson("the amounts before the request are not known", now)
  }
  const before = amountsOf(first)
  const isUnchanged = followUp.before === undefined || turn.shows === undefined || turn.shows === showsOf(first)
  const isAlone = settings.actsAlone && turn.isAlone && isUnchanged
  /** Judges by the amounts. A change proves a request whose answer was lost only if no other program and no person acts on the order. */
  const judged = (order: OrderStatus): RequestVerdict => {
    const verdict = judge(followUp, before, amountsOf(order))
    return verdict === "happened" && !isAlone ? "ambiguous" : verdict
  }
  /** Whether the amounts show the request. An accepted request may still be declined by the bank. */
  const isShown = (order: OrderStatus) =>
    judge(followUp, before, amountsOf(order)) !== "not" && !Equal.equals(before, amountsOf(order))
  /**
   * Concludes an accepted request. An approved order counts as success if the change of its amounts can come from the request.
   */
  const concluded = (order: OrderStatus) =>
    order.status === "approved" && showsAnother(followUp, before, order)
      ? needsAPerson("it was accepted, and the order changed by something else", order)
      : Ending.conclude(order, about)
  const idempotencyKey = yield* keyOf(followUp)
  let refusal: PayError.Refused | undefined
  for (let submission = 1; submission <= settings.mostSubmissions; submission += 1) {
    const isFresh = submission === 1 && !isOpen
    const sending = submission === 1 && isOpen ? { isWithheld: true } : { sends: "once" as const }
    turn.begin()
    const { ended } = yield* Ask.send(`${step} ${submission}`, followUp, trail, { idempotencyKey, ...sending })
    if (ended._tag === "Answered") {
      const { order } = yield* statusAfter("status", plan.answersByRequest ? ended.answer.serialNumber : undefined)
      if (plan.answersByRequest) return yield* Ending.concludeRequest(order, followUp, about)
      if (order.status !== "approved" || isShown(order)) return yield* concluded(order)
      // The request was accepted, but the status does not show it yet.
      yield* Steps.sleep(`${step} ${submission} quiet`, settings.quietPeriod)
      const { order: later } = yield* statusAfter(`after ${submission}`)
      if (later.status !== "approved" || isShown(later)) return yield* concluded(later)
      return yield* needsAPerson("it was accepted, and the order shows no change", later)
    }
    if (ended._tag === "InvalidRequest") return yield* Ending.refused(ended, about)
    if (isFresh && ended._tag === "NotSent") return yield* Ending.unreachable(ended, about)
    if (isFresh && ended._tag === "Refused") {
      // A proxy may have sent the request twice. The refusal of the second one then hides the outcome of the first.
      const reply = yield* StatusAfterRefusal.request(`${step} ${submission} refused`, named, trail)
      if (reply._tag === "NotSent" || reply._tag === "OutcomeUnknown")
        return yield* needsAPerson(StatusAfterRefusal.unanswered)
      if (reply._tag !== "Answered") return yield* Ending.refused(ended, about)
      const isMoving = !Status.isFinal(reply.answer.order.status)
      const order = isMoving ? (yield* statusAfter("refused")).order : reply.answer.order
      if (judged(order) === "happened") return order
      if (!isMoving && Equal.equals(before, amountsOf(order))) return yield* Ending.refused(ended, about)
      return yield* needsAPerson("it was refused, and the order has changed", order)
    }
    refusal = ended._tag === "Refused" ? ended : undefined
    yield* Steps.sleep(`${step} ${submission} quiet`, settings.quietPeriod)
    const { order } = yield* statusAfter(`after ${submission}`)
    const verdict = judged(order)
    if (verdict === "happened") return order
    if (verdict === "ambiguous")
      return yield* needsAPerson("the order has changed, which does not prove that this request did it", order)
    if (!plan.showsFollowUps)
      return yield* needsAPerson(
        "the order shows no change yet, which does not prove that it was not carried out",
        order
      )
  }
  return yield* refusal === undefined ? Ending.neverHappened(operation.name, about) : Ending.refused(refusal, about)
})

/**
 * Acts on an order exactly once: where the answer is lost, the same request goes again under the same `Idempotency-Key`.
 * A gateway that does not honour the header is asked for the amounts before and after.
 */
import { codes } from "@pay/schema/ErrorCode"
import * as Money from "@pay/schema/Money"
import type * as PayError from "@pay/transport/PayError"
import { Effect, Result } from "effect"
import * as Ask from "./Ask.ts"
import * as AwaitFinal from "./AwaitFinal.ts"
import * as Ending from "./Ending.ts"
import type * as Evidence from "./Evidence.ts"
import * as Flow from "./Flow.ts"
import { FlowSettings } from "./FlowSettings.ts"
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
}

const keyOf = ({ idempotencyKey, step }: FollowUp) =>
  Effect.map(Steps.Steps, ({ workflowId }) => idempotencyKey ?? Flow.keyOf(workflowId, step))

/** The acknowledgement. */
export const act = Effect.fnUntraced(function* (followUp: FollowUp) {
  const { clientOrderId, operation, step, trail } = followUp
  const about = { clientOrderId, trail }
  const settings = yield* FlowSettings
  const idempotencyKey = yield* keyOf(followUp)
  /** Whether a request may be under way of which nobody knows what became. */
  let open = followUp.isOpen === true
  let refusedBefore = false
  for (let turn = 1; turn <= settings.mostRepeats; turn += 1) {
    const name = turn === 1 ? step : `${step} ${turn}`
    const { ended, isBegunBefore } = yield* Ask.send(name, followUp, trail, { idempotencyKey })
    open = open || isBegunBefore
    if (ended._tag === "Answered") return ended.answer
    if (ended._tag === "InvalidRequest") return yield* Ending.refused(ended, about)
    if (ended._tag === "NotSent" && !open) return yield* Ending.unreachable(ended, about)
    if (ended._tag === "Refused" && ended.retryable && !open) return yield* Ending.refused(ended, about)
    if (Ask.isThrottled(ended)) break
    const isRefused = ended._tag === "Refused" && !ended.retryable && (!open || isVerdict(ended))
    if (isRefused && (!open || refusedBefore)) return yield* Ending.refused(ended, about)
    open = open || ended._tag === "OutcomeUnknown"
    refusedBefore = isRefused
    yield* Steps.sleep(`${step} ${turn} pause`, isRefused ? settings.quietPeriod : settings.pause)
  }
  return yield* open ? Ending.stillUnknown(operation.name, about) : Ending.neverHappened(operation.name, about)
})

/** Whether the gateway has looked for what is under the key before it refused; a wrong signature is refused before that. */
const isVerdict = ({ errorCode, status }: PayError.Refused): boolean =>
  status === 400 && errorCode !== codes.authenticationFailed.code

/** Actions of which a gateway without keys would do a repeat, too; of all others a repeat changes nothing. */
const moving: ReadonlySet<string> = new Set(["CAPTURE", "RETURN", "VOID"])

/** Carries the follow-up out and waits for its outcome: how the order stands then. */
export const carryOut = Effect.fnUntraced(function* (followUp: OnOrder) {
  const { honoursIdempotencyKey } = yield* FlowSettings
  const { clientOrderId, endpointId, operation, orderId, trail } = followUp
  if (!honoursIdempotencyKey && moving.has(operation.name)) return yield* byAmounts(followUp)
  const { serialNumber } = yield* act(followUp)
  const named = { clientOrderId, orderId, serialNumber, endpointId }
  const { order } = yield* AwaitFinal.watch({ step: `${followUp.step} status`, named, trail })
  return yield* Ending.conclude(order, { clientOrderId, trail })
})

/** What has moved with an order, in minor units; `undefined` where the gateway does not say. */
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
  // Of what is only reserved nothing is captured.
  capturedMinor: minor(capturedAmount, currency) ?? (transactionType === "preauth" ? 0 : undefined),
  returnedMinor: minor(returnedAmount, currency),
  type: transactionType
})

type Verdict = "happened" | "not" | "ambiguous"

/**
 * What the difference says about one request, which asks for an amount or for all that is left. A decline and a request that
 * never arrived look the same: nothing moved. Where the gateway does not tell the amount, that it stayed proves nothing.
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
    // Nothing tells of a rest that is released after a capture.
    if (was !== is) return "ambiguous"
    return isEnded ? "happened" : isSame && before.type === "preauth" ? "not" : "ambiguous"
  }
  const { amount, currency } = request
  const asked = typeof amount === "string" && typeof currency === "string" ? minor(amount, currency) : undefined
  if (was === undefined || is === undefined) return asked === undefined && isEnded ? "happened" : "ambiguous"
  if (was === is) {
    if (isSame) return "not"
    return asked === undefined && isEnded && name === "RETURN" ? "happened" : "ambiguous"
  }
  if (asked !== undefined) return is - was === asked ? "happened" : "ambiguous"
  return is === (name === "CAPTURE" ? after.authorizedMinor : otherIs) ? "happened" : "ambiguous"
}

/**
 * For gateways without the header: only what the amounts prove counts. Once the request may have been sent, nothing ends
 * as `retryable` before they have proved that it did not happen: who begins anew compares with amounts that have moved.
 */
const byAmounts = Effect.fnUntraced(function* (followUp: OnOrder) {
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
  // Who remembers nothing of the run that was cut off has nothing to compare.
  const isForgotten = (yield* Steps.Steps).run === "" && (yield* Flow.BegunBefore)
  const isOpen = followUp.isOpen === true || isForgotten
  const first = followUp.before ?? (isOpen ? undefined : (yield* standing("before")).order)
  if (first === undefined) {
    return yield* needsAPerson("how much had moved before it is not known", (yield* standingAfter("now")).order)
  }
  const before = movedOf(first)
  const idempotencyKey = yield* keyOf(followUp)
  let refusal: PayError.Refused | undefined
  for (let submission = 1; submission <= settings.mostSubmissions; submission += 1) {
    const isFresh = submission === 1 && !isOpen
    const sends = submission === 1 && isOpen ? "not" : "once"
    const { ended } = yield* Ask.send(`${step} ${submission}`, followUp, trail, { idempotencyKey, sends })
    if (ended._tag === "Answered") {
      const { order } = yield* standingAfter("status", ended.answer.serialNumber)
      return yield* Ending.conclude(order, about)
    }
    if (ended._tag === "InvalidRequest") return yield* Ending.refused(ended, about)
    if (isFresh && ended._tag === "NotSent") return yield* Ending.unreachable(ended, about)
    if (isFresh && ended._tag === "Refused") return yield* Ending.refused(ended, about)
    refusal = ended._tag === "Refused" ? ended : undefined
    yield* Steps.sleep(`${step} ${submission} quiet`, settings.quietPeriod)
    const { order } = yield* standingAfter(`after ${submission}`)
    const verdict = judge(followUp, before, movedOf(order))
    if (verdict === "happened") return order
    if (verdict === "ambiguous") return yield* needsAPerson("more or less has moved than was asked for", order)
  }
  return yield* refusal === undefined ? Ending.neverHappened(operation.name, about) : Ending.refused(refusal, about)
})

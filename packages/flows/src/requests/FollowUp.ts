/**
 * Acts on an order exactly once. If the gateway honours `Idempotency-Key`, a request whose answer was lost is sent again under
 * the same key. Otherwise the amounts before and after the request decide whether it was carried out. The assumed profile of the
 * gateway is recorded before the first request, and also applies after a restart.
 */
import { codes } from "@pay/schema/ErrorCode"
import * as PayClient from "@pay/transport/PayClient"
import type * as PayError from "@pay/transport/PayError"
import { Effect } from "effect"
import { FlowSettings } from "../engine/FlowSettings.ts"
import * as Steps from "../engine/Steps.ts"
import { type FollowUp, keyOf, type OnOrder } from "./Action.ts"
import * as ActionPlan from "./ActionPlan.ts"
import * as Ask from "./Ask.ts"
import * as AwaitFinal from "./AwaitFinal.ts"
import * as ByAmounts from "./ByAmounts.ts"
import * as ByStatus from "./ByStatus.ts"
import * as Ending from "./Ending.ts"

/** Sends the request until it is acknowledged, and returns the acknowledgement. A repeat of it must have no second effect. */
export const act = Effect.fnUntraced(function* (followUp: FollowUp) {
  const { clientOrderId, operation, trail } = followUp
  const receipt = yield* sendUntilAnswered(followUp, () => Effect.undefined)
  return receipt ?? (yield* Ending.stillUnknown(operation.name, { clientOrderId, trail }))
})

type BeforeSend = NonNullable<Ask.SendOptions["beforeSend"]>

/** The error code of a repeat that was not sent because the gateway has announced that it honours no keys. */
const keyless = "KEYLESS"

/** Sends the request until it is answered. Returns `undefined` if the gateway no longer honours keys. */
const sendUntilAnswered = Effect.fnUntraced(function* (
  followUp: FollowUp,
  beforeSend: (isRepeat: boolean) => ReturnType<BeforeSend>
) {
  const { clientOrderId, operation, step, trail } = followUp
  const about = { clientOrderId, trail }
  const settings = yield* FlowSettings
  const idempotencyKey = yield* keyOf(followUp)
  /** Whether an earlier request with an unknown outcome may still be under way. */
  let open = followUp.isOpen === true
  let refusedBefore = false
  for (let turn = 1; turn <= settings.mostRepeats; turn += 1) {
    const name = turn === 1 ? step : `${step} ${turn}`
    const isRepeat = open
    const { ended, isBegunBefore } = yield* Ask.send(name, followUp, trail, {
      idempotencyKey,
      beforeSend: (isBegunBefore) => beforeSend(isRepeat || isBegunBefore)
    })
    open = open || isBegunBefore
    if (ended._tag === "Answered") return ended.answer
    if (ended._tag === "InvalidRequest" || (ended._tag === "Refused" && !open)) {
      return yield* Ending.refused(ended, about)
    }
    if (ended._tag === "NotSent" && !open) return yield* Ending.unreachable(ended, about)
    if (ended._tag === "OutcomeUnknown" && ended.code === keyless) return undefined
    if (Ask.isThrottled(ended)) break
    open = true
    const isRefused = ended._tag === "Refused" && isVerdict(ended)
    if (isRefused && refusedBefore) return yield* Ending.refused(ended, about)
    refusedBefore = isRefused
    yield* Steps.sleep(`${step} ${turn} pause`, isRefused ? settings.quietPeriod : settings.pause)
  }
  return yield* Ending.stillUnknown(operation.name, about)
})

/** Whether the gateway looked up the key before it refused the request. A wrong signature is refused before the lookup. */
const isVerdict = ({ errorCode, status }: PayError.Refused): boolean =>
  status === 400 && errorCode !== codes.authenticationFailed.code

/** Requests `status` before a repeat, because the gateway may have been replaced and must announce again that it honours keys. */
const statusBeforeRepeat = ({ clientOrderId, endpointId, operation, orderId }: OnOrder) =>
  Effect.fnUntraced(function* (isRepeat: boolean) {
    if (!isRepeat) return undefined
    const { ended } = yield* Ask.question({ clientOrderId, orderId, endpointId })
    if (ended._tag === "NotSent" || ended._tag === "OutcomeUnknown") return ended
    const { profile } = yield* (yield* PayClient.PayClient).assumedProfile
    return profile.honoursIdempotencyKey ? undefined : Ask.restarted(operation, keyless)
  })

/** Returns the acknowledgement of a request that would have a second effect if it were repeated without a key. */
const underKey = Effect.fnUntraced(function* (followUp: OnOrder) {
  const { clientOrderId, operation, trail } = followUp
  const receipt = yield* sendUntilAnswered(followUp, statusBeforeRepeat(followUp))
  if (receipt !== undefined) return receipt
  const reason = "the gateway no longer honours Idempotency-Key: a repeat would be a second request"
  return yield* Ending.needsAPerson(operation.name, reason, { clientOrderId, trail })
})

/**
 * The actions that a gateway without keys would carry out twice if they were repeated. A repeat of other actions has no effect.
 */
const movingOperations: ReadonlySet<string> = new Set(["CAPTURE", "RETURN", "VOID"])

/** Carries out the action, waits for its outcome, and returns the status of the order. */
export const carryOut = Effect.fnUntraced(function* (followUp: OnOrder) {
  const { clientOrderId, endpointId, operation, orderId, step, trail } = followUp
  const plan = movingOperations.has(operation.name) ? yield* ActionPlan.choose(followUp) : undefined
  if (plan?.isKeyed === false) return yield* ByAmounts.carryOut(followUp, plan)
  const { serialNumber } = yield* plan === undefined ? act(followUp) : underKey(followUp)
  const named = { clientOrderId, orderId, endpointId, serialNumber }
  const about = { clientOrderId, trail }
  const { order } = yield* AwaitFinal.watch({ step: `${step} status`, named, trail })
  if (plan?.answersByRequest !== true) return yield* Ending.conclude(order, about)
  if (!ByAmounts.isForeign(followUp, order)) return yield* Ending.concludeRequest(order, followUp, about)
  // The acknowledgement belongs to another request, because the connection mixed up answers. This request is repeated under its
  // key.
  const again = { ...followUp, step: `${step} again`, idempotencyKey: yield* keyOf(followUp), isOpen: true }
  const own = yield* underKey(again)
  const { order: now } = yield* AwaitFinal.watch({
    step: `${step} again status`,
    named: { ...named, serialNumber: own.serialNumber },
    trail
  })
  if (!ByAmounts.isForeign(followUp, now)) return yield* Ending.concludeRequest(now, followUp, about)
  return yield* Ending.needsAPerson(operation.name, "the gateway answers about another request", about, now)
})

/** Pays a checked payout, waits for its outcome, and returns the status of the order. */
export const payOut = Effect.fnUntraced(function* (followUp: OnOrder) {
  const { clientOrderId, endpointId, orderId, step, trail } = followUp
  const plan = yield* ActionPlan.choose(followUp)
  if (!plan.isKeyed) return yield* ByStatus.carryOut(followUp, plan)
  yield* underKey(followUp)
  const named = { clientOrderId, orderId, endpointId }
  const { order } = yield* AwaitFinal.watch({ step: `${step} status`, named, trail })
  return yield* Ending.conclude(order, { clientOrderId, trail })
})

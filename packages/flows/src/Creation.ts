/**
 * Makes an order exactly once. Where the answer is lost, `status` by `client_orderid` tells whether the gateway has it;
 * only after a definite "not found", before and after a quiet period, the identical request is sent again. A gateway that is not
 * known to replay a repeated creation is asked before the first one, too: the flow may have been run before.
 */
import * as Field from "@pay/schema/Field"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as Money from "@pay/schema/Money"
import * as PayClient from "@pay/transport/PayClient"
import * as PayError from "@pay/transport/PayError"
import { Effect } from "effect"
import * as Ask from "./Ask.ts"
import * as Ending from "./Ending.ts"
import type * as Evidence from "./Evidence.ts"
import { LostFields } from "./Flow.ts"
import { FlowSettings } from "./FlowSettings.ts"
import * as OrderKind from "./OrderKind.ts"
import type { OrderStatus } from "./OrderStatus.ts"
import * as Steps from "./Steps.ts"

export interface Creation extends Ask.Target {
  /** Names of the steps begin so. */
  readonly step: string
  readonly clientOrderId: string
  readonly trail: Evidence.Trail
  /** What the answer holds and `status` may not tell, the address of a form: without it a found order is asked for again. */
  readonly needed?: "redirectUrl" | "recurringPaymentId"
  /** It was sent before, and its outcome is unknown: the first thing is to look. */
  readonly isOpen?: boolean
}

/** The acknowledgement, or of an order that was found without one as much as `status` tells. */
export const create = Effect.fnUntraced(function* (creation: Creation) {
  const { clientOrderId, operation, step, trail } = creation
  const about = { clientOrderId, trail }
  const settings = yield* FlowSettings
  const missing = missingOf(creation, yield* LostFields)
  let isFresh = creation.isOpen !== true
  const isEnough = (receipt: Ask.Receipt) => creation.needed === undefined || receipt[creation.needed] !== undefined
  let refusal: PayError.Refused | undefined
  let receipt: Ask.Receipt | undefined
  let isGone = false
  const lookFor = Effect.fnUntraced(function* (name: string) {
    const look = yield* search(creation, name)
    receipt = look.receipt
    isGone = look.isGone
    return receipt !== undefined && isEnough(receipt) ? receipt : undefined
  })
  if (creation.isOpen === true) {
    const enough = yield* lookFor(`${step} look`)
    if (enough !== undefined) return enough
  }
  for (let submission = 1; submission <= settings.mostSubmissions; submission += 1) {
    const isFirst = submission === 1
    const presence = isFirst && creation.isOpen !== true ? "new" : isGone ? "gone" : "there"
    const { ended, isBegunBefore } = yield* Ask.send(isFirst ? step : `${step} ${submission}`, creation, trail, {
      // What was looked for in vain is sent by the run that looked.
      sends: missing !== undefined ? "not" : presence === "gone" ? "once" : "again",
      look: lookFirst(creation, presence),
      doubt: lookAgain(creation)
    })
    isFresh = isFresh && isFirst && !isBegunBefore
    if (ended._tag === "Answered") {
      const { existingOrder: order } = ended.answer
      if (order === undefined) return ended.answer
      receipt = yield* ours(creation, order)
      if (isEnough(receipt)) return receipt
    }
    if (ended._tag === "InvalidRequest") return yield* Ending.refused(ended, about)
    if (isFresh && ended._tag === "NotSent") return yield* Ending.unreachable(ended, about)
    if (isFresh && ended._tag === "Refused") return yield* Ending.refused(ended, about)
    refusal = ended._tag === "Refused" ? ended : undefined
    const enough = yield* lookFor(`${step} look ${submission}`)
    if (enough !== undefined) return enough
    if (receipt === undefined && refusal?.retryable === false) return yield* Ending.refused(refusal, about)
    // A run before, which had all that is needed, may have come further: that is told from its record.
    if (missing !== undefined && !(yield* isReached(`${step} ${submission + 1}`))) break
  }
  if (receipt !== undefined) return yield* Ending.stillUnknown(operation.name, about)
  return yield* refusal === undefined
    ? Ending.neverHappened(operation.name, about, missing)
    : Ending.refused(refusal, about)
})

/** Whether a run before has come to the request of this name. */
const isReached = (name: string) =>
  Effect.flatMap(Steps.isRecorded(name), (isTold) =>
    isTold ? Effect.succeed(true) : Steps.isRecorded(`${name} begun`)
  )

const foundIt = (order: OrderStatus): Ask.Ended<Ask.Receipt> => ({
  _tag: "Answered",
  answer: { orderId: order.orderId, existingOrder: order }
})

/**
 * Somebody on the way may have sent the request twice: where a repeated creation is not replayed, the refusal of the second one
 * hides what became of the first.
 */
const lookAgain = Effect.fnUntraced(function* ({ clientOrderId, endpointId, operation }: Creation) {
  const { believed } = yield* PayClient.PayClient
  if ((yield* believed).profile.replaysClientOrderId) return undefined
  const { mostRepeats, pause } = yield* FlowSettings
  for (let question = 1; question <= mostRepeats; question += 1) {
    const { ended } = yield* Ask.question({ clientOrderId, endpointId })
    if (ended._tag === "Answered") return foundIt(ended.answer.order)
    if (ended._tag === "Refused" || ended._tag === "InvalidRequest") return undefined
    yield* Effect.sleep(pause)
  }
  return Ask.restarted(operation)
})

/** What is known before a request: nothing; that the gateway has no such order, and has had none for a while; that it has it. */
type Presence = "new" | "gone" | "there"

/**
 * What stands in the way of sending it. What may have been sent before, or is there, is sent only to a gateway that has just
 * said that it replays a repeated creation.
 */
const lookFirst = ({ clientOrderId, endpointId, operation }: Creation, presence: Presence) =>
  Effect.fnUntraced(function* (isBegunBefore: boolean) {
    const { believed } = yield* PayClient.PayClient
    const mayBeThere = isBegunBefore || presence === "there"
    if (presence === "gone" || (!mayBeThere && (yield* believed).profile.replaysClientOrderId)) return undefined
    const { ended } = yield* Ask.question({ clientOrderId, endpointId })
    const { profile } = yield* believed
    switch (ended._tag) {
      case "InvalidRequest":
        return undefined
      case "Answered": {
        const { order } = ended.answer
        if (profile.replaysClientOrderId) return undefined
        return foundIt(order)
      }
      case "Refused": {
        if (Ask.isThrottled(ended)) return mayBeThere ? Ask.restarted(operation) : ended
        const isAbsent = GatewayProfile.saysNotFound(profile, ended)
        return !mayBeThere || (isAbsent && profile.replaysClientOrderId) ? undefined : Ask.restarted(operation)
      }
      default: {
        if (mayBeThere) return Ask.restarted(operation)
        const reason = ended._tag === "NotSent" ? ended.reason : "Unreachable"
        return new PayError.NotSent({ operation: operation.name, reason, code: ended.code })
      }
    }
  })

/**
 * A durable engine does not keep the security code, and of a flow of `CardInMemory` no field of the card: what it starts again
 * cannot be sent. Gives the name of a field that is missing, the security code before others.
 */
const missingOf = ({ operation, request }: Ask.Target, forgotten: ReadonlyArray<string>): string | undefined => {
  const code = Object.entries(operation.fields).find(
    ([name, field]) =>
      Field.kindOf(field) === "cvv" &&
      request[name] === undefined &&
      (!Field.isOptional(field) || forgotten.includes(name))
  )
  return code?.[0] ?? forgotten.find((name) => name in operation.fields)
}

/** Refusals in a row that do not say that there is no such order: a minute of them, by default. */
const mostRefusals = 7

type Looked = Pick<Creation, "clientOrderId" | "endpointId" | "operation" | "request" | "trail">

/** The order, or nothing where the gateway definitely has none. What is another payment by its amount says nothing of ours. */
export const look = (looked: Looked, step: string) => Effect.map(search(looked, step), ({ receipt }) => receipt)

/** `isGone`: the gateway has said so, as it was known then; a former version believed it of every gateway. */
const search = Effect.fnUntraced(function* (
  { clientOrderId, endpointId, operation, request, trail }: Looked,
  step: string
) {
  const settings = yield* FlowSettings
  const about = { clientOrderId, trail }
  let quiet = false
  let isGone = true
  let refusals = 0
  for (let question = 1; question <= settings.mostRepeats; question += 1) {
    const { ended, isAbsent, isFormer } = yield* Ask.status(`${step}.${question}`, { clientOrderId, endpointId }, trail)
    if (ended._tag === "Answered") {
      const receipt = yield* ours({ clientOrderId, operation, request, trail }, ended.answer.order)
      return { receipt, isGone: false }
    }
    refusals = ended._tag === "Refused" && !isAbsent ? refusals + 1 : 0
    isGone = isGone && !isFormer
    if (isAbsent && quiet) return { receipt: undefined, isGone }
    const pause = `${step}.${question} pause`
    if ((Ask.isThrottled(ended) || refusals >= mostRefusals) && !(yield* Steps.isRecorded(pause))) break
    yield* Steps.sleep(pause, isAbsent ? settings.quietPeriod : settings.pause)
    quiet = quiet || isAbsent
  }
  return yield* Ending.stillUnknown(operation.name, about)
})

/** The order that was found, if it can be the one that was asked for. */
const ours = Effect.fnUntraced(function* (
  { clientOrderId, operation, request, trail }: Omit<Looked, "endpointId">,
  order: OrderStatus
) {
  const isOther = OrderKind.isAnother(operation.name, order.transactionType)
  if (isOther || isAnother(request, order)) {
    const { amount = "", currency = "", transactionType = "" } = order
    const storedOrder = [isOther ? `a ${transactionType} of` : "", amount, currency]
      .filter((word) => word !== "")
      .join(" ")
    const reason = `the gateway has ${storedOrder} under this client_orderid`
    return yield* Ending.needsAPerson(operation.name, reason, { clientOrderId, trail }, order)
  }
  const { orderId, recurringPaymentId } = order
  const receipt: Ask.Receipt = { orderId, ...(recurringPaymentId === undefined ? {} : { recurringPaymentId }) }
  return receipt
})

/**
 * Fields that allow the order's amount to differ from `amount`. With `enumerate_amounts` the gateway takes one of several
 * amounts. With `start-date` it first checks the card.
 */
const otherAmounts = ["enumerate_amounts", "start-date"]

/** Somebody used the `client_orderid` for a payment of another amount. */
const isAnother = (request: Ask.Target["request"], order: OrderStatus): boolean => {
  const { amount, currency } = request
  if (otherAmounts.some((name) => request[name] !== undefined)) return false
  if (typeof amount !== "string" || typeof currency !== "string") return false
  if (order.amount === undefined || order.currency === undefined) return false
  return currency !== order.currency || Money.canonical(amount) !== Money.canonical(order.amount)
}

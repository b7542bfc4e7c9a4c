/**
 * Creates an order exactly once. If the answer is lost, `status` by `client_orderid` shows whether the order exists. The identical
 * request is sent again only if the gateway answers "not found" both before and after a quiet period. If the gateway is not known
 * to replay a repeated creation, `status` is also requested before the first creation, because the flow may have run before. It is
 * public for your own flows of operations that have no ready flow.
 */
import * as Field from "@pay/schema/Field"
import * as FieldKinds from "@pay/schema/FieldKinds"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import type { Operation } from "@pay/schema/Operation"
import * as Rule from "@pay/schema/Rule"
import * as PayClient from "@pay/transport/PayClient"
import * as PayError from "@pay/transport/PayError"
import { Effect } from "effect"
import * as FieldNames from "../engine/FieldNames.ts"
import { FlowSettings } from "../engine/FlowSettings.ts"
import { IsResumed, LostFields } from "../engine/Performance.ts"
import * as Steps from "../engine/Steps.ts"
import type * as Evidence from "../order/Evidence.ts"
import * as OrderKind from "../order/OrderKind.ts"
import type { OrderStatus } from "../order/OrderStatus.ts"
import * as Ask from "./Ask.ts"
import * as Ending from "./Ending.ts"
import * as RequestedAmount from "./RequestedAmount.ts"

/** The request that creates an order. */
export interface Creation extends Ask.Target {
  /** The prefix of the names of its steps. */
  readonly step: string
  readonly clientOrderId: string
  readonly trail: Evidence.Trail
  /**
   * A field that the caller needs and that `status` may not return, such as the address of a form. If an existing order
   * lacks it, the creation is sent again, so that the gateway repeats its answer.
   */
  readonly needed?: "redirectUrl" | "recurringPaymentId" | undefined
  /** Whether the request was sent before with an unknown outcome. If so, `status` is requested first. */
  readonly isOpen?: boolean
}

/** Creates the order. Returns the acknowledgement, or the fields that `status` returns for an order that exists already. */
export const create = Effect.fnUntraced(function* (creation: Creation) {
  const { clientOrderId, operation, step, trail } = creation
  const about = { clientOrderId, trail }
  const settings = yield* FlowSettings
  const lostFields = yield* LostFields
  const missing = missingOf(creation, lostFields)
  if (missing !== undefined && !lostFields.includes(missing) && creation.isOpen !== true)
    yield* refuseIfAbsent(creation, missing)
  let isFresh = creation.isOpen !== true
  const isEnough = (receipt: Ask.Receipt) => creation.needed === undefined || receipt[creation.needed] !== undefined
  let refusal: PayError.Refused | undefined
  let receipt: Ask.Receipt | undefined
  if (creation.isOpen === true) {
    receipt = yield* search(creation, `${step} search`)
    if (receipt !== undefined && isEnough(receipt)) return receipt
  }
  for (let submission = 1; submission <= settings.mostSubmissions; submission += 1) {
    const isFirst = submission === 1
    const presence = isFirst && creation.isOpen !== true ? "new" : receipt === undefined ? "absent" : "present"
    const { ended, isBegunBefore } = yield* Ask.send(isFirst ? step : `${step} ${submission}`, creation, trail, {
      // Only the run that verified that the order does not exist sends the request.
      sends: presence === "absent" ? "once" : "again",
      isWithheld: missing !== undefined,
      beforeSend: checkBeforeSend(creation, presence),
      afterRefusal: checkAfterRefusal(creation)
    })
    isFresh = isFresh && isFirst && !isBegunBefore
    if (ended._tag === "Answered") {
      const { existingOrder: order } = ended.answer
      if (order === undefined) return ended.answer
      receipt = yield* receiptOf({ ...creation, isUnsent: isFirst && !isBegunBefore }, order)
      if (isEnough(receipt)) return receipt
    }
    if (ended._tag === "InvalidRequest") return yield* Ending.refused(ended, about)
    if (isFresh && ended._tag === "NotSent") return yield* Ending.unreachable(ended, about)
    if (isFresh && ended._tag === "Refused") return yield* Ending.refused(ended, about)
    refusal = ended._tag === "Refused" ? ended : undefined
    const isUnsent = isFresh && ended._tag !== "OutcomeUnknown"
    receipt = yield* search({ ...creation, isUnsent }, `${step} search ${submission}`)
    if (receipt !== undefined && isEnough(receipt)) return receipt
    if (receipt === undefined && refusal?.retryable === false) return yield* Ending.refused(refusal, about)
    // An earlier run, which had all fields, may have come further. The loop then replays its recorded steps.
    if (missing !== undefined && !(yield* Steps.isRecorded(`${step} ${submission + 1}`))) break
  }
  if (receipt !== undefined) return yield* Ending.stillUnknown(operation.name, about)
  return yield* refusal === undefined
    ? Ending.neverHappened(operation.name, about, missing)
    : Ending.refused(refusal, about)
})

/**
 * Fails at once if the caller has left out the security code of an order that does not exist. With an existing order the flow
 * continues, because a merchant may not store the code.
 */
const refuseIfAbsent = Effect.fnUntraced(function* (creation: Creation, missing: string) {
  const { clientOrderId, endpointId, operation, step, trail } = creation
  const about = { clientOrderId, trail }
  const name = `${step} exists`
  if ((yield* IsResumed) && !(yield* Steps.isRecorded(name))) return
  const { ended, isAbsent } = yield* Ask.status(name, { clientOrderId, endpointId }, trail)
  if (isAbsent) return yield* Ending.refused(withoutCode(operation, missing), about)
  if (ended._tag === "NotSent") return yield* Ending.unreachable({ ...ended, operation: operation.name }, about)
})

const withoutCode = ({ name }: Operation, missing: string): PayError.InvalidRequest => {
  const { field, ...problem } = Rule.required(missing)
  const message = `${problem.message}: without it a call only continues an order that exists, and there is none`
  return new PayError.InvalidRequest({ operation: name, problems: [{ field, ...problem, message }] })
}

const answerWith = (order: OrderStatus): Ask.Ended<Ask.Receipt> => ({
  _tag: "Answered",
  answer: { orderId: order.orderId, existingOrder: order }
})

/**
 * Requests `status` after a refusal, if the gateway does not replay a repeated creation. A proxy may have sent the request twice,
 * and the refusal of the second request then hides the outcome of the first. Returns `undefined` if the
 * refusal applies, and an unknown outcome if `status` is not answered.
 */
const checkAfterRefusal = Effect.fnUntraced(function* ({ clientOrderId, endpointId, operation }: Creation) {
  const { assumedProfile } = yield* PayClient.PayClient
  if ((yield* assumedProfile).profile.replaysClientOrderId) return undefined
  const { mostRepeats, pause } = yield* FlowSettings
  for (let question = 1; question <= mostRepeats; question += 1) {
    const { ended } = yield* Ask.question({ clientOrderId, endpointId })
    if (ended._tag === "Answered") return answerWith(ended.answer.order)
    if (ended._tag === "Refused" || ended._tag === "InvalidRequest") return undefined
    yield* Effect.sleep(pause)
  }
  return Ask.restarted(operation)
})

/**
 * The state of the order at the gateway before a request. `new`: unknown. `absent`: it does not exist, and did not exist before
 * the quiet period either. `present`: it exists or may exist.
 */
type Presence = "new" | "absent" | "present"

/**
 * Returns the reason not to send the request, or `undefined` if it can be sent. A request that may have been sent before, or whose
 * order exists, is sent only to a gateway that has just announced that it replays a repeated creation.
 */
const checkBeforeSend = ({ clientOrderId, endpointId, operation }: Creation, presence: Presence) =>
  Effect.fnUntraced(function* (isBegunBefore: boolean) {
    const { assumedProfile } = yield* PayClient.PayClient
    const mayExist = isBegunBefore || presence === "present"
    if (presence === "absent" || (!mayExist && (yield* assumedProfile).profile.replaysClientOrderId)) return undefined
    const { ended } = yield* Ask.question({ clientOrderId, endpointId })
    const { profile } = yield* assumedProfile
    switch (ended._tag) {
      case "InvalidRequest":
        return undefined
      case "Answered": {
        const { order } = ended.answer
        if (profile.replaysClientOrderId) return undefined
        return answerWith(order)
      }
      case "Refused": {
        if (Ask.isThrottled(ended)) return mayExist ? Ask.restarted(operation) : ended
        const isAbsent = GatewayProfile.saysNotFound(profile, ended)
        return !mayExist || (isAbsent && profile.replaysClientOrderId) ? undefined : Ask.restarted(operation)
      }
      default: {
        if (mayExist) return Ask.restarted(operation)
        const reason = ended._tag === "NotSent" ? ended.reason : "Unreachable"
        const { code, received } = ended
        return new PayError.NotSent({
          ...{ operation: operation.name, reason, code },
          ...(received === undefined ? {} : { received })
        })
      }
    }
  })

/**
 * Returns the name of a field that this run no longer has, the security code before others. A durable engine never stores the
 * security code, and with `CardInMemory` no field of the card. Without these fields the request cannot be sent.
 */
const missingOf = (
  { operation, request }: Pick<Ask.Target, "operation" | "request">,
  lostFields: ReadonlyArray<string>
): string | undefined => {
  const isLost = (name: string): boolean => lostFields.some((lost) => lost === FieldNames.of(name))
  const code = Object.entries(operation.fields).find(
    ([name, field]) =>
      request[name] === undefined && FieldKinds.kindOf(field) === "cvv" && (!Field.isOptional(field) || isLost(name))
  )
  const lost = code?.[0] ?? Object.keys(operation.fields).find(isLost)
  return lost === undefined ? undefined : FieldNames.of(lost)
}

/** Number of consecutive refusals, other than "not found", after which the search ends. They take about a minute by default. */
const mostRefusals = 7

interface SearchTarget extends Pick<Creation, "clientOrderId" | "endpointId" | "operation" | "request" | "trail"> {
  /** Whether the request certainly had no effect. */
  readonly isUnsent?: boolean
}

/**
 * Searches for the order. Returns `undefined` if the gateway definitely has none. Fails if the order of this `client_orderid` is
 * another payment: with `NotAccepted`, or with `NeedsAPerson` if the gateway may have made a second order under one `client_orderid`.
 */
export const search = Effect.fnUntraced(function* (
  { clientOrderId, endpointId, isUnsent = false, operation, request, trail }: SearchTarget,
  step: string
) {
  const settings = yield* FlowSettings
  const about = { clientOrderId, trail }
  let quiet = false
  let refusals = 0
  for (let question = 1; question <= settings.mostRepeats; question += 1) {
    const { ended, isAbsent } = yield* Ask.status(`${step}.${question}`, { clientOrderId, endpointId }, trail)
    if (ended._tag === "Answered") {
      return yield* receiptOf({ clientOrderId, isUnsent, operation, request, trail }, ended.answer.order)
    }
    refusals = ended._tag === "Refused" && !isAbsent ? refusals + 1 : 0
    if (isAbsent && quiet) return undefined
    if (Ask.isThrottled(ended) || refusals >= mostRefusals) break
    yield* Steps.sleep(`${step}.${question} pause`, isAbsent ? settings.quietPeriod : settings.pause)
    quiet = quiet || isAbsent
  }
  return yield* Ending.stillUnknown(operation.name, about)
})

/** Returns the receipt of an existing order. Fails if the order cannot come from this request. */
const receiptOf = Effect.fnUntraced(function* (
  { clientOrderId, isUnsent = false, operation, request, trail }: Omit<SearchTarget, "endpointId">,
  order: OrderStatus
) {
  const isOther = OrderKind.isAnother(operation.name, order.transactionType)
  const target = { operation, request }
  if (isOther || RequestedAmount.difference(target, order) !== undefined) {
    const { amount = "", currency = "", transactionType = "" } = order
    const storedOrder = [isOther ? `a ${transactionType} of` : "", amount, currency]
      .filter((word) => word !== "")
      .join(" ")
    const requested = isOther ? "" : `, and ${RequestedAmount.requested(target)} was requested`
    const reason = `the gateway has ${storedOrder} under this clientOrderId${requested}`
    const about = { clientOrderId, trail }
    const { assumedProfile } = yield* PayClient.PayClient
    return yield* isUnsent || (yield* assumedProfile).profile.replaysClientOrderId
      ? Ending.reused(operation.name, reason, about)
      : Ending.needsAPerson(operation.name, reason, about, order)
  }
  const { orderId, recurringPaymentId } = order
  const receipt: Ask.Receipt = { orderId, ...(recurringPaymentId === undefined ? {} : { recurringPaymentId }) }
  return receipt
})

/** Sends one request as one step. Its outcome, success or error, is a value that is recorded and on which the flow decides. */
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import type { Operation } from "@pay/schema/Operation"
import * as PayClient from "@pay/transport/PayClient"
import * as PayError from "@pay/transport/PayError"
import { Clock, Duration, Effect, Random, Schema } from "effect"
import { FlowSettings } from "../engine/FlowSettings.ts"
import { IsResumed } from "../engine/Performance.ts"
import * as Steps from "../engine/Steps.ts"
import * as Evidence from "../order/Evidence.ts"
import * as NextAction from "../order/NextAction.ts"
import * as OrderStatus from "../order/OrderStatus.ts"

const text = Schema.optionalKey(Schema.String)

const acknowledged = {
  orderId: text,
  serialNumber: text,
  status: text,
  redirectUrl: text,
  cardRefId: text,
  recurringPaymentId: text,
  nextChargeDate: text
}

/** The fields of an acknowledgement that flows use. */
export const Receipt = Schema.Struct({
  ...acknowledged,
  /** The status of an order that existed already. In this case the request was not sent, or was refused. */
  existingOrder: Schema.optionalKey(OrderStatus.OrderStatus)
})
export type Receipt = typeof Receipt.Type

const fromAnswer = {
  orderId: "paynet-order-id",
  serialNumber: "serial-number",
  status: "status",
  redirectUrl: "redirect-url",
  cardRefId: "card-ref-id",
  recurringPaymentId: "recurring-payment-id",
  nextChargeDate: "next-charge-date"
} as const
const readReceipt = Schema.decodeUnknownSync(Schema.Struct(acknowledged).pipe(Schema.encodeKeys(fromAnswer)))

/** The status of an order, with the next action of the customer's browser. */
export const StatusReport = Schema.Struct({
  order: OrderStatus.OrderStatus,
  nextAction: Schema.optionalKey(NextAction.NextAction),
  /** Whether the gateway does not report the stage of a payout. */
  isStageless: Schema.Boolean
})
export type StatusReport = typeof StatusReport.Type

/** The errors of a request. */
export const errors = [PayError.InvalidRequest, PayError.NotSent, PayError.Refused, PayError.OutcomeUnknown] as const

const recorded = <S extends Schema.Codec<unknown, unknown>>(answer: S) => ({
  requestedAtMs: Schema.Finite,
  ended: Schema.Union([Schema.TaggedStruct("Answered", { answer }), ...errors])
})
const RecordedReceipt = Schema.Struct({
  ...recorded(Receipt),
  /** Whether an earlier run may have sent the request, too. It is recorded so that a later run takes the same decision. */
  isBegunBefore: Schema.Boolean
})
const RecordedReport = Schema.Struct({
  ...recorded(StatusReport),
  /** Whether the order does not exist, by the profile that was assumed for the gateway at that time. */
  isAbsent: Schema.Boolean
})

/** The outcome of a request: its answer, or its error. */
export type Ended<A> = { readonly _tag: "Answered"; readonly answer: A } | PayError.PayError

/**
 * Returns the outcome if the request exceeded a limit of the gateway or of the client. The request had no effect and can be sent
 * later.
 */
const throttled = (ended: Ended<unknown>): PayError.Refused | PayError.NotSent | undefined =>
  (ended._tag === "Refused" && ended.retryable) || (ended._tag === "NotSent" && ended.reason === "Limited")
    ? ended
    : undefined

/** Whether the request still exceeded a limit after the longest wait. */
export const isThrottled = (ended: Ended<unknown>): boolean => throttled(ended) !== undefined

/**
 * Returns the largest random addition to a wait, in milliseconds. It spreads the repeats of requests that were refused together.
 */
const spreadMs = (attempt: number): number => Math.min(1000 * 2 ** attempt, 10_000)

/**
 * Repeats the call while it exceeds a limit, and returns its outcome. The wait is in memory and not a step, because the payload
 * may contain fields that only this run has. If the process ends during the wait, the next run sends the request again.
 */
const repeatWhileLimited = Effect.fnUntraced(function* <A, R>(call: Effect.Effect<A, PayError.PayError, R>) {
  const { longestThrottle, pause } = yield* FlowSettings
  let waitedMs = 0
  for (let attempt = 0; ; attempt += 1) {
    const requestedAtMs = yield* Clock.currentTimeMillis
    const ended: Ended<A> = yield* Effect.match(call, {
      onSuccess: (answer) => ({ _tag: "Answered" as const, answer }),
      onFailure: (error) => error
    })
    const refused = throttled(ended)
    if (refused === undefined) return { requestedAtMs, ended }
    const { retryAfterMs = Duration.toMillis(pause) } = refused
    const waitMs = Math.ceil(retryAfterMs) + (yield* Random.nextIntBetween(0, spreadMs(attempt)))
    waitedMs += waitMs
    if (waitedMs > Duration.toMillis(longestThrottle)) return { requestedAtMs, ended }
    yield* Effect.sleep(Duration.millis(waitMs))
  }
})

/** The request to send: its operation, its fields under the specification's names, and its endpoint. */
export interface Target {
  readonly operation: Operation
  readonly request: Readonly<Record<string, unknown>>
  readonly endpointId: string | undefined
}

/** Returns the unknown outcome of a request that an earlier run may have sent. */
export const restarted = (operation: Operation, code = "RESTARTED"): PayError.OutcomeUnknown =>
  new PayError.OutcomeUnknown({
    operation: operation.name,
    reason: "ConnectionLost",
    code,
    retryable: false
  })

/** Optional settings of {@link send}. */
export interface SendOptions {
  readonly idempotencyKey?: string
  /**
   * `again`: a repeat has no second effect, so the request is sent. `once`: a repeat has a second effect, so a request that an
   * earlier run may have sent gets an unknown outcome. Default `again`.
   */
  readonly sends?: "again" | "once"
  /** Whether this run cannot send the request. Its outcome is then unknown. */
  readonly isWithheld?: boolean
  /** Runs before the request, as a part of the step. If it returns an outcome, the request is not sent and has this outcome. */
  readonly beforeSend?: (
    isBegunBefore: boolean
  ) => Effect.Effect<Ended<Receipt> | undefined, never, PayClient.PayClient>
  /** Runs after a refusal, as a part of the step. If it returns an outcome, that outcome replaces the refusal. */
  readonly afterRefusal?: Effect.Effect<Ended<Receipt> | undefined, never, PayClient.PayClient>
}

/** Sends the request as a step of this name. Returns its outcome, and whether an earlier run may have sent it. */
export const send = Effect.fnUntraced(function* (
  step: string,
  { endpointId, operation, request }: Target,
  trail: Evidence.Trail,
  {
    afterRefusal = Effect.undefined,
    idempotencyKey,
    beforeSend = () => Effect.undefined,
    isWithheld = false,
    sends = "again"
  }: SendOptions = {}
) {
  const isResumed = yield* IsResumed
  const sendRequest = Effect.map(
    PayClient.call(operation, request, {
      turnWithin: (yield* FlowSettings).longestThrottle,
      ...(endpointId === undefined ? {} : { endpointId }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey })
    }),
    (answer): Receipt => readReceipt(answer)
  )
  const requestAndCheck = Effect.catchTag(sendRequest, "Refused", (refused) =>
    refused.retryable
      ? Effect.fail(refused)
      : Effect.flatMap(afterRefusal, (replacement): Effect.Effect<Receipt, PayError.PayError> => {
          if (replacement === undefined) return Effect.fail(refused)
          return replacement._tag === "Answered" ? Effect.succeed(replacement.answer) : Effect.fail(replacement)
        })
  )
  const atNow = (ended: Ended<Receipt>) =>
    Effect.map(Clock.currentTimeMillis, (requestedAtMs) => ({ requestedAtMs, ended, isBegunBefore: isResumed }))
  // `beforeSend` runs only once. A request that waits because of a limit had no effect, so its result still applies.
  const attempt = Effect.flatMap(beforeSend(isResumed), (replacement) =>
    replacement === undefined
      ? Effect.map(repeatWhileLimited(requestAndCheck), (ended) => ({ ...ended, isBegunBefore: isResumed }))
      : atNow(replacement)
  )
  const schemas = { success: RecordedReceipt, error: Schema.Never }
  const unknownOutcome = Effect.suspend(() => atNow(restarted(operation)))
  const effect = isWithheld ? unknownOutcome : attempt
  const { requestedAtMs, ended, isBegunBefore } = yield* sends === "once"
    ? Steps.stepOnce(step, schemas, effect, unknownOutcome)
    : Steps.step(step, schemas, effect)
  if (ended._tag !== "Answered") Evidence.note(trail, Evidence.ofError(ended, requestedAtMs))
  else if (ended.answer.existingOrder !== undefined)
    Evidence.note(trail, Evidence.ofOrder(ended.answer.existingOrder, requestedAtMs))
  else {
    const { orderId, serialNumber } = ended.answer
    Evidence.note(trail, {
      requestedAtMs,
      operation: operation.name,
      answer: "Answered",
      ...(orderId === undefined ? {} : { orderId }),
      ...(serialNumber === undefined ? {} : { serialNumber }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey })
    })
  }
  return { ended, isBegunBefore }
})

/** The subject of a status request: an order, or one request about it. */
export interface Named {
  readonly clientOrderId: string
  readonly orderId?: string | undefined
  /** The serial number from the acknowledgement of a request about the order. */
  readonly serialNumber?: string | undefined
  readonly endpointId?: string | undefined
}

/** Requests `status` without a step of its own, as a part of the current step. */
export const question = Effect.fnUntraced(function* ({ clientOrderId, endpointId, orderId, serialNumber }: Named) {
  const client = yield* PayClient.PayClient
  const { longestThrottle: turnWithin } = yield* FlowSettings
  const statusCall = client.status(
    {
      client_orderid: clientOrderId,
      ...(orderId === undefined ? {} : { orderid: orderId }),
      ...(serialNumber === undefined ? {} : { "by-request-sn": serialNumber })
    },
    endpointId === undefined ? { turnWithin } : { endpointId, turnWithin }
  )
  const answer = yield* repeatWhileLimited(statusCall)
  const { profile } = yield* client.assumedProfile
  const { requestedAtMs, ended } = answer
  if (ended._tag === "Refused") return { requestedAtMs, ended, isAbsent: GatewayProfile.saysNotFound(profile, ended) }
  if (ended._tag !== "Answered") return { requestedAtMs, ended, isAbsent: false }
  const nextAction = NextAction.of(ended.answer)
  const report: StatusReport = {
    order: OrderStatus.of(ended.answer),
    isStageless: !profile.showsOrderStage,
    ...(nextAction === undefined ? {} : { nextAction })
  }
  return { requestedAtMs, ended: { _tag: "Answered" as const, answer: report }, isAbsent: false }
})

/** Requests `status` as a step. */
export const status = Effect.fnUntraced(function* (step: string, named: Named, trail: Evidence.Trail) {
  const requestStatus: Effect.Effect<typeof RecordedReport.Type, never, PayClient.PayClient> = question(named)
  const report = yield* Steps.step(step, { success: RecordedReport, error: Schema.Never }, requestStatus)
  const { requestedAtMs, ended } = report
  if (ended._tag === "Answered") {
    Evidence.note(trail, Evidence.ofOrder(ended.answer.order, requestedAtMs, named.serialNumber))
  } else Evidence.note(trail, Evidence.ofError(ended, requestedAtMs))
  return report
})

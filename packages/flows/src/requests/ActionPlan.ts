/**
 * Chooses how an action on an order is carried out: repeated under its `Idempotency-Key`, or sent once and judged by the amounts.
 * The gateway's profile decides, before anything is sent, and the choice is recorded. If the profile does not announce keys,
 * `status` is requested first, because its answer announces the profile.
 */
import * as PayClient from "@pay/transport/PayClient"
import { Clock, Effect, Schema } from "effect"
import { FlowSettings } from "../engine/FlowSettings.ts"
import { IsResumed, Reopened } from "../engine/Performance.ts"
import * as Steps from "../engine/Steps.ts"
import * as Evidence from "../order/Evidence.ts"
import { OrderStatus } from "../order/OrderStatus.ts"
import type { OnOrder } from "./Action.ts"
import * as Ask from "./Ask.ts"
import * as Ending from "./Ending.ts"

const Chosen = Schema.Struct({
  requestedAtMs: Schema.Finite,
  isKeyed: Schema.Boolean,
  answersByRequest: Schema.Boolean,
  showsFollowUps: Schema.Boolean,
  /** The status of the order, if it was requested and answered. */
  order: Schema.optionalKey(OrderStatus),
  /** The error of the status request. */
  failure: Schema.optionalKey(Schema.Union(Ask.errors))
})

/** How an action is carried out, with the profile of the gateway that was assumed. */
export interface ActionPlan
  extends Pick<typeof Chosen.Type, "answersByRequest" | "isKeyed" | "order" | "showsFollowUps"> {
  /** Whether the request may have been sent before, under a profile that is no longer known. */
  readonly isOpen: boolean
}

/** Chooses the plan of an action and records it. Fails if the gateway cannot be reached or refuses the status request. */
export const choose = Effect.fnUntraced(function* (followUp: OnOrder) {
  const { clientOrderId, endpointId, isOpen: isOpenByCaller = false, operation, orderId, step, trail } = followUp
  const about = { clientOrderId, trail }
  const { mostRepeats, pause } = yield* FlowSettings
  const isUnrecorded = (yield* Steps.Steps).run === ""
  const isReopened = yield* Reopened
  // Without a record of the interrupted run, the status of the order from before the request is not available.
  const isOpen = isOpenByCaller || isReopened || (isUnrecorded && (yield* IsResumed))
  const assumedAbilities = Effect.map(
    Effect.flatMap(PayClient.PayClient, ({ assumedProfile }) => assumedProfile),
    ({ isSteady, profile: { answersByRequest, honoursIdempotencyKey, showsFollowUps } }) => {
      // A recorded flow with an open end sent its request under a key. In memory, a profile that never changed applied then, too.
      const wasKeyed = !isOpen || (isOpenByCaller ? followUp.wasKeyed === true : isUnrecorded ? isSteady : true)
      return { isKeyed: honoursIdempotencyKey && wasKeyed, answersByRequest, showsFollowUps }
    }
  )
  const choice: Effect.Effect<typeof Chosen.Type, never, PayClient.PayClient> = Effect.gen(function* () {
    const before = yield* assumedAbilities
    if (before.isKeyed) return { requestedAtMs: yield* Clock.currentTimeMillis, ...before }
    const { requestedAtMs, ended } = yield* Ask.question({ clientOrderId, orderId, endpointId })
    const outcome = ended._tag === "Answered" ? { order: ended.answer.order } : { failure: ended }
    return { requestedAtMs, ...(yield* assumedAbilities), ...outcome }
  })
  let cause: { readonly code: string; readonly received?: string | undefined } = { code: "" }
  for (let question = 1; question <= mostRepeats; question += 1) {
    const name = question === 1 ? `${step} profile` : `${step} profile ${question}`
    const { requestedAtMs, failure, order, ...abilities } = yield* Steps.step(
      name,
      { success: Chosen, error: Schema.Never },
      choice
    )
    if (order !== undefined) Evidence.note(trail, Evidence.ofOrder(order, requestedAtMs))
    if (failure !== undefined) Evidence.note(trail, Evidence.ofError(failure, requestedAtMs))
    const plan: ActionPlan = { ...abilities, isOpen, ...(order === undefined ? {} : { order }) }
    if (failure === undefined || plan.isKeyed) return plan
    if (failure._tag === "InvalidRequest" || failure._tag === "Refused") {
      if (isOpen) return plan
      return yield* Ending.refused(failure, about)
    }
    if (failure._tag === "NotSent" && !isOpen)
      return yield* Ending.unreachable({ ...failure, operation: operation.name }, about)
    cause = failure
    yield* Steps.sleep(`${name} pause`, pause)
  }
  return yield* isOpen
    ? Ending.stillUnknown(operation.name, about)
    : Ending.unreachable({ ...cause, operation: operation.name }, about)
})

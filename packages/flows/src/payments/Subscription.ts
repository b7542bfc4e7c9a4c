/** Recurring payments: created with the payer, charged outside of the schedule, changed, paused, resumed and cancelled. */
import * as PayApi from "@pay/schema/PayApi"
import * as PayError from "@pay/transport/PayError"
import { Effect, Schema } from "effect"
import { completeAuthentication } from "../browser/CompleteAuthentication.ts"
import * as FieldNames from "../engine/FieldNames.ts"
import * as Flow from "../engine/Flow.ts"
import { IsResumed } from "../engine/Performance.ts"
import type * as Evidence from "../order/Evidence.ts"
import * as FlowError from "../order/FlowError.ts"
import { OrderStatus } from "../order/OrderStatus.ts"
import * as Ending from "../requests/Ending.ts"
import * as FollowUp from "../requests/FollowUp.ts"
import { charge, create, fieldsOf, withBrowser, withoutBrowser } from "./OrderFlow.ts"
import * as SubscriptionChange from "./SubscriptionChange.ts"

const { CREATE_RP_V4, PROCESS_RP_V4, UPDATE_RP_V4 } = PayApi.operations

const text = Schema.optionalKey(Schema.String)

/** Creates a recurring payment. Succeeds once its first order, a charge or a verification of the card, is approved. */
export const Subscribe = Flow.make({
  ...withBrowser,
  name: "Subscribe",
  summary: "Creates a recurring payment. Its first order charges the card or verifies it.",
  operation: CREATE_RP_V4,
  payload: Schema.Struct(fieldsOf(CREATE_RP_V4)),
  success: Schema.Struct({ recurringPaymentId: Schema.String, nextChargeDate: text, order: OrderStatus }),
  run: Effect.fnUntraced(function* (fields) {
    const { target, named, receipt, trail } = yield* create(CREATE_RP_V4, fields, "recurringPaymentId")
    const { nextChargeDate, orderId, recurringPaymentId } = receipt
    if (orderId === undefined || recurringPaymentId === undefined) {
      return yield* Ending.stillUnknown(CREATE_RP_V4.name, { ...named, trail })
    }
    const order = yield* completeAuthentication({ target, named: { ...named, orderId }, trail })
    return { recurringPaymentId, order, ...(nextChargeDate === undefined ? {} : { nextChargeDate }) }
  })
})

/** Charges a recurring payment outside of its schedule. The schedule does not change. */
export const ChargeSubscription = Flow.make({
  ...withoutBrowser,
  name: "ChargeSubscription",
  summary: "Charges a recurring payment now. The schedule does not change.",
  operation: PROCESS_RP_V4,
  payload: Schema.Struct(fieldsOf(PROCESS_RP_V4)),
  run: (payload) => charge(PROCESS_RP_V4, payload)
})

const Name = Schema.String.check(Schema.isMinLength(1)).annotate({
  description: "Your own name of this change: `pause-2026-12`. The same name is the same change."
})

/**
 * Changes the amount or the card of a recurring payment, or pauses, resumes or cancels it, as `change` selects. Fields that belong
 * to other changes are refused, so that nothing changes by mistake.
 */
export const ChangeSubscription = Flow.make({
  name: "ChangeSubscription",
  summary: "Changes the amount or the card of a recurring payment, or pauses, resumes or cancels it.",
  operation: UPDATE_RP_V4,
  payload: Schema.Struct({ ...fieldsOf(UPDATE_RP_V4), change: SubscriptionChange.Change, name: Name }),
  success: Schema.Struct({ recurringPaymentId: Schema.String, status: text, nextChargeDate: text }),
  error: FlowError.Unanswered,
  idempotencyKey: ({ name, recurringPaymentId }) => Flow.identityOf(recurringPaymentId, name),
  run: Effect.fnUntraced(function* ({ endpointId, name: _, ...fields }) {
    const trail: Evidence.Trail = []
    const { recurringPaymentId: clientOrderId } = fields
    // The first run checked them. A later run may lack fields that are never stored.
    const problems = (yield* IsResumed) ? [] : SubscriptionChange.problems(fields)
    if (problems.length > 0) {
      const invalid = new PayError.InvalidRequest({ operation: UPDATE_RP_V4.name, problems })
      return yield* Ending.refused(invalid, { clientOrderId, trail })
    }
    const request = FieldNames.requestOf(UPDATE_RP_V4, SubscriptionChange.requestOf(fields))
    const change = { step: "change", operation: UPDATE_RP_V4, request, clientOrderId, endpointId, trail }
    const { nextChargeDate, recurringPaymentId = clientOrderId, status } = yield* FollowUp.act(change)
    return {
      recurringPaymentId,
      ...(status === undefined ? {} : { status }),
      ...(nextChargeDate === undefined ? {} : { nextChargeDate })
    }
  })
})

/** Payouts from the merchant's balance to a recipient: in one step, or checked first and paid in a second step. */
import * as OrderStage from "@pay/schema/OrderStage"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Schema } from "effect"
import type * as Ask from "./Ask.ts"
import { endpoint } from "./CardPayment.ts"
import { ChargeError, charge, clientOrderIdOf } from "./Charge.ts"
import type * as Evidence from "./Evidence.ts"
import * as FieldNames from "./FieldNames.ts"
import * as Flow from "./Flow.ts"
import * as FollowUp from "./FollowUp.ts"
import { ActionError } from "./OrderAction.ts"
import { OrderStatus } from "./OrderStatus.ts"

const { PAYOUT, PAYOUT_V4, PAYOUT_V4_CHECK, PAYOUT_V4_PAY } = PayApi.operations

const { login: _v2, ...v2Fields } = FieldNames.renamed(PAYOUT.fields)
const { login: _payout, ...payoutFields } = FieldNames.renamed(PAYOUT_V4.fields)
const { login: _check, ...checkFields } = FieldNames.renamed(PAYOUT_V4_CHECK.fields)
const { login: _pay, ...payFields } = FieldNames.renamed(PAYOUT_V4_PAY.fields)

/**
 * Pays out in one step. If a second approver has not approved the payout after an hour, the flow ends as `StillUnknown` with the
 * order stage `payout_waiting_approval`. Run it again to continue waiting.
 */
export const PayOut = Flow.make({
  name: "PayOut",
  summary: "Pays out to a card, bank account, e-wallet or phone in one step.",
  operation: PAYOUT_V4,
  payload: Schema.Struct({ ...payoutFields, ...endpoint }),
  success: OrderStatus,
  error: ChargeError,
  idempotencyKey: clientOrderIdOf,
  run: (payload) => charge(PAYOUT_V4, payload)
})

/** Pays out like {@link PayOut}, for merchants without an RSA key. The request is signed with the control key. */
export const PayOutV2 = Flow.make({
  name: "PayOutV2",
  summary: "Pays out in one step, signed with the control key instead of an RSA key.",
  operation: PAYOUT,
  payload: Schema.Struct({ ...v2Fields, ...endpoint }),
  success: OrderStatus,
  error: ChargeError,
  idempotencyKey: clientOrderIdOf,
  run: (payload) => charge(PAYOUT, payload)
})

/**
 * Whether the payout is checked. If the gateway reports no order stage, the status `processing` is enough, because the check was
 * acknowledged and not declined.
 */
const isChecked = ({ isStageless, order }: Ask.StatusReport): boolean =>
  order.orderStage === OrderStage.payoutChecked || (isStageless === true && order.status === "processing")

/** Checks the recipient and holds the amount. Nothing is paid before `PayChecked`. Without it the check expires. */
export const CheckPayOut = Flow.make({
  name: "CheckPayOut",
  summary: "Checks the recipient of a payout and holds the amount on the balance.",
  operation: PAYOUT_V4_CHECK,
  payload: Schema.Struct({ ...checkFields, ...endpoint }),
  success: OrderStatus,
  error: ChargeError,
  idempotencyKey: clientOrderIdOf,
  run: (payload) => charge(PAYOUT_V4_CHECK, payload, isChecked)
})

/** Pays the payout that `CheckPayOut` has checked, exactly once. */
export const PayChecked = Flow.make({
  name: "PayChecked",
  summary: "Pays a payout that `CheckPayOut` has checked.",
  operation: PAYOUT_V4_PAY,
  payload: Schema.Struct({ ...payFields, ...endpoint }),
  success: OrderStatus,
  error: ActionError,
  idempotencyKey: ({ clientOrderId }) => `${clientOrderId}/pay`,
  run: Effect.fnUntraced(function* ({ endpointId, ...fields }) {
    const trail: Evidence.Trail = []
    const { clientOrderId, orderId } = fields
    const request = FieldNames.requestOf(PAYOUT_V4_PAY, fields)
    const pay = { step: "pay", operation: PAYOUT_V4_PAY, request, clientOrderId, orderId, endpointId, trail }
    return yield* FollowUp.carryOut(pay, "status")
  })
})

/** Payouts from the merchant's balance to a recipient: in one step, or checked first and paid in a second step. */
import * as OrderStage from "@pay/schema/OrderStage"
import * as PayApi from "@pay/schema/PayApi"
import { Schema } from "effect"
import * as Flow from "../engine/Flow.ts"
import * as FlowError from "../order/FlowError.ts"
import { OrderStatus } from "../order/OrderStatus.ts"
import type * as Ask from "../requests/Ask.ts"
import * as FollowUp from "../requests/FollowUp.ts"
import { charge, fieldsOf, targetOf, withoutBrowser } from "./OrderFlow.ts"

const { PAYOUT, PAYOUT_V4, PAYOUT_V4_CHECK, PAYOUT_V4_PAY } = PayApi.operations

/**
 * Pays out in one step. If a second approver has not approved the payout after an hour, the flow ends as `StillUnknown` with the
 * order stage `payout_waiting_approval`. Run it again to continue waiting.
 */
export const PayOut = Flow.make({
  ...withoutBrowser,
  name: "PayOut",
  summary: "Pays out to a card, bank account, e-wallet or phone in one step.",
  operation: PAYOUT_V4,
  payload: Schema.Struct(fieldsOf(PAYOUT_V4)),
  run: (payload) => charge(PAYOUT_V4, payload)
})

/** Pays out like {@link PayOut}, for merchants without an RSA key. The request is signed with the control key. */
export const PayOutV2 = Flow.make({
  ...withoutBrowser,
  name: "PayOutV2",
  summary: "Pays out in one step, signed with the control key instead of an RSA key.",
  operation: PAYOUT,
  payload: Schema.Struct(fieldsOf(PAYOUT)),
  run: (payload) => charge(PAYOUT, payload)
})

/**
 * Whether the payout is checked. If the gateway reports no order stage, the status `processing` is enough, because the check was
 * acknowledged and not declined.
 */
const isChecked = ({ isStageless, order }: Ask.StatusReport): boolean =>
  order.orderStage === OrderStage.payoutChecked || (isStageless && order.status === "processing")

/** Checks the recipient and holds the amount. Nothing is paid before `PayChecked`. Without it the check expires. */
export const CheckPayOut = Flow.make({
  ...withoutBrowser,
  name: "CheckPayOut",
  summary: "Checks the recipient of a payout and holds the amount on the balance.",
  operation: PAYOUT_V4_CHECK,
  payload: Schema.Struct(fieldsOf(PAYOUT_V4_CHECK)),
  run: (payload) => charge(PAYOUT_V4_CHECK, payload, isChecked)
})

/** Pays the payout that `CheckPayOut` has checked, exactly once. */
export const PayChecked = Flow.make({
  name: "PayChecked",
  summary: "Pays a payout that `CheckPayOut` has checked.",
  operation: PAYOUT_V4_PAY,
  payload: Schema.Struct(fieldsOf(PAYOUT_V4_PAY)),
  success: OrderStatus,
  error: Schema.Union([...FlowError.Unpaid.members, ...FlowError.Unanswered.members, FlowError.NeedsAPerson]),
  idempotencyKey: ({ clientOrderId }) => `${clientOrderId}/pay`,
  run: (payload) => FollowUp.payOut({ ...targetOf("pay", PAYOUT_V4_PAY, payload), orderId: payload.orderId })
})

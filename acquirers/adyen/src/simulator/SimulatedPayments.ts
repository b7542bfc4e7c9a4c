/**
 * The books of the simulated Adyen: payments by `pspReference`, and what a modification does to one. A modification is received first;
 * its outcome is decided when its event is made, from what the books have then.
 */
import type { AdyenAmount } from "../AdyenAmount.ts"
import type { SignedFields } from "../HmacSignature.ts"
import type { Payment } from "./RequestRules.ts"
import { brandOf, type Refusal } from "./TestCards.ts"

/** One payment, with amounts in Adyen's minor units. */
export interface SimulatedPayment {
  readonly pspReference: string
  readonly reference: string
  readonly merchantAccount: string
  readonly amount: AdyenAmount
  readonly brand: string
  readonly refusal: Refusal | undefined
  authorised: number
  captured: number
  refunded: number
  isCancelled: boolean
}

/** The kinds of modifications, and the code of the event that ends each. */
const eventCodes = {
  captures: "CAPTURE",
  cancels: "CANCELLATION",
  refunds: "REFUND",
  reversals: "CANCEL_OR_REFUND",
  technicalCancels: "TECHNICAL_CANCEL"
} as const
export type ModificationKind = keyof typeof eventCodes

/** An event before it is signed. */
export interface SimulatedEvent extends SignedFields {
  readonly reason: string
  readonly paymentMethod: string | undefined
  readonly additionalData: Readonly<Record<string, string>>
}

export interface Modification {
  readonly kind: ModificationKind
  readonly pspReference: string
  readonly reference: string
  readonly merchantAccount: string
  /** Undefined for a cancel and a reversal. */
  readonly amount: AdyenAmount | undefined
}

/** Returns a new payment with what the bank decided: `authorised` is the amount that it approves. A sale is captured at once. */
export const pay = (
  request: Payment,
  { authorised, pspReference, refusal }: Pick<SimulatedPayment, "authorised" | "pspReference" | "refusal">
): SimulatedPayment => {
  const { additionalData, amount, merchantAccount, paymentMethod, reference } = request
  const isManual = additionalData?.manualCapture === "true"
  const books = { authorised, captured: isManual ? 0 : authorised, refunded: 0, isCancelled: false }
  return { pspReference, reference, merchantAccount, amount, brand: brandOf(paymentMethod.number), refusal, ...books }
}

/** Why a modification fails; "" if it was done. The texts are of the kind that Adyen sends. */
const applied = (payment: SimulatedPayment, { amount, kind }: Modification): string => {
  const open = payment.isCancelled ? 0 : payment.authorised - payment.captured
  if (amount !== undefined && amount.currency !== payment.amount.currency) return "Currency mismatch"
  const value = amount?.value ?? 0
  switch (kind) {
    case "captures":
      if (value === 0 || value > open) return "Insufficient balance on payment"
      payment.captured += value
      return ""
    case "refunds":
      if (value === 0 || value > payment.captured - payment.refunded) return "Insufficient balance on payment"
      payment.refunded += value
      return ""
    case "cancels":
    case "technicalCancels":
      if (open === 0) return "Transaction is not in the right state"
      payment.isCancelled = true
      return ""
    case "reversals":
      if (open === 0 && payment.captured === payment.refunded) return "Transaction is not in the right state"
      payment.isCancelled = true
      payment.refunded = payment.captured
      return ""
  }
}

/** Does a modification, and returns its event. `payment`: undefined if none has the reference of a technical cancel. */
export const modify = (payment: SimulatedPayment | undefined, modification: Modification): SimulatedEvent => {
  const { kind, merchantAccount, pspReference, reference } = modification
  const reason = payment === undefined ? "Transaction not found" : applied(payment, modification)
  return {
    eventCode: eventCodes[kind],
    success: String(reason === ""),
    pspReference,
    originalReference: payment?.pspReference,
    merchantAccountCode: merchantAccount,
    merchantReference: reference,
    amount: modification.amount ?? payment?.amount ?? { currency: "EUR", value: 0 },
    reason,
    paymentMethod: payment?.brand,
    additionalData: {}
  }
}

/** Takes a capture or refund back that was done, and returns the event of its failure. */
export const failure = (payment: SimulatedPayment, done: SimulatedEvent): SimulatedEvent => {
  if (done.eventCode === eventCodes.captures) payment.captured -= done.amount.value
  if (done.eventCode === eventCodes.refunds) payment.refunded -= done.amount.value
  return { ...done, eventCode: `${done.eventCode}_FAILED`, reason: "Transaction failed at the acquirer" }
}

/** Returns the event of a payment. */
export const authorisation = (
  payment: SimulatedPayment,
  additionalData: SimulatedEvent["additionalData"]
): SimulatedEvent => ({
  eventCode: "AUTHORISATION",
  success: String(payment.refusal === undefined),
  pspReference: payment.pspReference,
  merchantAccountCode: payment.merchantAccount,
  merchantReference: payment.reference,
  amount: { ...payment.amount, value: payment.refusal === undefined ? payment.authorised : payment.amount.value },
  reason: payment.refusal?.text ?? "",
  paymentMethod: payment.brand,
  additionalData
})

/** Builds the payment data of a charge from its recurring payment. */
import * as CustomerAddress from "../../network/CustomerAddress.ts"
import * as Payment from "../../orders/record/Payment.ts"
import type { Subscription } from "./Subscription.ts"

/** Returns the current card of a recurring payment. */
export const cardOf = ({
  bin,
  cardType,
  cardholder,
  expireMonth,
  expireYear,
  lastFour
}: Payment.CardFacts): Payment.CardFacts => ({ bin, cardType, cardholder, expireMonth, expireYear, lastFour })

type ChargeFields = Pick<Payment.Payment, "clientOrderId"> & Partial<Payment.Payment>

/** Builds the payment. A field of `changes` replaces that of the recurring payment. */
export const of = (subscription: Subscription, changes: ChargeFields): Payment.Payment => ({
  ...Payment.none,
  ...cardOf(subscription),
  amountMinor: subscription.amountMinor,
  currency: subscription.currency,
  description: subscription.description,
  email: subscription.email,
  phone: subscription.phone,
  ipAddress: CustomerAddress.of(subscription.ipAddress),
  callbackUrl: subscription.callbackUrl,
  notifyUrl: subscription.notifyUrl,
  ...changes
})

/** What a charge of a recurring payment says of itself and its payer. */
import * as CustomerAddress from "../network/CustomerAddress.ts"
import * as Payment from "../orders/Payment.ts"
import type { Subscription } from "./Subscription.ts"

/** The card as the recurring payment has it now. */
export const cardOf = ({
  bin,
  cardType,
  cardholder,
  expireMonth,
  expireYear,
  lastFour
}: Payment.CardFacts): Payment.CardFacts => ({ bin, cardType, cardholder, expireMonth, expireYear, lastFour })

type GivenFields = Pick<Payment.Payment, "clientOrderId"> & Partial<Payment.Payment>

/** `asked` wins over what the recurring payment says. */
export const of = (subscription: Subscription, given: GivenFields): Payment.Payment => ({
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
  ...given
})

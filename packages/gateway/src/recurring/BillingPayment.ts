/** What a charge of a recurring payment says of itself and its payer. */

import type * as FormBegin from "../hosted/FormBegin.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import type * as Register from "../orders/Register.ts"
import type { Subscription } from "./Subscription.ts"

/** The card as the recurring payment has it now. */
export const cardOf = ({
  bin,
  cardType,
  cardholder,
  expireMonth,
  expireYear,
  lastFour
}: FormBegin.CardFacts): FormBegin.CardFacts => ({ bin, cardType, cardholder, expireMonth, expireYear, lastFour })

type Asked = Pick<Register.Payment, "clientOrderId"> & Partial<Register.Payment>

/** `asked` wins over what the recurring payment says. */
export const of = (subscription: Subscription, asked: Asked): Register.Payment => ({
  ...cardOf(subscription),
  amountMinor: subscription.amountMinor,
  currency: subscription.currency,
  description: subscription.description,
  email: subscription.email,
  phone: subscription.phone,
  ipAddress: CustomerAddress.of(subscription.ipAddress),
  merchantData: null,
  redirectUrl: null,
  redirectSuccessUrl: null,
  redirectFailUrl: null,
  callbackUrl: subscription.callbackUrl,
  notifyUrl: subscription.notifyUrl,
  ...asked
})

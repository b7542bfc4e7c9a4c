/** What a charge of a recurring payment says of itself and its payer. */
import { Effect } from "effect"
import type { Store } from "../kernel/Store.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import { Order } from "../orders/Order.ts"
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

/** The dialect of the order that began the recurring payment, and the amount as its merchant wrote it there. */
export const dialectOf = (store: Store["Service"], { orderId }: Subscription) =>
  Effect.map(store.load(Order, [orderId]), (order) => ({
    dialect: order?.dialect ?? null,
    amountText: order?.amountText ?? null
  }))

/**
 * Maps the fields of a request about a payment and its payer to the columns of an order, and these columns to the fields of
 * `status`. All operations that create an order use it. A field that an operation does not have keeps its default.
 */

import type { Redacted } from "effect"
import * as Facts from "../../kernel/CardFacts.ts"
import type { Call } from "../../merchants/Call.ts"
import * as CustomerAddress from "../../network/CustomerAddress.ts"
import * as BillingDetails from "./BillingDetails.ts"
import type { Order } from "./Order.ts"

/** The card columns of an order without a card: its customer has not entered one yet, or it pays a recipient. */
export const noCard = { ...Facts.none, cardholder: "", expireMonth: 0, expireYear: 0 } as const

/** The columns of an order that describe its card, without the card number. */
export type CardFacts = Pick<Order, keyof typeof noCard>

/** The payment columns of a request that has none of these fields. */
export const none = {
  clientOrderId: "",
  amountMinor: 0,
  currency: "",
  ...noCard,
  description: "",
  email: "",
  phone: null,
  ipAddress: CustomerAddress.none,
  billing: null,
  merchantData: null,
  redirectUrl: null,
  redirectSuccessUrl: null,
  redirectFailUrl: null,
  callbackUrl: null,
  notifyUrl: null,
  dialect: null,
  amountText: null
} as const satisfies Partial<Order>

export type Payment = Pick<Order, Exclude<keyof typeof none, "ipAddress">> & {
  readonly ipAddress: CustomerAddress.CustomerAddress
}

/** The fields of the operations, by their names on the wire. */
interface Fields extends BillingDetails.BillingFields {
  readonly client_orderid?: string
  readonly "client-order-id"?: string
  readonly order_desc?: string
  readonly email?: string
  /** The payer's phone number. The phone number of a payout's recipient is redacted, and is not stored with the order. */
  readonly phone?: string | Redacted.Redacted<string>
  readonly ipaddress?: string
  readonly merchant_data?: string
  readonly redirect_url?: string
  readonly redirect_success_url?: string
  readonly redirect_fail_url?: string
  readonly server_callback_url?: string
  readonly notify_url?: string
}

/** Returns the columns that depend on the dialect in which the order was created. */
export const dialectOf = ({ dialect, fields }: Pick<Call, "dialect" | "fields">) =>
  dialect === "json" ? {} : { dialect, amountText: fields.amount ?? null }

/**
 * Maps the fields of a request to the columns of an order. `given`: columns that the fields do not determine, such as the
 * amount in minor units, its currency and the card.
 */
export const of = (request: Fields, given: Partial<Payment> & Pick<Payment, "amountMinor" | "currency">): Payment => ({
  ...none,
  clientOrderId: request.client_orderid ?? request["client-order-id"] ?? none.clientOrderId,
  description: request.order_desc ?? none.description,
  email: request.email ?? none.email,
  phone: typeof request.phone === "string" ? request.phone : none.phone,
  ipAddress: CustomerAddress.of(request.ipaddress),
  billing: BillingDetails.ofFields(request),
  merchantData: request.merchant_data ?? none.merchantData,
  redirectUrl: request.redirect_url ?? none.redirectUrl,
  redirectSuccessUrl: request.redirect_success_url ?? none.redirectSuccessUrl,
  redirectFailUrl: request.redirect_fail_url ?? none.redirectFailUrl,
  callbackUrl: request.server_callback_url ?? none.callbackUrl,
  notifyUrl: request.notify_url ?? none.notifyUrl,
  ...given
})

/** Returns the card fields of `status`. An order of a hosted page has no card until the customer has entered one. */
const cardOf = (order: Order) =>
  order.bin === ""
    ? {}
    : {
        ...(order.cardholder === "" ? {} : { "cardholder-name": order.cardholder, name: order.cardholder }),
        bin: order.bin,
        "last-four-digits": order.lastFour,
        "card-type": order.cardType,
        ...(order.expireYear === 0
          ? {}
          : { "card-exp-month": String(order.expireMonth), "card-exp-year": String(order.expireYear) })
      }

/** Returns the fields of `status` about the payment and its payer. */
export const statusFields = (order: Order) => ({
  ...(order.email === none.email ? {} : { email: order.email }),
  ...(order.phone === null ? {} : { phone: order.phone }),
  ...(order.merchantData === null ? {} : { merchantdata: order.merchantData }),
  ...cardOf(order)
})

const dayMs = 86_400_000

/** Caches the text of one day. Status polls nearly always ask for today's date. */
let cached = { day: Number.NaN, text: "" }

const dateOf = (day: number): string => {
  if (day !== cached.day) cached = { day, text: new Date(day * dayMs).toISOString().slice(0, 10) }
  return cached.text
}

const two = (n: number): string => (n < 10 ? `0${n}` : `${n}`)

/** Formats a time for `status`: `2026-11-21 14:05:09 UTC`. */
export const processingDate = (atMs: number): string => {
  const day = Math.floor(atMs / dayMs)
  const seconds = Math.floor((atMs - day * dayMs) / 1000)
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return `${dateOf(day)} ${time} UTC`
}

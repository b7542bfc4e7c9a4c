/** The steps of the demonstration as data: each step has the request that it sends, and the outcome that is expected. */

import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"

/**
 * A step of the demonstration. `name` is given to the order that the step creates; `of` is the name of an order that an earlier
 * step created.
 */
export interface Step {
  readonly title: string
  readonly operation: Operation
  /** The order on which the step acts. Without `of`, the step creates an order. */
  readonly of?: "sale" | "preauth" | "declined"
  readonly name?: "sale" | "preauth" | "declined"
  readonly fields: Readonly<Record<string, string>>
  /** The expected fields of the answer to a `status` request. */
  readonly expect: Readonly<Record<string, string>>
}

/** A card of the sandbox. Its security code selects the answer of the simulated bank. It expires four years after `year`. */
export const card = (year: number) => ({
  card_printed_name: "ADA LOVELACE",
  credit_card_number: "4444555566661111",
  expire_month: "12",
  expire_year: String(year + 4),
  cvv2: "123"
})
export const payer = {
  address1: "12 St James's Square",
  city: "London",
  zip_code: "SW1Y 4JH",
  country: "GB",
  phone: "+442079460000",
  email: "ada@shop.example",
  ipaddress: "203.0.113.7"
}
const { CAPTURE, PREAUTH, RETURN, SALE } = PayApi.operations

const amounts = (status: string, type: string, captured: string, returned: string, remaining: string) => ({
  status,
  "transaction-type": type,
  "captured-amount": captured,
  "returned-amount": returned,
  "remaining-amount": remaining
})

/** The fields of a card that a bank approves, and of one that it declines for lack of funds. */
export interface Cards {
  readonly approved: Readonly<Record<string, string>>
  readonly declined: Readonly<Record<string, string>>
}

const sandboxCards: Cards = { approved: {}, declined: { cvv2: "116" } }

/** Returns the steps in order. `year` is the current year of the sandbox's time. */
export const steps = (year: number, { approved, declined }: Cards = sandboxCards): ReadonlyArray<Step> => [
  {
    title: "A sale: authorized and captured in one request",
    name: "sale",
    operation: SALE,
    fields: { order_desc: "Two tickets", amount: "10.42", currency: "USD", ...card(year), ...approved, ...payer },
    expect: amounts("approved", "sale", "10.42", "0.00", "0.00")
  },
  {
    title: "A preauthorization: 100.00 is held on the card",
    name: "preauth",
    operation: PREAUTH,
    fields: {
      order_desc: "A room for two nights",
      amount: "100.00",
      currency: "USD",
      ...card(year),
      ...approved,
      ...payer
    },
    expect: amounts("approved", "preauth", "0.00", "0.00", "100.00")
  },
  {
    title: "A capture of a part of the hold: 60.00",
    of: "preauth",
    operation: CAPTURE,
    fields: { amount: "60.00", currency: "USD" },
    expect: amounts("approved", "capture", "60.00", "0.00", "40.00")
  },
  {
    title: "A second capture: 25.50",
    of: "preauth",
    operation: CAPTURE,
    fields: { amount: "25.50", currency: "USD" },
    expect: amounts("approved", "capture", "85.50", "0.00", "14.50")
  },
  {
    title: "A partial refund of the sale: 5.21",
    of: "sale",
    operation: RETURN,
    fields: { amount: "5.21", currency: "USD", comment: "one ticket too many" },
    expect: amounts("approved", "sale", "10.42", "5.21", "0.00")
  },
  {
    title: "A sale that the bank declines: not sufficient funds",
    name: "declined",
    operation: SALE,
    fields: { order_desc: "A yacht", amount: "9999.00", currency: "USD", ...card(year), ...declined, ...payer },
    expect: amounts("declined", "sale", "0.00", "0.00", "0.00")
  }
]

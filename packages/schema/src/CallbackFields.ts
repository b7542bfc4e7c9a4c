/** The parameters of a callback, each with its meaning and a plausible value: for documents. */
import type { Callback, Received } from "./Callback.ts"
import * as Status from "./Status.ts"
import * as TransactionType from "./TransactionType.ts"

/** A parameter or a header of callbacks, as documents describe it. */
export interface CallbackField {
  /** One sentence for documents. */
  readonly about: string
  readonly sample: string
  /** Whether every callback has the parameter. */
  readonly isRequired: boolean
}

const always = (about: string, sample: string): CallbackField => ({ about, sample, isRequired: true })
const sometimes = (about: string, sample: string): CallbackField => ({ about, sample, isRequired: false })

/** Values of `status` in a callback with `type=recurring`. */
const recurringEvents = ["skipped", "suspended", "finished", "card_expiring"]

/** The parameters of a callback by name, in the order in which the gateway sends them. */
export const fields: Readonly<Record<keyof Received | "merchant_order", CallbackField>> = {
  status: always(
    `The status that was reached: ${Status.all.filter(Status.isFinal).join(", ")}. With \`type=recurring\` an event of the recurring payment: ${recurringEvents.join(", ")}. More may come.`,
    "approved"
  ),
  orderid: always(
    "The gateway's identifier of the order. With `type=recurring`, the order that created the recurring payment.",
    "6768788"
  ),
  client_orderid: always("Your own identifier of the order.", "902B4FF5"),
  merchant_order: always("Equal to `client_orderid`.", "902B4FF5"),
  type: sometimes(
    `What the order is or has become: ${TransactionType.all.join(", ")}; or recurring, for an event of a recurring payment. More may come.`,
    "sale"
  ),
  amount: sometimes(
    "The amount of the request that ended, as decimal text. With `type=chargeback`, the amount that is taken back.",
    "10.42"
  ),
  currency: sometimes("The currency of the amount, ISO 4217.", "USD"),
  "serial-number": sometimes("Identifies the request that ended.", "00000000-0000-0000-0000-000002d9b22a"),
  descriptor: sometimes("What the customer reads on the statement.", "SHOP EXAMPLE"),
  error_code: sometimes("Why it was not approved.", "116"),
  error_message: sometimes("The error in words.", "Not sufficient funds"),
  bin: sometimes("The card's first six digits.", "444433"),
  "last-four-digits": sometimes("The card's last four digits.", "1111"),
  "card-type": sometimes("The card's brand.", "VISA"),
  "approval-code": sometimes("The issuer's approval code.", "012345"),
  "processor-tx-id": sometimes("The acquirer's identifier.", "PNTEST-6768788"),
  "processor-rrn": sometimes("The acquirer's retrieval reference number, if its bank reports one.", "235303502517"),
  "recurring-payment-id": sometimes("The recurring payment that the event is about.", "10901"),
  "charge-date": sometimes("The day of the charge that the event of a recurring payment is about.", "2030-02-28"),
  "reason-code": sometimes(
    "With `type=chargeback`, the card network's code of the reason, if the bank reports one.",
    "10.4"
  ),
  control: always(
    "SHA-1 of `status`, `orderid`, `client_orderid` and the control key, joined: 40 hex digits.",
    "61d6ce8d65ce56dab83a54497b44be466d71be21"
  )
}

/** The headers of a callback. */
export const headers: Readonly<Record<string, CallbackField>> = {
  "webhook-id": always("Identifies the event. It is equal in all its deliveries.", "6768788-1"),
  "webhook-timestamp": always("The time of this delivery, in seconds since 1970.", "1893456000"),
  "webhook-signature": always(
    "`v1,` and Base64 of HMAC-SHA256 over id, timestamp and query, joined by dots. One over the query as it is sent and one over its canonical form, for each control key, with a space between.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
  )
}

/** A callback of plausible values, without its signature. */
export const sample: Callback = {
  status: fields.status.sample,
  orderid: fields.orderid.sample,
  client_orderid: fields.client_orderid.sample,
  type: fields.type.sample,
  amount: fields.amount.sample,
  currency: fields.currency.sample,
  "serial-number": fields["serial-number"].sample,
  descriptor: fields.descriptor.sample,
  bin: fields.bin.sample,
  "last-four-digits": fields["last-four-digits"].sample,
  "card-type": fields["card-type"].sample,
  "approval-code": fields["approval-code"].sample,
  "processor-tx-id": fields["processor-tx-id"].sample
}

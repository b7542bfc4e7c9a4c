/** Operations with which an operator gives a customer's money back, or releases a hold. */
import { Schema } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const parameters = {
  order: Parameter.Order,
  comment: Parameter.note("Why, in at most 50 characters, for the merchant and the audit: write no card data.", 50),
  key: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[\w.:-]{1,64}$/, { message: "is an identifier" })).annotate(
      Parameter.info({
        value: "KEY",
        about:
          "Repeats of one key count as one request. Without it, an equal part of an amount is refused for some minutes."
      })
    )
  )
}

const Accepted = Schema.Struct({
  order: Schema.String,
  /** The serial number of the request; a repeat has another one. */
  serialNumber: Schema.String
})

const message = ({ order, serialNumber }: typeof Accepted.Encoded): string =>
  `accepted as ${serialNumber}; what the bank answers: pay orders show ${order}`

export const refundOrder = Operation.make("refundOrder", {
  method: "POST",
  path: "/operator/orders/:order/refund",
  command: "orders refund",
  operands: ["order"],
  about:
    "Returns captured money of an order, in part or the rest, or releases its hold, as the merchant's own return does, and informs the merchant.",
  changes: { audit: "order.refund", role: "support", secondPerson: "configurable", movesOrders: true },
  statuses: [202],
  input: Schema.Struct({
    ...parameters,
    amount: Schema.optionalKey(
      Parameter.Amount.annotate(
        Parameter.info({ value: "AMOUNT", about: "The amount to return, 10.42; everything that is left by default." })
      )
    )
  }),
  answer: Accepted,
  message
})

export const voidOrder = Operation.make("voidOrder", {
  method: "POST",
  path: "/operator/orders/:order/void",
  command: "orders void",
  operands: ["order"],
  about: "Releases the hold of an order, as the merchant's own void does, and informs the merchant.",
  changes: { audit: "order.void", role: "support", movesOrders: true },
  statuses: [202],
  input: Schema.Struct(parameters),
  answer: Accepted,
  message
})

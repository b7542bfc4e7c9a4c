/** Operations that erase card data at a person's request. */
import { Schema } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const erases = {
  method: "POST",
  command: "cards erase",
  changes: { audit: "card.erase", role: "support" },
  answer: Schema.Struct({ erased: Schema.String }),
  message: ({ erased }: { readonly erased: string }) => `Erased: ${erased}. It cannot be brought back.`
} as const

export const eraseOrder = Operation.make("eraseOrder", {
  ...erases,
  path: "/operator/orders/:order/erase",
  about: "Erases the card data or the recipient of an order.",
  input: Schema.Struct({ order: Parameter.Order })
})

export const eraseCard = Operation.make("eraseCard", {
  ...erases,
  path: "/operator/cards/:card/erase",
  about: "Erases a stored card.",
  input: Schema.Struct({
    card: Parameter.id({ value: "ID", flag: "card-ref", about: "The identifier of a stored card." })
  })
})

export const eraseSubscription = Operation.make("eraseSubscription", {
  ...erases,
  path: "/operator/subscriptions/:subscription/erase",
  about: "Erases the card data of a recurring payment that is cancelled or over.",
  input: Schema.Struct({
    subscription: Parameter.id({ value: "ID", about: "The recurring-payment-id of a recurring payment." })
  })
})

export const eraseCustomer = Operation.make("eraseCustomer", {
  method: "POST",
  path: "/operator/customers/erase",
  command: "cards erase",
  about:
    "Erases a page of a customer's orders, the newest first, with their stored cards and recurring payments; the command goes through all of them.",
  changes: { audit: "card.erase", role: "support" },
  input: Schema.Struct({
    email: Parameter.Email.annotate(
      Parameter.info({ value: "ADDRESS", about: "Everything of the customer with this e-mail address." })
    ),
    merchant: Schema.optionalKey(Parameter.Merchant),
    after: Parameter.page.after
  }),
  answer: Schema.Struct({
    /** Orders of the page that were erased. */
    erased: Schema.Int,
    /** Orders of the page that still need what would be erased. */
    kept: Schema.Array(Schema.Struct({ order: Schema.String, reason: Schema.String })),
    next: Parameter.Next
  })
})

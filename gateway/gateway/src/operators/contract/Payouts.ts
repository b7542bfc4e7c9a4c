/** Operations on the money that merchants pay out. */
import { Schema } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

/** Everything that an approver needs, without the parts of the recipient that may not be shown. */
export const WaitingPayout = Schema.Struct({
  order: Schema.String,
  merchant: Schema.String,
  merchantOrder: Schema.String,
  /** The amount with its currency: `10.42 USD`. */
  amount: Schema.String,
  recipient: Schema.String,
  recipientKind: Schema.String,
  recipientShown: Schema.String,
  description: Schema.String,
  purpose: Schema.NullOr(Schema.String),
  state: Schema.String,
  approver: Schema.NullOr(Schema.String),
  requestedAt: Parameter.Time,
  expires: Parameter.Time
}).pipe(Schema.encodeKeys({ requestedAt: "asked" }))

export const WaitingPayouts = Schema.Struct({ payouts: Schema.Array(WaitingPayout), next: Parameter.Next })

export const listPayouts = Operation.make("listPayouts", {
  method: "GET",
  path: "/operator/payouts",
  command: "payout list",
  about:
    "Lists the payouts that wait for a second person, of one merchant or of all; those that lapse first come first.",
  input: Schema.Struct({
    merchant: Schema.optionalKey(Parameter.Merchant),
    state: Schema.Literals(["waiting"]),
    ...Parameter.page
  }),
  answer: WaitingPayouts,
  rows: {
    field: "payouts",
    columns: ["order", "merchantOrder", "amount", "recipientKind", "recipientShown", "asked", "expires"]
  }
})

export const showBalances = Operation.make("showBalances", {
  method: "GET",
  path: "/operator/balances",
  command: "balance show",
  about: "Shows what a merchant may pay out, by endpoint and currency.",
  input: Schema.Struct({ merchant: Parameter.Merchant }),
  answer: Schema.Struct({
    merchant: Schema.String,
    balances: Schema.Array(
      Schema.Struct({
        endpoint: Schema.String,
        currency: Schema.String,
        available: Schema.String,
        onHold: Schema.String,
        paid: Schema.String
      }).pipe(Schema.encodeKeys({ onHold: "held" }))
    )
  }),
  rows: { field: "balances", columns: ["endpoint", "currency", "available", "held", "paid"] }
})

const Text = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128))

export const addBalance = Operation.make("addBalance", {
  method: "POST",
  path: "/operator/balances",
  command: "balance add",
  about: "Makes money payable for a merchant, once for a reference.",
  changes: { audit: "balance.add", role: "finance", secondPerson: "configurable" },
  statuses: [201, 200],
  input: Schema.Struct({
    reference: Text.annotate(
      Parameter.info({ value: "TEXT", about: "Your own name for the posting. Use each name once." })
    ),
    merchant: Parameter.Merchant,
    endpoint: Text.annotate(
      Parameter.info({ value: "ID", about: "The endpoint; it has a balance for each currency." })
    ),
    amount: Parameter.text({ value: "AMOUNT", about: "In major units: 1000.00." }),
    currency: Schema.optionalKey(
      Parameter.text({ value: "CODE", about: "The currency, if the endpoint takes several." })
    )
  }),
  answer: Schema.Struct({
    reference: Schema.String,
    merchant: Schema.String,
    endpoint: Schema.String,
    amount: Schema.String,
    currency: Schema.String,
    created: Parameter.Time,
    replay: Schema.Boolean
  }),
  headline: ({ replay }) => (replay ? "Booked before" : "Booked")
})

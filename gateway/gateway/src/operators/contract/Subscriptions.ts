/** Operations that read recurring payments. */
import { Schema } from "effect"
import * as SubscriptionLifecycle from "../../recurring/decide/SubscriptionLifecycle.ts"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const fields = {
  id: Schema.String,
  merchant: Schema.String,
  merchantOrder: Schema.String,
  order: Schema.String,
  endpoint: Schema.String,
  state: Schema.String,
  amount: Schema.String,
  currency: Schema.String,
  /** The schedule in words: `1 monthly from 2026-11-21`. */
  schedule: Schema.String,
  next: Schema.Int,
  card: Schema.String,
  created: Parameter.Time
}

const isState = (text: string): text is SubscriptionLifecycle.State => Object.hasOwn(SubscriptionLifecycle.states, text)

const State = Schema.String.pipe(
  Schema.refine(isState, { message: `is one of ${Object.keys(SubscriptionLifecycle.states).join(", ")}` })
).annotate(
  Parameter.info({
    value: "STATE",
    about: `${Object.keys(SubscriptionLifecycle.states)
      .join(", ")
      .replace(/, (\w+)$/, " or $1")}; not together with --merchant.`
  })
)

export const listSubscriptions = Operation.make("listSubscriptions", {
  method: "GET",
  path: "/operator/subscriptions",
  command: "subscriptions list",
  about: "Lists recurring payments, of one merchant or in one state.",
  input: Schema.Struct({
    merchant: Schema.optionalKey(Parameter.Merchant),
    state: Schema.optionalKey(State),
    ...Parameter.pageById
  }).check(
    Schema.makeFilter(
      ({ merchant, state }) => merchant === undefined || state === undefined || "give merchant or state, not both"
    )
  ),
  answer: Schema.Struct({
    subscriptions: Schema.Array(Schema.Struct(fields)),
    next: Schema.optional(Schema.String)
  }),
  rows: {
    field: "subscriptions",
    columns: ["created", "id", "merchant", "merchantOrder", "state", "amount", "currency", "schedule", "next"]
  }
})

const Occurrence = Schema.Struct({
  n: Schema.Int,
  day: Schema.String,
  progress: Schema.String,
  order: Schema.NullOr(Schema.String),
  attempts: Schema.Int,
  nextTry: Schema.NullOr(Parameter.Time),
  reason: Schema.NullOr(Schema.String),
  ended: Schema.NullOr(Parameter.Time)
})

export const showSubscription = Operation.make("showSubscription", {
  method: "GET",
  path: "/operator/subscriptions/:subscription",
  command: "subscriptions show",
  operands: ["subscription"],
  about: "Shows a recurring payment with its occurrences and when it is next due.",
  input: Schema.Struct({
    subscription: Parameter.id({ value: "ID", about: "The recurring-payment-id." })
  }),
  answer: Schema.Struct({
    ...fields,
    finish: Schema.NullOr(Schema.String),
    occurrencesInAll: Schema.NullOr(Schema.Int),
    timeZone: Schema.String,
    cardExpires: Schema.String,
    reasonCode: Schema.NullOr(Schema.Int),
    reason: Schema.NullOr(Schema.String),
    due: Schema.NullOr(Parameter.Time),
    occurrences: Schema.Array(Occurrence)
  }),
  jsonName: "subscription"
})

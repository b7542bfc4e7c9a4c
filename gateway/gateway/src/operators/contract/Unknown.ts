/** The operation that lists unknown outcomes with the evidence of both sides. */
import { Schema } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"
import { Resolution } from "./Resolutions.ts"

const Outcome = Schema.Struct({
  order: Schema.String,
  merchant: Schema.String,
  merchantOrder: Schema.String,
  request: Schema.String,
  operation: Schema.String,
  amount: Schema.String,
  currency: Schema.String,
  accepted: Parameter.Time,
  /** The state of the order. */
  state: Schema.String,
  /** The bank's or the rail's last answer about the request. Null: there is none. */
  answer: Schema.NullOr(Schema.String),
  answered: Schema.NullOr(Parameter.Time),
  /** The outcome that a second person may confirm. */
  proposal: Schema.NullOr(Resolution)
})

export const listUnknown = Operation.make("listUnknown", {
  method: "GET",
  path: "/operator/unknown",
  command: "orders unknown",
  about:
    "Lists the requests whose outcome is unknown, the oldest first, with what bank or rail answered last and the outcome that is proposed.",
  input: Schema.Struct(Parameter.page),
  answer: Schema.Struct({ outcomes: Schema.Array(Outcome), next: Parameter.Next }),
  rows: {
    field: "outcomes",
    columns: ["accepted", "order", "merchant", "operation", "amount", "currency", "state", "answer"]
  }
})

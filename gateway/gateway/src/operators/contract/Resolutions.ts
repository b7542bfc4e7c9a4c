/** Operations with which two people resolve an unknown outcome at the bank. */
import { Schema } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const StatedOutcome = Schema.Literals(["approved", "declined", "error"])

const As = StatedOutcome.annotate(
  Parameter.info({ value: "OUTCOME", about: "approved, declined, or error (it never happened)." })
)
const Request = Schema.optionalKey(
  Parameter.text({ value: "ID", about: "The request, if more than one of the order is unknown." })
)
const Digest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/)).annotate(
  Parameter.info({ value: "DIGEST", about: "The digest of the proposal, as show prints it." })
)

export const Resolution = Schema.Struct({
  state: Schema.Literals(["proposed", "resolved", "withdrawn"]),
  order: Schema.String,
  request: Schema.String,
  reference: Schema.String,
  as: StatedOutcome,
  amount: Schema.String,
  currency: Schema.String,
  evidence: Schema.String,
  approvalCode: Schema.NullOr(Schema.String),
  processorTxId: Schema.NullOr(Schema.String),
  /** Digest of the whole proposal; a changed proposal has another digest. */
  digest: Schema.String,
  proposedBy: Schema.String,
  proposed: Parameter.Time,
  confirmedBy: Schema.NullOr(Schema.String),
  confirmed: Schema.NullOr(Parameter.Time),
  withdrawnBy: Schema.NullOr(Schema.String),
  withdrawn: Schema.NullOr(Parameter.Time)
})

export const proposeResolution = Operation.make("proposeResolution", {
  method: "POST",
  path: "/operator/orders/:order/resolve",
  command: "orders resolve",
  operands: ["order"],
  about: "Proposes how an unknown request ended, as the bank stated in another way.",
  changes: { audit: "order.resolve.propose", role: "finance", secondPerson: "proposes" },
  statuses: [202],
  input: Schema.Struct({
    order: Parameter.Order,
    as: As,
    evidence: Parameter.note("Who at the bank stated it, and when. It stays in the audit: write no card data."),
    request: Request,
    approvalCode: Parameter.bankCode({ value: "CODE", about: "As the bank named it; needed for an approved payment." }),
    processorTxId: Parameter.bankCode({
      value: "ID",
      flag: "transaction",
      about: "The bank's own number of the transaction."
    })
  }),
  answer: Resolution,
  jsonName: "resolution",
  headline: ({ as, digest, order }) =>
    `A second person reads it (pay orders show ${order}) and confirms it:\n  pay orders confirm ${order} --as ${as} --digest ${digest}\n`
})

export const confirmResolution = Operation.make("confirmResolution", {
  method: "POST",
  path: "/operator/orders/:order/confirm",
  command: "orders confirm",
  operands: ["order"],
  about: "Confirms a proposal by its digest: the request ends and is booked like the bank's own answer.",
  changes: { audit: "order.resolve.confirm", role: "finance", secondPerson: "confirms", movesOrders: true },
  input: Schema.Struct({
    order: Parameter.Order,
    as: As,
    digest: Digest,
    request: Request
  }),
  answer: Resolution,
  jsonName: "resolution"
})

export const withdrawResolution = Operation.make("withdrawResolution", {
  method: "POST",
  path: "/operator/orders/:order/withdraw",
  command: "orders withdraw",
  operands: ["order"],
  about: "Withdraws a proposal that is not confirmed yet, also of another person: the request stays unknown.",
  changes: { audit: "order.resolve.withdraw", role: "finance" },
  input: Schema.Struct({ order: Parameter.Order, digest: Digest, request: Request }),
  answer: Resolution,
  jsonName: "resolution"
})

/** The operations of second approvers. An approver signs each request with a personal key, and needs no operator's token. */
import { Effect, Schema, SchemaTransformation } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"
import { WaitingPayout, WaitingPayouts } from "./Payouts.ts"

const Seconds = Schema.String.check(Schema.isPattern(/^\d{1,12}$/, { message: "is a Unix time in seconds" })).pipe(
  Schema.decodeTo(Schema.Int, SchemaTransformation.transform({ decode: Number, encode: String }))
)

/** A part of the proof. If it is left out, it is empty and proves nothing. */
const Proof = Schema.String.pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed("")))
const proof = { approver: Proof, signature: Proof }

export const listApprovals = Operation.make("listApprovals", {
  method: "POST",
  path: "/approvals",
  carrier: "form",
  command: "payout list",
  about: "Lists, for an approver, the payouts of a merchant that wait.",
  input: Schema.Struct({
    decision: Schema.Literals(["list"]),
    merchant: Schema.String,
    time: Seconds,
    ...proof,
    ...Parameter.page
  }),
  answer: WaitingPayouts,
  rows: {
    field: "payouts",
    columns: ["order", "merchantOrder", "amount", "recipientKind", "recipientShown", "asked", "expires"]
  }
})

export const decideApproval = Operation.make("decideApproval", {
  method: "POST",
  path: "/approvals/:order",
  carrier: "form",
  command: "payout show",
  operands: ["order"],
  about: "Shows an approver a payout (`decision=look`), or approves or rejects it as it was shown.",
  changes: { audit: "payout.approve", role: "finance", secondPerson: "confirms" },
  input: Schema.Struct({
    order: Schema.String.check(Schema.isPattern(/^\d{1,20}$/, { message: "is the number of an order" })),
    decision: Schema.Literals(["look", "approve", "reject"]),
    ...proof,
    time: Schema.optionalKey(Seconds),
    amount: Schema.optionalKey(Schema.String),
    recipient: Schema.optionalKey(Schema.String)
  }).check(
    Schema.makeFilter(({ decision, time }) => decision !== "look" || time !== undefined || "time is needed for a look")
  ),
  answer: WaitingPayout
})

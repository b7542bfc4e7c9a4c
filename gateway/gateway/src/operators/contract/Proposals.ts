/** Operations on changes that wait for a second person. */
import { Schema } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const fields = {
  proposal: Schema.String,
  /** The words of the command: `balance add`. */
  command: Schema.String,
  /** The parameters as they were requested. */
  input: Schema.String,
  state: Schema.Literals(["open", "confirmed", "withdrawn"]),
  proposedBy: Schema.String,
  proposed: Parameter.Time,
  endedBy: Schema.NullOr(Schema.String),
  ended: Schema.NullOr(Parameter.Time)
}

const proposal = Parameter.id({ value: "PROPOSAL", about: "The identifier of the proposal, as list prints it." })

export const listProposals = Operation.make("listProposals", {
  method: "GET",
  path: "/operator/proposals",
  command: "proposals list",
  about: "Lists the changes that wait for a second person, the newest first.",
  input: Schema.Struct({
    state: Schema.Literals(["open", "confirmed", "withdrawn"]).annotate(
      Parameter.info({ value: "STATE", about: "open (default), confirmed or withdrawn.", fallback: "open" })
    ),
    ...Parameter.page
  }),
  answer: Schema.Struct({ proposals: Schema.Array(Schema.Struct(fields)), next: Parameter.Next }),
  rows: { field: "proposals", columns: ["proposal", "command", "input", "proposedBy", "proposed"] }
})

export const confirmProposal = Operation.make("confirmProposal", {
  method: "POST",
  path: "/operator/proposals/:proposal/confirm",
  command: "proposals confirm",
  operands: ["proposal"],
  about: "Makes the change, as a second person with the role that the change needs.",
  changes: { audit: "proposal.confirm", role: undefined, secondPerson: "confirms" },
  input: Schema.Struct({ proposal }),
  answer: Schema.Struct({
    proposal: Schema.String,
    command: Schema.String,
    /** The HTTP status and the answer of the operation itself. */
    status: Schema.Int,
    answer: Schema.Record(Schema.String, Schema.Unknown)
  }),
  message: ({ answer, command, status }) => `${command}: ${status}\n${JSON.stringify(answer, undefined, 2)}`
})

export const withdrawProposal = Operation.make("withdrawProposal", {
  method: "POST",
  path: "/operator/proposals/:proposal/withdraw",
  command: "proposals withdraw",
  operands: ["proposal"],
  about: "Withdraws a proposal: the change is not made.",
  changes: { audit: "proposal.withdraw", role: undefined },
  input: Schema.Struct({ proposal }),
  answer: Schema.Struct(fields)
})

/** Operations on the books: reconciliation and the settlement export. */
import { Schema } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const Report = Schema.Struct({
  state: Schema.Literals(["never", "running", "done", "broken"]),
  orders: Schema.Int,
  entries: Schema.Int,
  /** Number of all discrepancies, of which the first 1000 are listed. */
  discrepancyCount: Schema.Int,
  discrepancies: Schema.Array(Schema.Struct({ where: Schema.String, expected: Schema.String, actual: Schema.String })),
  /** What was not compared, and why. */
  notCompared: Schema.Array(Schema.Struct({ what: Schema.String, why: Schema.String })),
  ended: Schema.NullOr(Parameter.Time)
})

const reconciliation = { path: "/operator/reconciliation", command: "reconciliation", answer: Report } as const

export const showReconciliation = Operation.make("showReconciliation", {
  ...reconciliation,
  method: "GET",
  about: "Shows how far the newest reconciliation is, and its discrepancies.",
  input: Schema.Struct({}),
  rows: { field: "discrepancies", columns: ["where", "expected", "actual"] }
})

export const beginReconciliation = Operation.make("beginReconciliation", {
  ...reconciliation,
  method: "POST",
  carrier: "query",
  about: "Begins to recompute every order and balance and to compare them with the books of bank and rail, both ways.",
  changes: { audit: "reconciliation.run", role: "finance" },
  statuses: [202, 409],
  input: Schema.Struct(Parameter.period).check(
    Schema.makeFilter(({ from, to }) =>
      from === undefined && to === undefined
        ? true
        : (from !== undefined && to !== undefined && from < to) || "from and to are given together, from before to"
    )
  ),
  rows: { field: "discrepancies", columns: ["where", "expected", "actual"] }
})

/** One line of the export; the fields are its columns. */
const SettlementLine = Schema.Struct({
  kind: Schema.String,
  merchant: Schema.String,
  endpoint: Schema.String,
  currency: Schema.String,
  account: Schema.String,
  time: Schema.String,
  order: Schema.String,
  request: Schema.String,
  cause: Schema.String,
  amount: Schema.String,
  balance: Schema.String
})

export const exportSettlement = Operation.make("exportSettlement", {
  method: "GET",
  path: "/operator/settlement.csv",
  command: "settlement export",
  format: "csv",
  columns: Object.keys(SettlementLine.fields),
  about: "Exports the books of a day as CSV; the header `x-next` of an answer is `after` of the next page.",
  input: Schema.Struct({
    day: Parameter.text({ value: "DAY", about: "A day in UTC that is over: 2026-11-21." }),
    merchant: Schema.optionalKey(Parameter.Merchant),
    ...Parameter.pageById
  }),
  answer: Schema.Struct({ lines: Schema.Array(SettlementLine), next: Schema.optional(Schema.String) })
})

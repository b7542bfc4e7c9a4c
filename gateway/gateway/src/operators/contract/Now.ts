/** The operation that says in one answer what is wrong now, what waits, and what the gateway does next. */
import { Schema } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"
import { AuditRow } from "./Audit.ts"

const TimeOrNull = Schema.NullOr(Parameter.Time)
const NumberOrNull = Schema.NullOr(Schema.Finite)
const CountWithOldest = Schema.Struct({ count: Schema.Int, oldest: TimeOrNull })

/** Something that is wrong, and whose it is. */
const Finding = Schema.Struct({
  who: Schema.Literals(["gateway", "bank", "merchant"]),
  /** The counterparty, the callback host, the merchant, the kind of job or the reason. */
  subject: Schema.String,
  problem: Schema.Literals(["not-ready", "overdue", "failing", "silent", "refused", "broken"]),
  /** Figures: `12/15 in 10 min`. */
  detail: Schema.String
})
export type Finding = typeof Finding.Type

/** Bank, rail, 3-D Secure server or the host of a merchant's callbacks, in the last hour of the process that answers. */
const Counterparty = Schema.Struct({
  name: Schema.String,
  /** The host of callbacks; empty for all others. */
  host: Schema.String,
  /** Requests by outcome: `approved`, `declined`, `lost`, `not-sent`, … */
  outcomes: Schema.Record(Schema.String, Schema.Int),
  /** Half, and 95 of 100, of the requests took at most so many seconds. Null: none was answered, or it took over a minute. */
  p50Seconds: NumberOrNull,
  p95Seconds: NumberOrNull,
  inFlight: Schema.Int,
  oldestSeconds: Schema.Finite,
  /** The requests of each minute, the oldest first; `failed` ones were lost or not sent. */
  minutes: Schema.Array(Schema.Struct({ at: Parameter.Time, answered: Schema.Int, failed: Schema.Int }))
})

const Requests = Schema.Struct({
  merchant: Schema.String,
  requests: Schema.Int,
  /** Answered with 4xx. */
  refused: Schema.Int,
  /** Answered with 5xx. */
  broken: Schema.Int
})

export const showNow = Operation.make("showNow", {
  method: "GET",
  path: "/operator/now",
  command: "now",
  about:
    "Shows what is wrong now and whose it is, what is unknown and since when, what waits, what happens next, and what changed. Counts of rows stop at 1000.",
  input: Schema.Struct({}),
  answer: Schema.Struct({
    at: Parameter.Time,
    /** The process that answers. Its figures of requests began at `since`; all others are those of the store. */
    process: Schema.String,
    since: Parameter.Time,
    findings: Schema.Array(Finding),
    unknown: CountWithOldest,
    /** The money that is unknown, by merchant and currency, of at most the 200 oldest requests. */
    unknownAmounts: Schema.Array(
      Schema.Struct({ merchant: Schema.String, count: Schema.Int, amount: Schema.String, currency: Schema.String })
    ),
    processing: CountWithOldest,
    callbacksWaiting: Schema.Int,
    callbacksDead: Schema.Int,
    tasks: Schema.Int,
    bookings: Schema.Int,
    proposals: Schema.Int,
    /** Payouts that wait for an approver. */
    payouts: Schema.Int,
    overdue: Schema.Array(Schema.Struct({ kind: Schema.String, count: Schema.Int, oldest: Parameter.Time })),
    /** The next job of each kind. */
    next: Schema.Array(Schema.Struct({ kind: Schema.String, due: Parameter.Time })),
    counterparties: Schema.Array(Counterparty),
    merchants: Schema.Array(Requests),
    /** The last privileged changes, the newest first. */
    changes: Schema.Array(AuditRow)
  }),
  tables: [
    { field: "findings", columns: ["who", "subject", "problem", "detail"] },
    { field: "unknownAmounts", columns: ["merchant", "count", "amount", "currency"] },
    { field: "overdue", columns: ["kind", "count", "oldest"] },
    { field: "next", columns: ["kind", "due"] },
    { field: "counterparties", columns: ["name", "host", "inFlight", "oldestSeconds", "p50Seconds", "p95Seconds"] },
    { field: "merchants", columns: ["merchant", "requests", "refused", "broken"] },
    { field: "changes", columns: ["at", "actor", "action", "outcome", "subject"] }
  ]
})

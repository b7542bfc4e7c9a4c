/** Operations that search orders and show one. */
import { Schema } from "effect"
import { BankDetails as ReportedDetails } from "../../orders/record/BankDetails.ts"
import * as Lifecycle from "../../orders/record/Lifecycle.ts"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"
import { AuditRow } from "./Audit.ts"
import { CallbackRow } from "./Callbacks.ts"
import { Resolution } from "./Resolutions.ts"

const statuses = ["processing", "unknown", "approved", "declined", "error", "filtered"] as const
const MinorOrNull = Schema.NullOr(Schema.Int)
const TextOrNull = Schema.NullOr(Schema.String)

const fields = {
  id: Schema.String,
  merchant: Schema.String,
  merchantOrder: Schema.String,
  endpoint: Schema.String,
  kind: Schema.String,
  state: Schema.String,
  status: Schema.String,
  /** The risk rule that stopped the order. Merchant and customer do not learn it. */
  filteredBy: TextOrNull,
  amount: Schema.String,
  currency: Schema.String,
  card: TextOrNull,
  moving: Schema.Int,
  created: Parameter.Time
}

const isState = (text: string): text is Lifecycle.State => Object.hasOwn(Lifecycle.states, text)
const Digits = Schema.String.check(Schema.isPattern(/^\d{12,19}$/))
const text = (value: string, about: string, flag?: string) =>
  Parameter.text({ value, about, ...(flag === undefined ? {} : { flag }) })

/** The criteria are sent as JSON, so that no card number is in an address. */
const Criteria = Schema.Struct({
  merchant: Schema.optionalKey(text("LOGIN", "Orders of one merchant.")),
  clientOrderId: Schema.optionalKey(text("ID", "The merchant's own identifier; with --merchant.", "client-orderid")),
  status: Schema.optionalKey(
    Schema.Literals(statuses).annotate(
      Parameter.info({ value: "STATUS", about: "processing, unknown, approved, declined, error or filtered." })
    )
  ),
  state: Schema.optionalKey(
    Schema.String.pipe(Schema.refine(isState, { message: "is a state of docs/merchants/lifecycle.md" })).annotate(
      Parameter.info({ value: "STATE", about: "A state of docs/merchants/lifecycle.md." })
    )
  ),
  lastFour: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^\d{4}$/)).annotate(
      Parameter.info({ value: "DIGITS", about: "The last four digits of the card." })
    )
  ),
  card: Schema.optionalKey(
    Schema.Struct({
      number: Schema.RedactedFromValue(Digits, { label: "card number" }),
      month: Schema.String.check(Schema.isPattern(/^\d{1,2}$/)),
      year: Schema.String.check(Schema.isPattern(/^\d{4}$/))
    }).annotate(
      Parameter.info({
        value: "FILE",
        flag: "card-file",
        kind: "card",
        about:
          "Orders of one card, with --merchant: a line NUMBER MM/YYYY; - is standard input. Only its keyed hash is compared."
      })
    )
  ),
  amount: Schema.optionalKey(
    Parameter.Amount.annotate(
      Parameter.info({ value: "AMOUNT", about: "The amount of the merchant's request: 10.42." })
    )
  ),
  currency: Schema.optionalKey(Parameter.Currency.annotate(Parameter.info({ value: "CODE", about: "USD, EUR, …" }))),
  email: Schema.optionalKey(
    Parameter.Email.annotate(
      Parameter.info({ value: "ADDRESS", about: "The customer's e-mail address. Answers do not show it." })
    )
  ),
  approvalCode: Schema.optionalKey(text("CODE", "The bank's approval code, as the statement has it.")),
  bankId: Schema.optionalKey(text("ID", "The bank's own identifier of the transaction.", "transaction")),
  filteredBy: Schema.optionalKey(text("RULE", "Orders that this risk rule stopped: max-amount.")),
  unknownForMs: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate(
      Parameter.info({
        value: "TIME",
        flag: "unknown-for",
        kind: "duration",
        about: "Orders with a request whose outcome has been unknown for longer than 30m, 6h, 2d."
      })
    )
  ),
  ...Parameter.period,
  ...Parameter.bodyPage
}).check(
  Schema.makeFilter(
    ({ card, clientOrderId, merchant }) =>
      merchant !== undefined ||
      (card ?? clientOrderId) === undefined ||
      "merchant is needed with card and clientOrderId, which are compared within one merchant"
  )
)

export const searchOrders = Operation.make("searchOrders", {
  method: "POST",
  path: "/operator/orders/search",
  command: "orders search",
  about:
    "Searches orders by merchant, state, time, card, amount, e-mail, approval code, bank's identifier, risk rule, or time with an unknown outcome.",
  input: Criteria,
  answer: Schema.Struct({
    orders: Schema.Array(Schema.Struct(fields)),
    /** Number of orders that the page read. */
    looked: Schema.Int,
    next: Parameter.Next
  }),
  rows: {
    field: "orders",
    columns: ["created", "id", "merchant", "merchantOrder", "kind", "state", "amount", "currency", "card", "filteredBy"]
  }
})

const Request = Schema.Struct({
  id: Schema.String,
  serialNumber: Schema.String,
  operation: Schema.String,
  progress: Schema.String,
  amountMinor: Schema.Int,
  errorCode: MinorOrNull,
  errorMessage: TextOrNull,
  accepted: Parameter.Time,
  finished: Schema.NullOr(Parameter.Time)
})

const LedgerRow = Schema.Struct({
  at: Parameter.Time,
  request: Schema.String,
  cause: Schema.String,
  account: Schema.String,
  minor: Schema.Int
})

/** What is known of the order's 3-D Secure, without the values that prove it. */
const Authentication = Schema.Struct({
  mode: Schema.String,
  stage: Schema.String,
  protocol: TextOrNull,
  /** The directory's or the issuer's verdict: `Y`, `A`, `N`, … */
  transStatus: TextOrNull,
  eci: TextOrNull,
  /** When the stage ends by itself. */
  ends: Schema.NullOr(Parameter.Time)
})

/** What the bank reported of the payment beside its outcome. What it did not report is absent. */
const BankDetails = Schema.Struct({
  approvalCode: Schema.optional(Schema.String),
  processorTxId: Schema.optional(Schema.String),
  ...ReportedDetails.fields
})

export const showOrder = Operation.make("showOrder", {
  method: "GET",
  path: "/operator/orders/:order",
  command: "orders show",
  operands: ["order"],
  about: "Shows everything about one order: requests, books, callbacks, evidence, audit, and what is due.",
  input: Schema.Struct({ order: Parameter.Order }),
  answer: Schema.Struct({
    ...fields,
    /** Keyed hash of the card's number, as `risk.block.cards` takes it. */
    cardHash: Schema.optional(Schema.String),
    destinationKind: Schema.optional(Schema.String),
    destination: Schema.optional(Schema.String),
    recipient: Schema.optional(Schema.String),
    amountMinor: Schema.Int,
    authorizedMinor: Schema.Int,
    capturedMinor: Schema.Int,
    refundedMinor: Schema.Int,
    chargedBackMinor: Schema.Int,
    errorCode: MinorOrNull,
    errorMessage: TextOrNull,
    authentication: Schema.optional(Authentication),
    bank: Schema.optional(BankDetails),
    requests: Schema.Array(Request),
    due: Schema.Array(
      Schema.Struct({ kind: Schema.String, subject: Schema.String, due: Parameter.Time, tries: Schema.Int })
    ),
    ledger: Schema.Array(LedgerRow),
    callbacks: Schema.Array(CallbackRow),
    evidence: Schema.Array(Schema.Struct({ at: Parameter.Time, reference: Schema.String, answer: Schema.String })),
    resolutions: Schema.Array(Resolution),
    audit: Schema.Array(AuditRow)
  }),
  tables: [
    {
      field: "callbacks",
      columns: ["id", "order", "merchant", "address", "state", "tries", "result", "created", "delivered"]
    }
  ],
  jsonName: "order"
})

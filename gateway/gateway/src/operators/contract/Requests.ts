/** The operations on what the gateway says of itself: its latest requests, and the level of its log. */
import { Schema, SchemaTransformation } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const verdicts = ["right", "wrong", "unchecked"] as const

/** A request without card data and without the values of its fields: its operation, its order and its answer. */
const RequestRow = Schema.Struct({
  at: Parameter.Time,
  tookMs: Schema.Int,
  /** Null: the path belongs to no operation. */
  operation: Schema.NullOr(Schema.String),
  endpoint: Schema.NullOr(Schema.String),
  /** Null: no merchant was authenticated. */
  merchant: Schema.NullOr(Schema.String),
  merchantOrder: Schema.NullOr(Schema.String),
  order: Schema.NullOr(Schema.String),
  /** `unchecked`: the request was refused before its signature was verified. */
  signature: Schema.Literals(verdicts),
  /** The remote address; behind a trusted proxy, the one that it names. */
  address: Schema.String,
  /** Name of the control key, or fingerprint of the RSA key, that verified the signature. Null: none did. */
  key: Schema.NullOr(Schema.String),
  status: Schema.Int,
  /** The error code; null if the request was not refused. */
  code: Schema.NullOr(Schema.Int),
  /** Names of the wrong fields. */
  fields: Schema.String
})

const Sequence = Schema.String.check(Schema.isPattern(/^\d{1,16}$/, { message: "is the next of a page" })).pipe(
  Schema.decodeTo(Schema.Finite, SchemaTransformation.transform({ decode: Number, encode: String }))
)

const Refused = Schema.String.check(Schema.isPattern(/^true$/, { message: "is true, or left out" })).annotate(
  Parameter.info({ about: "Only requests that were refused.", kind: "switch" })
)

export const listRequests = Operation.make("listRequests", {
  method: "GET",
  path: "/operator/requests",
  command: "logs tail",
  about: "Lists the requests of merchants that arrived last, the oldest first; the gateway keeps 2000 in memory.",
  input: Schema.Struct({
    operation: Schema.optionalKey(
      Parameter.text({ value: "OPERATION", about: "Only this operation, by its name: SALE." })
    ),
    merchant: Schema.optionalKey(Parameter.Merchant),
    order: Schema.optionalKey(
      Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128)).annotate(
        Parameter.info({ value: "ORDER", about: "Only one order, by the gateway's number of it or the merchant's." })
      )
    ),
    signature: Schema.optionalKey(
      Schema.Literals(verdicts).annotate(
        Parameter.info({ value: "VERDICT", about: "Only signatures that are right, wrong or unchecked." })
      )
    ),
    address: Schema.optionalKey(Parameter.text({ value: "ADDRESS", about: "Only requests from this address." })),
    key: Schema.optionalKey(
      Parameter.text({
        value: "KEY",
        about: "Only requests that this key verified: its name, or an RSA key's fingerprint."
      })
    ),
    refused: Schema.optionalKey(Refused),
    limit: Parameter.page.limit,
    after: Schema.optionalKey(
      Sequence.annotate(
        Parameter.info({ value: "CURSOR", about: "The `next` of the previous page; the list continues after it." })
      )
    )
  }),
  answer: Schema.Struct({
    requests: Schema.Array(RequestRow),
    /** Number of requests since `after` that are no longer stored. */
    missed: Schema.Int,
    next: Sequence
  }),
  rows: {
    field: "requests",
    columns: [
      "at",
      "operation",
      "endpoint",
      "order",
      "merchantOrder",
      "signature",
      "address",
      "key",
      "status",
      "code",
      "fields",
      "tookMs"
    ]
  }
})

const levels = ["debug", "info", "warning", "error"] as const

export const setLogLevel = Operation.make("setLogLevel", {
  method: "POST",
  path: "/operator/logs/level",
  command: "logs level",
  operands: ["level"],
  about: "Sets the lowest level that the process logs, until it ends or the level is set again.",
  changes: { audit: "logs.level", role: "admin" },
  input: Schema.Struct({
    level: Schema.Literals(levels).annotate(
      Parameter.info({ value: "LEVEL", about: "The level: debug, info, warning or error." })
    )
  }),
  answer: Schema.Struct({
    /** The process that answered. Others on the same store keep their levels. */
    process: Schema.String,
    from: Schema.String,
    to: Schema.Literals(levels)
  })
})

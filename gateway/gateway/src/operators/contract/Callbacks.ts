/** Operations on the callbacks that merchants are sent. */
import { Schema } from "effect"
import type { Delivery } from "../../callbacks/decide/CallbackEvent.ts"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const State = Schema.Literals(["pending", "delivered", "dead-lettered"] satisfies ReadonlyArray<Delivery>)

const fields = {
  id: Schema.String,
  order: Schema.String,
  merchant: Schema.String,
  /** The address without its query, which may contain a secret of the merchant. */
  address: Schema.String,
  state: State,
  tries: Schema.Int,
  result: Schema.NullOr(Schema.String),
  created: Parameter.Time,
  delivered: Schema.NullOr(Parameter.Time)
}

const Try = Schema.Struct({ number: Schema.Int, what: Schema.String, at: Parameter.Time, result: Schema.String })

export const CallbackRow = Schema.Struct({ ...fields, log: Schema.Array(Try) })

export const listCallbacks = Operation.make("listCallbacks", {
  method: "GET",
  path: "/operator/callbacks",
  command: "callbacks list",
  about: "Lists the callbacks of an order or in one state, each with its attempts and their results.",
  input: Schema.Struct({
    order: Schema.optionalKey(Parameter.Order),
    state: Schema.optionalKey(
      State.annotate(Parameter.info({ value: "STATE", about: "pending, delivered or dead-lettered." }))
    ),
    limit: Parameter.page.limit
  }).check(Schema.makeFilter(({ order, state }) => (order ?? state) !== undefined || "give order, or state, or both")),
  answer: Schema.Struct({ callbacks: Schema.Array(CallbackRow) }),
  rows: { field: "callbacks", columns: ["created", "id", "merchant", "state", "tries", "result", "address"] }
})

export const resendCallback = Operation.make("resendCallback", {
  method: "POST",
  path: "/operator/callbacks/:callback/resend",
  command: "callbacks resend",
  operands: ["callback"],
  about: "Sends a callback again, with the same content and under the same `webhook-id`.",
  changes: { audit: "callback.resend", role: "support" },
  statuses: [202],
  input: Schema.Struct({
    callback: Parameter.id({ value: "CALLBACK", about: "The callback's identifier." })
  }),
  answer: Schema.Struct(fields),
  message: ({ id, tries }) => `${id} is on its way again, after ${tries} tries.`,
  jsonName: "callback"
})

export const pushCallbacks = Operation.make("pushCallbacks", {
  method: "POST",
  path: "/operator/callbacks/resend",
  command: "callbacks resend",
  about:
    "Sends a page of a merchant's callbacks now that wait for their next attempt, or that were given up; the command goes through all of them.",
  changes: { audit: "callback.resend", role: "support" },
  statuses: [202],
  input: Schema.Struct({
    merchant: Parameter.Merchant,
    since: Parameter.Time.annotate(
      Parameter.info({ value: "TIME", about: "The time of the oldest callback: 2026-11-21 or 2026-11-21T08:00:00Z." })
    ),
    state: Schema.Literals(["pending", "dead-lettered"]).annotate(
      Parameter.info({ value: "STATE", about: "pending (default) or dead-lettered.", fallback: "pending" })
    ),
    after: Parameter.page.after
  }),
  answer: Schema.Struct({
    /** Callbacks that are sent now. */
    begun: Schema.Int,
    /** Callbacks of the page that belong to other merchants, or that are on their way. */
    left: Schema.Int,
    next: Parameter.Next
  })
})

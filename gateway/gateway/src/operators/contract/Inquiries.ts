/** Operations that have bank and rail asked at once about requests whose outcome is open. */
import { Schema } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const Inquired = Schema.Struct({
  /** Requests that are asked about now. */
  begun: Schema.Int,
  /** Requests that a process asks about already, or that bank and rail are not asked about. */
  left: Schema.Int,
  next: Parameter.Next
})

const inquiry = {
  method: "POST",
  command: "orders inquire",
  changes: { audit: "order.inquire", role: "support" },
  statuses: [202],
  answer: Inquired
} as const

export const inquireOrder = Operation.make("inquireOrder", {
  ...inquiry,
  path: "/operator/orders/:order/inquire",
  operands: ["order"],
  about: "Has bank or rail asked now about the open requests of an order, instead of at the next inquiry.",
  input: Schema.Struct({ order: Parameter.Order })
})

export const inquireUnknown = Operation.make("inquireUnknown", {
  ...inquiry,
  path: "/operator/orders/inquire",
  about: "The same for a page of unknown outcomes, the oldest first; the command goes through all of them.",
  input: Schema.Struct({
    unknown: Schema.Literal(true).annotate(
      Parameter.info({ kind: "switch", about: "All requests whose outcome is unknown." })
    ),
    after: Parameter.page.after
  })
})

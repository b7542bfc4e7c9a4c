/**
 * The errors of flows. Each business outcome has an error of its own. `retryable` is true if it is safe to run the same flow again
 * with the same payload, and the result may then be different. So `Effect.retry({ while: ({ retryable }) => retryable })` is always
 * correct. The guides of docs/flows contain the rows of this table.
 *
 * | error              | money moved | `retryable` | what it means                                                        | what to do                                                  |
 * |--------------------|-------------|-------------|----------------------------------------------------------------------|-------------------------------------------------------------|
 * | `Declined` | no | no | the issuer, the bank or the gateway declined it; with `hard`, do not use this card again | if the customer tries again, use a new order |
 * | `Filtered` | no | no | a risk rule of the gateway stopped it | read `reason`; do not retry automatically |
 * | `NotAuthenticated` | no | no | 3-D Secure failed | offer another try with a new order |
 * | `Abandoned` | no | no | the customer cancelled, did not come back, or was too late | keep the basket; if the customer tries again, use a new order |
 * | `Failed` | no | no | the gateway could not process it; it never reached the bank | try later with a new order |
 * | `NotAccepted` | no | after a 429 | the request is wrong; with code 51, the `clientOrderId` names another payment; after a 429, the gateway limited your requests for too long | correct what `problems` and `reason` name; after a 429, run it again after `retryAfterMs` |
 * | `Unreachable` | no | yes | the request was not sent | run it again |
 * | `NeverHappened` | no | yes | the request was sent, its answer was lost, and the gateway has no record of it | run it again |
 * | `StillUnknown` | perhaps | yes | the outcome is still unknown | run it again to continue asking; deliver nothing until then |
 * | `NeedsAPerson` | perhaps | no | the flow cannot find out what happened, or the gateway approved another amount or currency than was requested | a person compares `reason`, `order` and `evidence` with the gateway |
 * | `PayloadInvalid` | no | no | the payload is not one of this flow | correct what `problems` names |
 * | `PayloadDiffers` | no | no | the identity belongs to another payload | use a new name, or the first payload |
 * | `StorageFailed` | perhaps | yes | the engine could not store what it did, or whether it did is unknown | run it again |
 */
import { advice, explain, FieldProblem } from "@pay/transport/PayError"
import { Schema } from "effect"
import { Evidence } from "./Evidence.ts"
import { describe, OrderStatus } from "./OrderStatus.ts"

const about = {
  clientOrderId: Schema.String,
  evidence: Schema.Array(Evidence)
}

const ended = {
  ...about,
  /** The final status of the order. */
  order: OrderStatus
}

const reasoned = {
  ...ended,
  /** The issuer's or the gateway's code; see `Decline` of `@pay/schema`. */
  code: Schema.optionalKey(Schema.Int),
  /** The reason as text. */
  reason: Schema.String
}

/** Returns the text without a full stop at its end, because a message continues after it. */
const withoutStop = (text: string): string => (text.endsWith(".") ? text.slice(0, -1) : text)

const anotherTry = "If the customer tries again, give the payment a clientOrderId of its own"

/** The issuer, the bank or the gateway declined the order. */
export class Declined extends Schema.TaggedError<Declined>()("Declined", {
  ...reasoned,
  /** Whether a retry with the same card is useless. */
  hard: Schema.Boolean
}) {
  readonly retryable = false
  override get message(): string {
    return `${this.clientOrderId} was declined: ${withoutStop(this.reason)}. ${this.hard ? "Do not use this card again" : anotherTry}`
  }
}

/** A risk rule of the gateway stopped the order. */
export class Filtered extends Schema.TaggedError<Filtered>()("Filtered", reasoned) {
  readonly retryable = false
  override get message(): string {
    return `${this.clientOrderId} was filtered: ${withoutStop(this.reason)}. Do not retry it automatically`
  }
}

/** 3-D Secure failed. */
export class NotAuthenticated extends Schema.TaggedError<NotAuthenticated>()("NotAuthenticated", ended) {
  readonly retryable = false
  override get message(): string {
    return `${this.clientOrderId}: the cardholder was not authenticated. ${anotherTry}`
  }
}

/** The customer cancelled, did not come back from another page, or was too late. */
export class Abandoned extends Schema.TaggedError<Abandoned>()("Abandoned", ended) {
  readonly retryable = false
  override get message(): string {
    return `${this.clientOrderId} was abandoned by the customer. ${anotherTry}`
  }
}

/** The gateway could not process the order. */
export class Failed extends Schema.TaggedError<Failed>()("Failed", reasoned) {
  readonly retryable = false
  override get message(): string {
    return `${this.clientOrderId} failed: ${withoutStop(this.reason)}. Try again later: give the payment a clientOrderId of its own`
  }
}

/** The gateway or the client did not accept the request, and it had no effect. It is retryable only after a 429. */
export class NotAccepted extends Schema.TaggedError<NotAccepted>()("NotAccepted", {
  ...about,
  operation: Schema.String,
  /** The HTTP status. It is absent if the request was refused before it was sent. */
  status: Schema.optionalKey(Schema.Int),
  code: Schema.optionalKey(Schema.Int),
  reason: Schema.String,
  problems: Schema.Array(FieldProblem),
  /** Milliseconds to wait before the request is repeated, if the gateway states them (`Retry-After`). */
  retryAfterMs: Schema.optionalKey(Schema.Finite),
  /** The gateway's serial number of the refused request, for its support. */
  serialNumber: Schema.optionalKey(Schema.String)
}) {
  get retryable(): boolean {
    return this.status === 429
  }
  override get message(): string {
    const { clientOrderId, code, operation, reason } = this
    const remedy = advice(code, "clientOrderId")
    return `${operation} of ${clientOrderId} was not accepted: ${withoutStop(reason)}${remedy === "" ? remedyOf(this) : remedy}`
  }
}

/** Returns what to do after a request was not accepted, as the end of its message. */
const remedyOf = ({
  retryAfterMs,
  retryable
}: {
  readonly retryAfterMs?: number
  readonly retryable: boolean
}): string => {
  if (!retryable) return ". Nothing was done: correct it and run it again"
  return `. Nothing was done: run it again ${retryAfterMs === undefined ? "later" : `after ${Math.ceil(retryAfterMs / 1000)} s`}`
}

/** The request was not sent, because the gateway could not be reached or a limit of the client applied. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {
  ...about,
  operation: Schema.String,
  /** The error code, such as `ECONNREFUSED`. */
  code: Schema.String,
  /** What the status request, which comes before the request, received instead of an answer. */
  received: Schema.optionalKey(Schema.String)
}) {
  readonly retryable = true
  override get message(): string {
    return `${this.operation} of ${this.clientOrderId} was not sent (${this.code}): ${explain(this)}. Run it again`
  }
}

/** The answer to a request was lost, and the gateway has no record of the request. */
export class NeverHappened extends Schema.TaggedError<NeverHappened>()("NeverHappened", {
  ...about,
  operation: Schema.String,
  /** The field without which this run could not send the request: the security code, or a card field that was only in memory. */
  missing: Schema.optionalKey(Schema.String)
}) {
  readonly retryable = true
  override get message(): string {
    const needed = this.missing === undefined ? "" : ` with ${this.missing}, without which it cannot be sent`
    return `${this.operation} of ${this.clientOrderId} never happened: the gateway has no such order. Run it again${needed}`
  }
}

/** The outcome of a request is still unknown. Run the flow again to continue. */
export class StillUnknown extends Schema.TaggedError<StillUnknown>()("StillUnknown", {
  ...about,
  operation: Schema.String,
  order: Schema.optionalKey(OrderStatus)
}) {
  readonly retryable = true
  override get message(): string {
    const last = this.evidence.at(-1)
    const answer = last === undefined ? "" : ` The last answer to ${last.operation} was: ${last.answer}.`
    const lastAnswer = this.order === undefined ? answer : ` The ${describe(this.order)}.${answer}`
    return `the outcome of ${this.operation} of ${this.clientOrderId} is still unknown.${lastAnswer} Run it again to continue asking`
  }
}

/**
 * The flow cannot determine the outcome, or the gateway approved another amount or currency than was requested. A person must
 * compare `reason`, `order` and `evidence` with the records of the gateway.
 */
export class NeedsAPerson extends Schema.TaggedError<NeedsAPerson>()("NeedsAPerson", {
  ...about,
  operation: Schema.String,
  /** Why a person must look. If amounts or currencies differ, it names the reported and the requested money. */
  reason: Schema.String,
  order: Schema.optionalKey(OrderStatus)
}) {
  readonly retryable = false
  override get message(): string {
    return `${this.operation} of ${this.clientOrderId} needs a person: ${withoutStop(this.reason)}. Compare it with the gateway before you pay, refund or deliver anything`
  }
}

/** The payload is not one of the flow, which types cannot detect in all cases. Nothing was stored or sent. */
export class PayloadInvalid extends Schema.TaggedError<PayloadInvalid>()("PayloadInvalid", {
  flow: Schema.String,
  problems: Schema.Array(FieldProblem)
}) {
  readonly retryable = false
  override get message(): string {
    return `${this.flow} was not executed: ${this.problems.map(({ message }) => message).join("; ")}. Correct the payload`
  }
}

/** The identity belongs to an execution with another payload. Nothing was stored or sent. */
export class PayloadDiffers extends Schema.TaggedError<PayloadDiffers>()("PayloadDiffers", {
  flow: Schema.String,
  /** The id of the execution. */
  id: Schema.String
}) {
  readonly retryable = false
  override get message(): string {
    return `${this.id} was executed with another payload: give the new one a name of its own, or execute the first payload`
  }
}

/** The storage of the engine failed. The flow continues from what is stored when it is executed again. */
export class StorageFailed extends Schema.TaggedError<StorageFailed>()("StorageFailed", {
  flow: Schema.String,
  reason: Schema.String
}) {
  readonly retryable = true
  override get message(): string {
    return `${this.flow} cannot be stored: ${withoutStop(this.reason)}. Run it again`
  }
}

/** Errors of every execution, beside those of its flow. */
export const ExecuteError = Schema.Union([PayloadInvalid, PayloadDiffers, StorageFailed])
export type ExecuteError = typeof ExecuteError.Type

/** The flow cannot run on this engine, because its data must not be stored as the engine stores it. */
export class FlowUnfit extends Schema.TaggedError<FlowUnfit>()("FlowUnfit", {
  flow: Schema.String,
  reason: Schema.String
}) {
  readonly retryable = false
  override get message(): string {
    return `${this.flow} cannot run durably: ${this.reason}`
  }
}

/** Errors of a request that is repeated until it is answered. */
export const Unanswered = Schema.Union([NotAccepted, Unreachable, StillUnknown])
export type Unanswered = typeof Unanswered.Type

/** Errors of a request that created no order, or whose outcome is unknown. */
export const Unmade = Schema.Union([...Unanswered.members, NeverHappened])
export type Unmade = typeof Unmade.Type

/** Errors of an order that was created without a browser and did not succeed. */
export const Unpaid = Schema.Union([Declined, Filtered, Failed])
export type Unpaid = typeof Unpaid.Type

/** Errors of an order that was created with a customer's browser and did not succeed. */
export const UnpaidByCustomer = Schema.Union([Declined, Filtered, Failed, NotAuthenticated, Abandoned])
export type UnpaidByCustomer = typeof UnpaidByCustomer.Type

/** Errors of a flow that creates an order, or acts on one, without a customer's browser. */
export const OrderError = Schema.Union([...Unpaid.members, ...Unmade.members, NeedsAPerson])
export type OrderError = typeof OrderError.Type

/** Errors of a flow that creates an order and may need a customer's browser. */
export const CustomerError = Schema.Union([...UnpaidByCustomer.members, ...Unmade.members, NeedsAPerson])
export type CustomerError = typeof CustomerError.Type

/** All outcomes of flows that are errors. */
export const FlowError = Schema.Union([
  Declined,
  Filtered,
  NotAuthenticated,
  Abandoned,
  Failed,
  NotAccepted,
  Unreachable,
  NeverHappened,
  StillUnknown,
  NeedsAPerson
])
export type FlowError = typeof FlowError.Type

/** All errors of flows and of their execution. A flow that declares no errors has these. */
export const AnyError = Schema.Union([...FlowError.members, ...ExecuteError.members])
export type AnyError = typeof AnyError.Type

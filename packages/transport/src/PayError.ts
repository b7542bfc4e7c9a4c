/**
 * How a call can fail, sorted by the only question that matters with money: can it have had an effect?
 *
 * | error            | effect          | what to do                                                        |
 * |------------------|-----------------|-------------------------------------------------------------------|
 * | `InvalidRequest` | none            | correct the input                                                 |
 * | `NotSent`        | none            | call again, after `retryAfterMs` where it has one                 |
 * | `Refused`        | none            | correct what it names; after a 429 wait `retryAfterMs`            |
 * | `OutcomeUnknown` | perhaps         | ask `status`; never assume                                        |
 *
 * After `OutcomeUnknown`, even a 400 on a repeat proves nothing: it may have been refused *because* the first one
 * worked. Only `status` tells, or where the gateway's profile says so the first answer replayed under the same
 * `client_orderid` or `Idempotency-Key`.
 * Interrupting a call that is under way leaves its outcome just as unknown.
 *
 * No error holds text of the request: neither card data nor keys.
 */
import { Schema } from "effect"

/** One thing wrong with one field; `code` is of the error-code table of `@pay/schema`. */
export const FieldProblem = Schema.Struct({ field: Schema.String, code: Schema.Int, message: Schema.String })
export type FieldProblem = typeof FieldProblem.Type

const call = {
  /** Name of the operation, e.g. `CAPTURE`. */
  operation: Schema.String,
  /** The merchant's own identifier, where the request has one. */
  clientOrderId: Schema.optionalKey(Schema.String)
}

const refusal = {
  errorCode: Schema.optionalKey(Schema.Int),
  errorMessage: Schema.optionalKey(Schema.String),
  /** The gateway's name of this one request, for `by-request-sn` and for its support. */
  serialNumber: Schema.optionalKey(Schema.String)
}

/** The input cannot be encoded or signed. Nothing was sent. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  ...call,
  problems: Schema.Array(FieldProblem)
}) {
  override get message(): string {
    return `${this.operation}: ${this.problems.map(({ message }) => message).join("; ")}`
  }
  get retryable(): boolean {
    return false
  }
}

/** Provably, no byte of the request reached the gateway. The only error the client repeats by itself. */
export class NotSent extends Schema.TaggedError<NotSent>()("NotSent", {
  ...call,
  /**
   * `Unreachable`: no connection. `Deadline`: the time was up before a connection was free. `Limited`: by the client's own
   * `callsPerSecond` its turn would come after its deadline.
   */
  reason: Schema.Literals(["Unreachable", "Deadline", "Limited"]),
  /** The machine's name of it, e.g. `ECONNREFUSED`. */
  code: Schema.String,
  /** How long until its turn would have come, in milliseconds, where it is `Limited`. */
  retryAfterMs: Schema.optionalKey(Schema.Finite)
}) {
  override get message(): string {
    return `${this.operation} was not sent: ${this.code}`
  }
  get retryable(): boolean {
    return true
  }
}

/** The gateway understood the request and refused it: 400, 401, 403, 404, 405, 413 or 429 in the protocol's shape. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  ...call,
  ...refusal,
  /** The HTTP status. For a refusal in the older dialect, which has 200: 429 where it says when to come back, else 400. */
  status: Schema.Int,
  /** Every field the gateway objects to. */
  errors: Schema.Array(FieldProblem),
  /** How long to wait before the next call, in milliseconds, where the gateway says so: with a 429 it does. */
  retryAfterMs: Schema.optionalKey(Schema.Finite)
}) {
  override get message(): string {
    return `${this.operation} was refused (${this.status}): ${this.errorMessage ?? "no reason given"}`
  }
  /** A 429 is not about this request; anything else will be refused again. */
  get retryable(): boolean {
    return this.status === 429
  }
}

/** The request left, and no answer says what became of it. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {
  ...call,
  ...refusal,
  orderId: Schema.optionalKey(Schema.String),
  /** What it was sent under. Where `isKeyHonoured`, repeating the call under this key has no second effect. */
  idempotencyKey: Schema.optionalKey(Schema.String),
  /** Whether the gateway was believed to honour keys when this was sent. */
  isKeyHonoured: Schema.optionalKey(Schema.Boolean),
  /**
   * `Deadline`: no answer in time. `ConnectionLost`: reset or cut off. `GatewayFault`: 408 or any 5xx.
   * `UnreadableAnswer`: not an answer of this protocol. `Repeated`: somebody on the way sent the request twice, and this
   * is the answer to the second one. `Misplaced`: the answer to another request came instead.
   */
  reason: Schema.Literals(["Deadline", "ConnectionLost", "GatewayFault", "UnreadableAnswer", "Repeated", "Misplaced"]),
  /** The HTTP status, or the machine's name of what broke the connection. */
  code: Schema.String,
  /** True for operations that only read: asking again can do no harm. */
  retryable: Schema.Boolean
}) {
  override get message(): string {
    return `the outcome of ${this.operation} is unknown: ${this.reason} (${this.code})`
  }
}

export const PayError = Schema.Union([InvalidRequest, NotSent, Refused, OutcomeUnknown])
export type PayError = typeof PayError.Type

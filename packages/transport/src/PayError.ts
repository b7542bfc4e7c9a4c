/**
 * The errors of a call, sorted by whether the call can have had an effect.
 *
 * | error            | effect          | what to do                                                        |
 * |------------------|-----------------|-------------------------------------------------------------------|
 * | `InvalidRequest` | none            | correct the input                                                 |
 * | `NotSent`        | none            | call again, after `retryAfterMs` where it has one                 |
 * | `Refused`        | none            | correct what it names; after a 429 wait `retryAfterMs`            |
 * | `OutcomeUnknown` | perhaps         | ask `status`; never assume                                        |
 *
 * After `OutcomeUnknown`, even a 400 on a repetition proves nothing: the repetition may have been refused *because* the first
 * request succeeded. Only `status` reports the outcome. If the gateway's profile permits it, so does a repetition under the same
 * `client_orderid` or `Idempotency-Key`, which is answered with the first answer. An interrupted call has an unknown outcome,
 * too.
 *
 * No error contains text of the request: neither card data nor keys.
 */
import { codes } from "@pay/schema/ErrorCode"
import { Schema } from "effect"
import { meaning } from "./Unsent.ts"

/** One problem of one field. `code` is from the table of error codes of `@pay/schema`. */
export const FieldProblem = Schema.Struct({ field: Schema.String, code: Schema.Int, message: Schema.String })
export type FieldProblem = typeof FieldProblem.Type

const call = {
  /** Name of the operation, e.g. `CAPTURE`. */
  operation: Schema.String,
  /** The merchant's own identifier of the order, if the request has one. */
  clientOrderId: Schema.optionalKey(Schema.String)
}

/** What was received instead of an answer of this protocol, and what to check. */
const received = Schema.optionalKey(Schema.String)

const refusal = {
  errorCode: Schema.optionalKey(Schema.Int),
  errorMessage: Schema.optionalKey(Schema.String),
  /** The gateway's identifier of this request, for `by-request-sn` and for the gateway's support. */
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

/** Returns why a request was not sent, and what to check. */
export const explain = ({
  code,
  received
}: {
  readonly code: string
  readonly received?: string | undefined
}): string => (received === undefined ? meaning(code) : `received ${received}`)

/**
 * Provably, no byte of the request reached the gateway. This is the only error after which the client repeats a call by itself.
 */
export class NotSent extends Schema.TaggedError<NotSent>()("NotSent", {
  ...call,
  /**
   * `Unreachable`: there was no connection, or the gateway's certificate was not accepted. `Deadline`: the time was up before a connection was free. `Limited`: because of the
   * client's `callsPerSecond` the call would have begun too late.
   */
  reason: Schema.Literals(["Unreachable", "Deadline", "Limited"]),
  /** The system's code of the cause, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  code: Schema.String,
  /** What the status request, which comes before the request, received instead of an answer. */
  received,
  /** Milliseconds until the call could begin, if the reason is `Limited`. */
  retryAfterMs: Schema.optionalKey(Schema.Finite)
}) {
  override get message(): string {
    return `${this.operation} was not sent (${this.code}): ${explain(this)}`
  }
  get retryable(): boolean {
    return true
  }
}

/** Returns what to do after a refusal with this code, as the end of a message. It is empty if the reason says it. */
export const advice = (code: number | undefined, id = "client_orderid"): string =>
  code === codes.contentDiffers.code
    ? `. Give another payment a ${id} of its own; ask for the status to see the order that has this one`
    : ""

/** The gateway understood the request and refused it: 400, 401, 403, 404, 405, 413 or 429 in the protocol's shape. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  ...call,
  ...refusal,
  /**
   * The HTTP status. A refusal in the older dialect has the status 200; here it has 429 if it has `Retry-After`, otherwise 400.
   */
  status: Schema.Int,
  /** The problems of all fields that the gateway does not accept. */
  errors: Schema.Array(FieldProblem),
  /** Milliseconds to wait before the next call, if the gateway reports them, as it does with a 429. */
  retryAfterMs: Schema.optionalKey(Schema.Finite)
}) {
  override get message(): string {
    return `${this.operation} was refused (${this.status}): ${this.errorMessage ?? "no reason given"}${advice(this.errorCode)}`
  }
  /** Whether the same request can succeed later: only after a 429, which is not about the request itself. */
  get retryable(): boolean {
    return this.status === 429
  }
}

/** The request may have been sent, and no answer reports its outcome. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {
  ...call,
  ...refusal,
  orderId: Schema.optionalKey(Schema.String),
  /** The key that was sent. If `isKeyHonoured`, a repetition of the call with this key has no second effect. */
  idempotencyKey: Schema.optionalKey(Schema.String),
  /** Whether the gateway was assumed to honour keys when the request was sent. */
  isKeyHonoured: Schema.optionalKey(Schema.Boolean),
  /**
   * `Deadline`: there was no answer in time. `ConnectionLost`: the connection was reset or cut off. `GatewayFault`: 408 or any
   * 5xx. `UnreadableAnswer`: the answer is not of this protocol. `Repeated`: a party between client and gateway sent the request
   * twice, and this is the answer to the second copy. `Misplaced`: the answer belongs to another request.
   */
  reason: Schema.Literals(["Deadline", "ConnectionLost", "GatewayFault", "UnreadableAnswer", "Repeated", "Misplaced"]),
  /** The HTTP status, or the system's code of what broke the connection. */
  code: Schema.String,
  received,
  /** Whether the operation only reads, so that the call can be repeated without harm. */
  retryable: Schema.Boolean
}) {
  override get message(): string {
    const answer = this.received === undefined ? "" : `: received ${this.received}`
    return `the outcome of ${this.operation} is unknown: ${this.reason} (${this.code})${answer}`
  }
}

/** Every error of a call. */
export const PayError = Schema.Union([InvalidRequest, NotSent, Refused, OutcomeUnknown])
export type PayError = typeof PayError.Type

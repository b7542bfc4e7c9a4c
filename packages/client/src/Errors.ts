/** The errors of calls that do not succeed. Every error is a `PayError`; `code` names its class. */
import type { Order } from "./contract/Answers.ts"

/** One thing that is wrong with the input or the request. */
export interface Problem {
  /** The path of the field in the input: `card.number`. */
  readonly field: string
  /** The protocol's error code. */
  readonly code: number
  readonly message: string
}

/** One request of a call, with its result. It has no card data. */
export interface Evidence {
  readonly operation: string
  readonly requestedAtMs: number
  readonly answer: string
  readonly [name: string]: unknown
}

/** The facts of an error. */
export interface Facts {
  readonly message: string
  readonly cause?: unknown
  /** Whether the same call, with the same values, is safe and may end differently. */
  readonly retryable: boolean
  readonly clientOrderId?: string
  /** The gateway's identifier of the order, if the gateway has answered with one. */
  readonly orderId?: string
  /** The order as the gateway last described it, if there is one. */
  readonly order?: Order
  /** The gateway's identifier of the request, for the gateway's support. */
  readonly serialNumber?: string
  /** The gateway's error code. */
  readonly errorCode?: number
  /** Whether the card must not be used again. */
  readonly hard?: boolean
  readonly problems?: ReadonlyArray<Problem>
  /** The time to wait before another call, in milliseconds. */
  readonly retryAfterMs?: number
  readonly evidence?: ReadonlyArray<Evidence>
}

/** The reason of an error. Each code has a class of errors. */
export type Code =
  | "Declined"
  | "Filtered"
  | "NotAuthenticated"
  | "Abandoned"
  | "Failed"
  | "Refused"
  | "Unreachable"
  | "NeverHappened"
  | "StillUnknown"
  | "NeedsAPerson"
  | "PayloadDiffers"
  | "StorageFailed"
  | "InvalidInput"
  | "InvalidSetting"
  | "NotSent"
  | "OutcomeUnknown"
  | "CallbackRefused"

/** The base class of all errors. An error contains no card number, security code or key. */
export class PayError extends Error {
  readonly code: Code
  readonly retryable: boolean
  declare readonly clientOrderId: string | undefined
  declare readonly order: Order | undefined
  declare readonly orderId: string | undefined
  declare readonly serialNumber: string | undefined
  declare readonly errorCode: number | undefined
  declare readonly hard: boolean | undefined
  declare readonly retryAfterMs: number | undefined
  readonly problems: ReadonlyArray<Problem>
  readonly evidence: ReadonlyArray<Evidence>

  constructor(code: Code, { cause, evidence = [], message, problems = [], retryable, ...facts }: Facts) {
    super(message, cause === undefined ? {} : { cause })
    this.name = `${code}Error`
    this.code = code
    this.retryable = retryable
    const { orderId = facts.order?.orderId } = facts
    // A property without a value would be a row of its own in what Node prints of an error.
    Object.assign(
      this,
      Object.fromEntries(Object.entries({ ...facts, orderId }).filter(([, fact]) => fact !== undefined))
    )
    this.problems = problems
    this.evidence = evidence
  }
}

const classOf = <const C extends Code>(code: C) =>
  class extends PayError {
    declare readonly code: C
    constructor(facts: Facts) {
      super(code, facts)
    }
  }

/** The issuer or the bank declined. `hard`: the card must not be used again. */
export class DeclinedError extends classOf("Declined") {}
/** A rule of the gateway refused the payment. */
export class FilteredError extends classOf("Filtered") {}
/** The customer did not pass 3-D Secure. */
export class NotAuthenticatedError extends classOf("NotAuthenticated") {}
/** The customer left before the payment was complete. */
export class AbandonedError extends classOf("Abandoned") {}
/** The gateway or the bank failed. No money moved. */
export class FailedError extends classOf("Failed") {}
/** The gateway did not accept the request. Nothing was done. */
export class RefusedError extends classOf("Refused") {}
/** The gateway could not be reached. Nothing was sent. */
export class UnreachableError extends classOf("Unreachable") {}
/** The gateway has no such order. Nothing was done. */
export class NeverHappenedError extends classOf("NeverHappened") {}
/** The outcome is not known yet. Call again with the same values: the call continues. */
export class StillUnknownError extends classOf("StillUnknown") {}
/** No program can determine the outcome. A person has to contact the gateway's support. */
export class NeedsAPersonError extends classOf("NeedsAPerson") {}
/** Other values were given under the same name before. Nothing was sent: give the new ones a name of their own. */
export class PayloadDiffersError extends classOf("PayloadDiffers") {}
/** The file of the flows could not be read or written. The message says what to do. Call again with the same values: the call continues. */
export class StorageFailedError extends classOf("StorageFailed") {}
/** The input is wrong. Nothing was sent. */
export class InvalidInputError extends classOf("InvalidInput") {}
/** An option of the client is wrong or missing. */
export class InvalidSettingError extends classOf("InvalidSetting") {}
/** A bare operation was not sent. */
export class NotSentError extends classOf("NotSent") {}
/** A bare operation may have been executed; its outcome is unknown. Request the `status` before you repeat it. */
export class OutcomeUnknownError extends classOf("OutcomeUnknown") {}
/** A callback is not from the gateway, or is too old. Answer 403. */
export class CallbackRefusedError extends classOf("CallbackRefused") {}

const classes = {
  Declined: DeclinedError,
  Filtered: FilteredError,
  NotAuthenticated: NotAuthenticatedError,
  Abandoned: AbandonedError,
  Failed: FailedError,
  Refused: RefusedError,
  Unreachable: UnreachableError,
  NeverHappened: NeverHappenedError,
  StillUnknown: StillUnknownError,
  NeedsAPerson: NeedsAPersonError,
  PayloadDiffers: PayloadDiffersError,
  StorageFailed: StorageFailedError,
  InvalidInput: InvalidInputError,
  InvalidSetting: InvalidSettingError,
  NotSent: NotSentError,
  OutcomeUnknown: OutcomeUnknownError,
  CallbackRefused: CallbackRefusedError
} as const satisfies Readonly<Record<Code, new (facts: Facts) => PayError>>

/** A bundler may shorten the names of classes. What Node prints of an error, and what a log groups errors by, keeps its name. */
for (const [code, named] of Object.entries(classes)) Object.defineProperty(named, "name", { value: `${code}Error` })

/** Returns the error of a code. */
export const make = (code: Code, facts: Facts): PayError => new classes[code](facts)

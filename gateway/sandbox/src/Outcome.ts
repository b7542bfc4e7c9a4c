/**
 * The behaviour of the simulated bank for one request: its verdict, the delivery of the request and its answer, and the time they
 * take. Outcomes are values, so that tables, the control interface and tests describe them in the same way.
 */
import { Schema } from "effect"

const Milliseconds = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Times = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** The kinds of requests that are booked: those to the bank, and in {@link railKinds} those to the payout rail. */
export const bankKinds = ["authorize", "eligible", "capture", "void", "refund"] as const
/** The kinds of requests to the payout rail that are booked. */
export const railKinds = ["check", "pay"] as const
/** The kinds of requests that are booked. */
export const Kind = Schema.Literals([...bankKinds, ...railKinds])
export type Kind = typeof Kind.Type
export type BankKind = (typeof bankKinds)[number]
/** The kinds of requests that may follow an authorisation. */
export type FollowUpKind = Exclude<BankKind, "authorize" | "eligible">
export type RailKind = (typeof railKinds)[number]

/** The verdict before the bank's books are checked. The books take precedence: no more is captured than was authorised. */
export const Verdict = Schema.Union([
  Schema.TaggedStruct("Approve", {}),
  Schema.TaggedStruct("Decline", { code: Schema.Int, message: Schema.String })
])
export type Verdict = typeof Verdict.Type

/**
 * The delivery of a request and its answer. The caller gets an answer only with `Answered`, `ArrivesTwice` and `Contradicted`.
 * The bank books its verdict in all variants in which the request arrives.
 */
export const Delivery = Schema.Union([
  Schema.TaggedStruct("Answered", {}),
  /** The request reaches the bank twice; it is booked once and answered the same way both times. */
  Schema.TaggedStruct("ArrivesTwice", {}),
  /** The bank processes the request, but its answer is lost. An inquiry returns it. */
  Schema.TaggedStruct("AnswerLost", {}),
  /**
   * The answer is lost, and the bank cannot report what it did for `forMs` milliseconds. Absent: not before the request is
   * settled.
   */
  Schema.TaggedStruct("Undecided", { forMs: Schema.optionalKey(Milliseconds) }),
  /** The request is delayed on its way. The bank has the reference only `afterMs` milliseconds later. */
  Schema.TaggedStruct("ArrivesLate", { afterMs: Milliseconds }),
  /** The request is lost on its way `times` times. Absent: every time. The bank never has these requests. */
  Schema.TaggedStruct("NeverArrives", { times: Schema.optionalKey(Times) }),
  /** The bank cannot be reached, and the caller knows that nothing was sent. It happens `times` times. Absent: every time. */
  Schema.TaggedStruct("NotSent", { times: Schema.optionalKey(Times) }),
  /**
   * Inquiries return a decline. The answer to the request itself comes `afterMs` milliseconds later and is an approval, which the
   * books have from then on. With `onceRepeated`, an inquiry does not find the request before it is sent again, and the
   * repetition is answered with the decline.
   */
  Schema.TaggedStruct("Contradicted", { afterMs: Milliseconds, onceRepeated: Schema.optionalKey(Schema.Boolean) })
])
export type Delivery = typeof Delivery.Type

/** The rail refuses a payout `afterMs` milliseconds after it was sent, although it was confirmed. */
const LateRefusal = Schema.Struct({ afterMs: Milliseconds, code: Schema.Int, message: Schema.String })

/** The complete behaviour for one request. */
export const Outcome = Schema.Struct({
  verdict: Verdict,
  delivery: Delivery,
  /** Business time between request and answer, in milliseconds. */
  latencyMs: Milliseconds,
  lateRefusal: Schema.optionalKey(LateRefusal)
})
export type Outcome = typeof Outcome.Type

/** The parts of an outcome that a test card or the control interface replaces. */
export const Scenario = Schema.Struct({
  verdict: Schema.optionalKey(Verdict),
  delivery: Schema.optionalKey(Delivery),
  latencyMs: Schema.optionalKey(Milliseconds),
  lateRefusal: Schema.optionalKey(LateRefusal)
})
export type Scenario = typeof Scenario.Type

export const approve: Verdict = { _tag: "Approve" }

export const decline = ({ code, message }: { readonly code: number; readonly message: string }): Verdict => ({
  _tag: "Decline",
  code,
  message
})

/** The default outcome: approved, and answered at once. */
export const ordinary: Outcome = { verdict: approve, delivery: { _tag: "Answered" }, latencyMs: 0 }

/**
 * What the simulated bank does with one request: what it decides, what becomes of the message, and how long it takes.
 * Values, so that tables, the control interface and tests say the same thing in the same words.
 */
import { Schema } from "effect"

const Milliseconds = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Times = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** What may be asked of the bank, and of the payout rail, that stands in their books. */
export const bankKinds = ["authorize", "eligible", "capture", "cancel", "refund"] as const
export const railKinds = ["check", "pay"] as const
export const Kind = Schema.Literals([...bankKinds, ...railKinds])
export type Kind = typeof Kind.Type
export type BankKind = (typeof bankKinds)[number]
/** What may follow an authorisation. */
export type FollowUpKind = Exclude<BankKind, "authorize" | "eligible">
export type RailKind = (typeof railKinds)[number]

/** What the bank would decide. Its books have the last word: nobody captures more than was authorised. */
export const Verdict = Schema.Union([
  Schema.TaggedStruct("Approve", {}),
  Schema.TaggedStruct("Decline", { code: Schema.Int, message: Schema.String })
])
export type Verdict = typeof Verdict.Type

/**
 * The way of a request and its answer. In all variants but the first two the caller gets no answer. The bank has still booked its
 * verdict, unless the request never arrived.
 */
export const Journey = Schema.Union([
  Schema.TaggedStruct("Answered", {}),
  /** The request reaches the bank twice; it is booked once and answered the same way both times. */
  Schema.TaggedStruct("ArrivesTwice", {}),
  /** Done, but the answer never comes; an inquiry tells. */
  Schema.TaggedStruct("AnswerLost", {}),
  /** The bank itself cannot say for so long what it did; left out: until somebody settles it. */
  Schema.TaggedStruct("Undecided", { forMs: Schema.optionalKey(Milliseconds) }),
  /** Stuck on the way: the bank does not know the reference yet, and books it so much later. */
  Schema.TaggedStruct("ArrivesLate", { afterMs: Milliseconds }),
  /** The request is lost on the way so many times; left out: every time. The bank never knows of those. */
  Schema.TaggedStruct("NeverArrives", { times: Schema.optionalKey(Times) }),
  /** The bank cannot be reached, and we know that nothing was sent; so many times, left out: every time. */
  Schema.TaggedStruct("NotSent", { times: Schema.optionalKey(Times) }),
  /**
   * Declined for whoever asks; its own answer comes so much later and says approved, as the books do from then on. `onceRepeated`:
   * an inquiry does not find it before it is sent again, which is answered with the decline.
   */
  Schema.TaggedStruct("Contradicted", { afterMs: Milliseconds, onceRepeated: Schema.optionalKey(Schema.Boolean) })
])
export type Journey = typeof Journey.Type

/** The rail refuses what it had confirmed. */
const LateRefusal = Schema.Struct({ afterMs: Milliseconds, code: Schema.Int, message: Schema.String })

export const Outcome = Schema.Struct({
  verdict: Verdict,
  journey: Journey,
  /** Business time between request and answer. */
  latencyMs: Milliseconds,
  lateRefusal: Schema.optionalKey(LateRefusal)
})
export type Outcome = typeof Outcome.Type

/** The parts of an outcome that a card, or whoever controls the simulator, wants different. */
export const Plan = Schema.Struct({
  verdict: Schema.optionalKey(Verdict),
  journey: Schema.optionalKey(Journey),
  latencyMs: Schema.optionalKey(Milliseconds),
  lateRefusal: Schema.optionalKey(LateRefusal)
})
export type Plan = typeof Plan.Type

export const approve: Verdict = { _tag: "Approve" }

export const decline = ({ code, message }: { readonly code: number; readonly message: string }): Verdict => ({
  _tag: "Decline",
  code,
  message
})

/** Approved, and answered at once. */
export const ordinary: Outcome = { verdict: approve, journey: { _tag: "Answered" }, latencyMs: 0 }

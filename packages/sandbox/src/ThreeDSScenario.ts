/**
 * What the simulated 3-D Secure world does with one card: what directory, issuer and customer do, and what becomes of each
 * message. Values, so that the table of test cards, the control interface and tests say the same thing in the same words.
 */
import { Schema } from "effect"

const Milliseconds = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** One call of the 3-D Secure server. `Slow` may be slower than the caller waits. */
export const Call = Schema.Union([
  Schema.TaggedStruct("Answered", {}),
  Schema.TaggedStruct("Slow", { ms: Milliseconds }),
  /** The answer is lost, however often it is asked for. */
  Schema.TaggedStruct("Lost", {})
])
export type Call = typeof Call.Type

/** When the issuer's report of a challenge (RReq) reaches the 3-D Secure server. */
export const Report = Schema.Union([
  Schema.TaggedStruct("AtOnce", {}),
  Schema.TaggedStruct("Late", { afterMs: Milliseconds }),
  Schema.TaggedStruct("Never", {})
])
export type Report = typeof Report.Type

export const Scenario = Schema.Struct({
  /** What the directory knows of the card. */
  enrolment: Schema.Literals(["version2", "version1", "notEnrolled"]),
  /** The issuer's method page: none, answered at once, after 15 s, or never. */
  method: Schema.Literals(["none", "prompt", "slow", "silent"]),
  /** The issuer's own decision; C: the customer shall say the password. I: a letter that decides nothing. */
  decision: Schema.Literals(["Y", "A", "N", "R", "U", "I", "C"]),
  /**
   * The customer at the challenge. `person`: a person uses the page. All others always do the same; `leaves` closes the window.
   */
  customer: Schema.Literals(["person", "passes", "fails", "abandons", "leaves"]),
  /** What the browser carries back. `forged`: a success, whatever the issuer has decided. */
  carried: Schema.Literals(["truth", "forged"]),
  report: Report,
  /** The look-up of the card (VReq, PReq). */
  enrol: Call,
  /** The question whether a challenge is needed (AReq). */
  authenticate: Call,
  /** The question for the report. */
  result: Call
})
export type Scenario = typeof Scenario.Type

/** The parts of a scenario that a card, or whoever controls the simulator, wants different. */
export type Plan = Partial<Scenario>

const answered: Call = { _tag: "Answered" }

/** Any other card: enrolled in version 2, no method page, and the customer is asked for the password. */
export const ordinary: Scenario = {
  enrolment: "version2",
  method: "none",
  decision: "C",
  customer: "person",
  carried: "truth",
  report: { _tag: "AtOnce" },
  enrol: answered,
  authenticate: answered,
  result: answered
}

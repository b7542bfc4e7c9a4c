/**
 * The behaviour of the simulated 3-D Secure world for one card: that of directory, issuer and customer, and the delivery of each
 * message. Scenarios are values, so that the table of test cards, the control interface and tests describe them in the same way.
 */
import { Schema } from "effect"

const Milliseconds = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The answer of the 3-D Secure server to one call. `Slow` may exceed the time that the caller waits. */
export const Call = Schema.Union([
  Schema.TaggedStruct("Answered", {}),
  Schema.TaggedStruct("Slow", { ms: Milliseconds }),
  /** The answer is lost, also if the call is repeated. */
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

/** The complete behaviour for one authentication. */
export const Scenario = Schema.Struct({
  /** The directory's information about the card. */
  enrolment: Schema.Literals(["version2", "version1", "notEnrolled"]),
  /** The issuer's method page: none, answered at once, after 15 s, or never. */
  method: Schema.Literals(["none", "prompt", "slow", "silent"]),
  /** The issuer's own decision. C: the customer has to enter the password. I: a status that decides nothing. */
  decision: Schema.Literals(["Y", "A", "N", "R", "U", "I", "C"]),
  /**
   * The customer at the challenge. `person`: a person uses the page. All others always do the same; `leaves` closes the window.
   */
  customer: Schema.Literals(["person", "passes", "fails", "abandons", "leaves"]),
  /** The message that the browser brings back. `forged`: a success, whatever the issuer has decided. */
  carried: Schema.Literals(["truth", "forged"]),
  report: Report,
  /** The look-up of the card (VReq, PReq). */
  enrol: Call,
  /** The request that returns whether a challenge is needed (AReq). */
  authenticate: Call,
  /** The request for the issuer's report. */
  result: Call
})
export type Scenario = typeof Scenario.Type

/** The parts of a scenario that a test card or the control interface replaces. */
export type PartialScenario = Partial<Scenario>

const answered: Call = { _tag: "Answered" }

/** The scenario of all other cards: enrolled in version 2, without a method page, and the customer has to enter the password. */
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

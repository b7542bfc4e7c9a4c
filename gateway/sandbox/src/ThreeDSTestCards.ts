/**
 * Card numbers for endpoints with 3-D Secure. The first two are public, the others are a choice of this project. The security
 * code determines the bank's answer after the authentication.
 */
import type { Call, PartialScenario } from "./ThreeDSScenario.ts"

/** A card number with a fixed behaviour of the 3-D Secure world. `result` describes the behaviour for documents. */
export interface ThreeDSTestCard {
  readonly number: string
  readonly name: string
  readonly result: string
  readonly scenario: PartialScenario
}

const second = 1000
const slow: Call = { _tag: "Slow", ms: 3 * second }
const tooSlow: Call = { _tag: "Slow", ms: 60 * second }
const lost: Call = { _tag: "Lost" }

/** The password that passes the challenge page (public). */
export const password = "hint"

const card = (number: string, name: string, result: string, scenario: PartialScenario): ThreeDSTestCard => ({
  number,
  name,
  result,
  scenario
})

/** The table of test cards for 3-D Secure. */
export const cards: ReadonlyArray<ThreeDSTestCard> = [
  card("4444000022224444", "method-challenge", "method page, then the challenge", { method: "prompt" }),
  card("4444000011118888", "challenge", "no method page, the challenge at once", {}),

  card("4444020100000003", "frictionless", "authenticated without a challenge (Y)", { decision: "Y" }),
  card("4444020200000002", "attempted", "an attempt counts as authenticated (A)", { decision: "A" }),
  card("4444020300000001", "refused", "not authenticated (N)", { decision: "N" }),
  card("4444020400000000", "rejected", "rejected by the issuer (R)", { decision: "R" }),
  card("4444020500000009", "unavailable", "the issuer cannot authenticate (U)", { decision: "U" }),
  card("4444020600000008", "unexpected", "the status I, which decides nothing: counts as U", { decision: "I" }),
  card("4444020700000007", "method-frictionless", "method page, then authenticated without a challenge (Y)", {
    method: "prompt",
    decision: "Y"
  }),
  card("4444021000000002", "method-slow", "the method page answers after 15 s, then Y", {
    method: "slow",
    decision: "Y"
  }),
  card("4444021100000001", "method-silent", "the method page never answers, then Y", {
    method: "silent",
    decision: "Y"
  }),

  card("4444022000000000", "passes", "the simulated customer passes", { customer: "passes" }),
  card("4444022100000009", "fails", "the simulated customer fails", { customer: "fails" }),
  card("4444022200000008", "abandons", "the simulated customer cancels", { customer: "abandons" }),
  card("4444022300000007", "leaves", "the customer closes the window: no result is returned", { customer: "leaves" }),
  card("4444022400000006", "forged", "the customer fails, and the browser brings a forged success", {
    customer: "fails",
    carried: "forged"
  }),
  card("4444022500000005", "report-late", "the customer passes, the issuer's report comes 5 s later", {
    customer: "passes",
    report: { _tag: "Late", afterMs: 5 * second }
  }),
  card("4444022600000004", "report-never", "the customer passes, the issuer's report never comes", {
    customer: "passes",
    report: { _tag: "Never" }
  }),
  card("4444022700000003", "result-lost", "the customer passes, and requests for the issuer's report fail", {
    customer: "passes",
    result: lost
  }),

  card("4444023000000008", "not-enrolled", "the card is not enrolled", { enrolment: "notEnrolled" }),
  card("4444023100000007", "lookup-fails", "the look-up of the card fails", { enrol: lost }),
  card("4444023200000006", "lookup-slow", "the look-up of the card takes 3 s; then the challenge", { enrol: slow }),
  card("4444023300000005", "lookup-too-slow", "the look-up of the card takes 60 s: the gateway no longer waits", {
    enrol: tooSlow
  }),
  card("4444023400000004", "issuer-fails", "the issuer's answer is lost", { authenticate: lost }),
  card("4444023500000003", "issuer-slow", "the issuer takes 3 s, then Y", { authenticate: slow, decision: "Y" }),
  card("4444023600000002", "issuer-too-slow", "the issuer takes 60 s: the gateway no longer waits", {
    authenticate: tooSlow
  }),

  card("4444024000000006", "version1", "the password page of version 1.0.2", { enrolment: "version1" }),
  card("4444024100000005", "version1-passes", "authenticated without input (Y)", {
    enrolment: "version1",
    customer: "passes"
  }),
  card("4444024200000004", "version1-attempted", "an attempt counts as authenticated (A)", {
    enrolment: "version1",
    decision: "A"
  }),
  card("4444024300000003", "version1-fails", "not authenticated (N)", { enrolment: "version1", customer: "fails" }),
  card("4444024400000002", "version1-unavailable", "the issuer cannot authenticate (U)", {
    enrolment: "version1",
    decision: "U"
  }),
  card("4444024500000001", "version1-forged", "the customer fails, and the browser brings a PaRes that was changed", {
    enrolment: "version1",
    customer: "fails",
    carried: "forged"
  })
]

const byNumber: ReadonlyMap<string, ThreeDSTestCard> = new Map(cards.map((row) => [row.number, row]))

export const find = (number: string): ThreeDSTestCard | undefined => byNumber.get(number)

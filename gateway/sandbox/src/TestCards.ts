/**
 * Card numbers for cases that a security code cannot express: how a message travels, and how captures, returns and voids end. The
 * security code decides the verdict if a row states none: 4444 0103 0000 0002 with 123 is approved and the answer is lost, with
 * 116 it is declined and the answer is lost.
 */
import { declines } from "@pay/schema/Decline"
import { type Delivery, decline, type Kind, type Scenario } from "./Outcome.ts"

/** A card number with a fixed behaviour of the simulated bank. `result` describes the behaviour for documents. */
export interface TestCard {
  readonly number: string
  /** The name that the bank's books have instead of the number. */
  readonly name: string
  readonly result: string
  readonly scenarios: { readonly [K in Kind]?: Scenario }
  /** Money on the account, in minor units. A larger amount is declined: not sufficient funds (116). */
  readonly fundsMinor?: number
}

const second = 1000
const slow: Scenario = { latencyMs: 5 * second }
const lost: Scenario = { delivery: { _tag: "AnswerLost" } }
const undecided: Scenario = { delivery: { _tag: "Undecided", forMs: 60 * second } }
const lostOnce: Scenario = { delivery: { _tag: "NeverArrives", times: 1 } }
const declined: Scenario = { verdict: decline(declines.doNotHonour) }

const travels = (delivery: Delivery): TestCard["scenarios"] => ({ authorize: { delivery } })

const all = (scenario: Scenario): TestCard["scenarios"] => ({
  authorize: scenario,
  capture: scenario,
  void: scenario,
  refund: scenario
})

const card = (number: string, name: string, result: string, scenarios: TestCard["scenarios"]): TestCard => ({
  number,
  name,
  result,
  scenarios
})

/** The table of test cards. */
export const cards: ReadonlyArray<TestCard> = [
  card("4444555566661111", "ordinary", "the security code selects the result", {}),

  card("4444010100000004", "slow", "answered after 5 s", { authorize: slow }),
  card("4444010200000003", "too-slow", "processed at once, answered after 30 s, when the gateway no longer waits", {
    authorize: { latencyMs: 30 * second }
  }),
  card("4444010300000002", "answer-lost", "processed, but the answer is lost", { authorize: lost }),
  card("4444010400000001", "undecided", "the answer is lost; for 60 s an inquiry returns no outcome, then it does", {
    authorize: undecided
  }),
  card(
    "4444010500000000",
    "arrives-late",
    "the request arrives 20 s late; before that, an inquiry does not find it",
    travels({ _tag: "ArrivesLate", afterMs: 20 * second })
  ),
  card("4444010600000009", "lost-once", "the first request is lost on its way; a repeat arrives", {
    authorize: lostOnce
  }),
  card(
    "4444010700000008",
    "lost-always",
    "every request is lost on its way, also repeats",
    travels({ _tag: "NeverArrives" })
  ),
  card(
    "4444010800000007",
    "not-sent-twice",
    "the bank is unreachable for two attempts, then reachable",
    travels({ _tag: "NotSent", times: 2 })
  ),
  card("4444010900000006", "not-sent", "the bank is unreachable", travels({ _tag: "NotSent" })),
  card(
    "4444011000000003",
    "arrives-twice",
    "the request reaches the bank twice; it is booked once",
    travels({ _tag: "ArrivesTwice" })
  ),
  card("4444011100000002", "funds-short", "declined with any code, and without one: not sufficient funds (116)", {
    authorize: { verdict: decline(declines.notSufficientFunds) }
  }),
  card("4444011200000001", "stolen", "declined with any code, and without one: stolen card (209)", {
    authorize: { verdict: decline(declines.stolenCard) }
  }),
  {
    ...card(
      "4444011300000000",
      "funds-five",
      "more than 5.00 (500 minor units) is declined with any code, and without one: not sufficient funds (116)",
      {}
    ),
    fundsMinor: 500
  },

  card("4444012000000001", "capture-declined", "captures are declined", { capture: declined }),
  card("4444012100000000", "capture-lost", "captures are processed, but their answers are lost", { capture: lost }),
  card("4444012200000009", "capture-undecided", "captures are processed; for 60 s an inquiry returns no outcome", {
    capture: undecided
  }),
  card("4444012300000008", "capture-lost-once", "the first request of a capture is lost on its way; a repeat arrives", {
    capture: lostOnce
  }),

  card("4444013000000009", "refund-declined", "refunds are declined", { refund: declined }),
  card("4444013100000008", "refund-lost", "refunds are processed, but their answers are lost", { refund: lost }),
  card("4444013200000007", "refund-undecided", "refunds are processed; for 60 s an inquiry returns no outcome", {
    refund: undecided
  }),
  card("4444013300000006", "refund-lost-once", "the first request of a refund is lost on its way; a repeat arrives", {
    refund: lostOnce
  }),

  card("4444014000000007", "void-declined", "voids are declined", { void: declined }),
  card("4444014100000006", "void-lost", "voids are processed, but their answers are lost", { void: lost }),
  card("4444014200000005", "void-undecided", "voids are processed; for 60 s an inquiry returns no outcome", {
    void: undecided
  }),
  card("4444014300000004", "void-lost-once", "the first request of a void is lost on its way; a repeat arrives", {
    void: lostOnce
  }),

  card("4444016000000002", "cannot-send", "cannot send money: the eligibility check and transfers are declined (119)", {
    eligible: { verdict: decline(declines.notPermittedToCardholder) }
  }),
  card(
    "4444016100000001",
    "send-undecided",
    "the answer is lost; for 60 s an inquiry returns no outcome, then it does",
    { eligible: undecided }
  ),

  card("4444015000000004", "all-slow", "all requests are answered after 5 s", all(slow)),
  card("4444015100000003", "all-lost", "all requests are processed, but all answers are lost", all(lost)),
  card(
    "4444015200000002",
    "all-undecided",
    "all requests are processed; for 60 s an inquiry returns no outcome",
    all(undecided)
  )
]

const byNumber: ReadonlyMap<string, TestCard> = new Map(cards.map((card) => [card.number, card]))
const byNames: ReadonlyMap<string, TestCard> = new Map(cards.map((card) => [card.name, card]))

/** Returns the scenario of the card for an authorisation of this amount. */
export const authorize = (card: TestCard | undefined, amountMinor: number): Scenario | undefined =>
  card?.fundsMinor !== undefined && amountMinor > card.fundsMinor
    ? { verdict: decline(declines.notSufficientFunds) }
    : card?.scenarios.authorize

export const find = (number: string): TestCard | undefined => byNumber.get(number)

export const byName = (name: string): TestCard | undefined => byNames.get(name)

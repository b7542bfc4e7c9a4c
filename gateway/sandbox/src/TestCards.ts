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

/** The table of test cards. */
export const cards: ReadonlyArray<TestCard> = [
  { number: "4444555566661111", name: "ordinary", result: "the security code selects the result", scenarios: {} },

  { number: "4444010100000004", name: "slow", result: "answered after 5 s", scenarios: { authorize: slow } },
  {
    number: "4444010200000003",
    name: "too-slow",
    result: "processed at once, answered after 30 s, when the gateway no longer waits",
    scenarios: { authorize: { latencyMs: 30 * second } }
  },
  {
    number: "4444010300000002",
    name: "answer-lost",
    result: "processed, but the answer is lost",
    scenarios: { authorize: lost }
  },
  {
    number: "4444010400000001",
    name: "undecided",
    result: "the answer is lost; for 60 s an inquiry returns no outcome, then it does",
    scenarios: { authorize: undecided }
  },
  {
    number: "4444010500000000",
    name: "arrives-late",
    result: "the request arrives 20 s late; before that, an inquiry does not find it",
    scenarios: travels({ _tag: "ArrivesLate", afterMs: 20 * second })
  },
  {
    number: "4444010600000009",
    name: "lost-once",
    result: "the first request is lost on its way; a repeat arrives",
    scenarios: { authorize: lostOnce }
  },
  {
    number: "4444010700000008",
    name: "lost-always",
    result: "every request is lost on its way, also repeats",
    scenarios: travels({ _tag: "NeverArrives" })
  },
  {
    number: "4444010800000007",
    name: "not-sent-twice",
    result: "the bank is unreachable for two attempts, then reachable",
    scenarios: travels({ _tag: "NotSent", times: 2 })
  },
  {
    number: "4444010900000006",
    name: "not-sent",
    result: "the bank is unreachable",
    scenarios: travels({ _tag: "NotSent" })
  },
  {
    number: "4444011000000003",
    name: "arrives-twice",
    result: "the request reaches the bank twice; it is booked once",
    scenarios: travels({ _tag: "ArrivesTwice" })
  },
  {
    number: "4444011100000002",
    name: "funds-short",
    result: "declined with any code, and without one: not sufficient funds (116)",
    scenarios: { authorize: { verdict: decline(declines.notSufficientFunds) } }
  },
  {
    number: "4444011200000001",
    name: "stolen",
    result: "declined with any code, and without one: stolen card (209)",
    scenarios: { authorize: { verdict: decline(declines.stolenCard) } }
  },
  {
    number: "4444011300000000",
    name: "funds-five",
    result: "more than 5.00 (500 minor units) is declined with any code, and without one: not sufficient funds (116)",
    scenarios: {},
    fundsMinor: 500
  },

  {
    number: "4444012000000001",
    name: "capture-declined",
    result: "captures are declined",
    scenarios: { capture: declined }
  },
  {
    number: "4444012100000000",
    name: "capture-lost",
    result: "captures are processed, but their answers are lost",
    scenarios: { capture: lost }
  },
  {
    number: "4444012200000009",
    name: "capture-undecided",
    result: "captures are processed; for 60 s an inquiry returns no outcome",
    scenarios: { capture: undecided }
  },
  {
    number: "4444012300000008",
    name: "capture-lost-once",
    result: "the first request of a capture is lost on its way; a repeat arrives",
    scenarios: { capture: lostOnce }
  },

  {
    number: "4444013000000009",
    name: "refund-declined",
    result: "refunds are declined",
    scenarios: { refund: declined }
  },
  {
    number: "4444013100000008",
    name: "refund-lost",
    result: "refunds are processed, but their answers are lost",
    scenarios: { refund: lost }
  },
  {
    number: "4444013200000007",
    name: "refund-undecided",
    result: "refunds are processed; for 60 s an inquiry returns no outcome",
    scenarios: { refund: undecided }
  },
  {
    number: "4444013300000006",
    name: "refund-lost-once",
    result: "the first request of a refund is lost on its way; a repeat arrives",
    scenarios: { refund: lostOnce }
  },

  {
    number: "4444014000000007",
    name: "cancel-declined",
    result: "cancels are declined",
    scenarios: { cancel: declined }
  },
  {
    number: "4444014100000006",
    name: "cancel-lost",
    result: "cancels are processed, but their answers are lost",
    scenarios: { cancel: lost }
  },
  {
    number: "4444014200000005",
    name: "cancel-undecided",
    result: "cancels are processed; for 60 s an inquiry returns no outcome",
    scenarios: { cancel: undecided }
  },
  {
    number: "4444014300000004",
    name: "cancel-lost-once",
    result: "the first request of a cancel is lost on its way; a repeat arrives",
    scenarios: { cancel: lostOnce }
  },

  {
    number: "4444016000000002",
    name: "cannot-send",
    result: "cannot send money: the eligibility check and transfers are declined (119)",
    scenarios: { eligible: { verdict: decline(declines.notPermittedToCardholder) } }
  },
  {
    number: "4444016100000001",
    name: "send-undecided",
    result: "the answer is lost; for 60 s an inquiry returns no outcome, then it does",
    scenarios: { eligible: undecided }
  },

  {
    number: "4444015000000004",
    name: "all-slow",
    result: "all requests are answered after 5 s",
    scenarios: { authorize: slow, capture: slow, cancel: slow, refund: slow }
  },
  {
    number: "4444015100000003",
    name: "all-lost",
    result: "all requests are processed, but all answers are lost",
    scenarios: { authorize: lost, capture: lost, cancel: lost, refund: lost }
  },
  {
    number: "4444015200000002",
    name: "all-undecided",
    result: "all requests are processed; for 60 s an inquiry returns no outcome",
    scenarios: { authorize: undecided, capture: undecided, cancel: undecided, refund: undecided }
  }
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

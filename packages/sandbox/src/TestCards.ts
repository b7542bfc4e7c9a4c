/**
 * Card numbers for cases that a security code cannot express: how a message travels, and how captures, returns and voids end. The
 * security code decides the verdict if a row states none: 4444 0103 0000 0002 with 123 is approved and the answer is lost, with
 * 116 it is declined and the answer is lost.
 */
import { declines } from "@pay/schema/Decline"
import { decline, type Journey, type Kind, type Plan } from "./Outcome.ts"

/** A card number with a fixed behaviour of the simulated bank. `result` describes the behaviour for documents. */
export interface TestCard {
  readonly number: string
  /** The name that the bank's books have instead of the number. */
  readonly name: string
  readonly result: string
  readonly plans: { readonly [K in Kind]?: Plan }
  /** Money on the account, in minor units. A larger amount is declined: not sufficient funds (116). */
  readonly fundsMinor?: number
}

const second = 1000
const slow: Plan = { latencyMs: 5 * second }
const lost: Plan = { journey: { _tag: "AnswerLost" } }
const undecided: Plan = { journey: { _tag: "Undecided", forMs: 60 * second } }
const lostOnce: Plan = { journey: { _tag: "NeverArrives", times: 1 } }
const declined: Plan = { verdict: decline(declines.doNotHonour) }

const travels = (journey: Journey): TestCard["plans"] => ({ authorize: { journey } })

/** The table of test cards. */
export const cards: ReadonlyArray<TestCard> = [
  { number: "4444555566661111", name: "ordinary", result: "the security code selects the result", plans: {} },

  { number: "4444010100000004", name: "slow", result: "answered after 5 s", plans: { authorize: slow } },
  {
    number: "4444010200000003",
    name: "too-slow",
    result: "processed at once, answered after 30 s, when the gateway no longer waits",
    plans: { authorize: { latencyMs: 30 * second } }
  },
  {
    number: "4444010300000002",
    name: "answer-lost",
    result: "processed, but the answer is lost",
    plans: { authorize: lost }
  },
  {
    number: "4444010400000001",
    name: "undecided",
    result: "the answer is lost; for 60 s an inquiry returns no outcome, then it does",
    plans: { authorize: undecided }
  },
  {
    number: "4444010500000000",
    name: "arrives-late",
    result: "the request arrives 20 s late; before that, an inquiry does not find it",
    plans: travels({ _tag: "ArrivesLate", afterMs: 20 * second })
  },
  {
    number: "4444010600000009",
    name: "lost-once",
    result: "the first request is lost on its way; a repeat arrives",
    plans: { authorize: lostOnce }
  },
  {
    number: "4444010700000008",
    name: "lost-always",
    result: "every request is lost on its way, also repeats",
    plans: travels({ _tag: "NeverArrives" })
  },
  {
    number: "4444010800000007",
    name: "not-sent-twice",
    result: "the bank is unreachable for two attempts, then reachable",
    plans: travels({ _tag: "NotSent", times: 2 })
  },
  {
    number: "4444010900000006",
    name: "not-sent",
    result: "the bank is unreachable",
    plans: travels({ _tag: "NotSent" })
  },
  {
    number: "4444011000000003",
    name: "arrives-twice",
    result: "the request reaches the bank twice; it is booked once",
    plans: travels({ _tag: "ArrivesTwice" })
  },
  {
    number: "4444011100000002",
    name: "funds-short",
    result: "declined with any code, and without one: not sufficient funds (116)",
    plans: { authorize: { verdict: decline(declines.notSufficientFunds) } }
  },
  {
    number: "4444011200000001",
    name: "stolen",
    result: "declined with any code, and without one: stolen card (209)",
    plans: { authorize: { verdict: decline(declines.stolenCard) } }
  },
  {
    number: "4444011300000000",
    name: "funds-five",
    result: "more than 5.00 (500 minor units) is declined with any code, and without one: not sufficient funds (116)",
    plans: {},
    fundsMinor: 500
  },

  {
    number: "4444012000000001",
    name: "capture-declined",
    result: "captures are declined",
    plans: { capture: declined }
  },
  {
    number: "4444012100000000",
    name: "capture-lost",
    result: "captures are processed, but their answers are lost",
    plans: { capture: lost }
  },
  {
    number: "4444012200000009",
    name: "capture-undecided",
    result: "captures are processed; for 60 s an inquiry returns no outcome",
    plans: { capture: undecided }
  },
  {
    number: "4444012300000008",
    name: "capture-lost-once",
    result: "the first request of a capture is lost on its way; a repeat arrives",
    plans: { capture: lostOnce }
  },

  { number: "4444013000000009", name: "refund-declined", result: "refunds are declined", plans: { refund: declined } },
  {
    number: "4444013100000008",
    name: "refund-lost",
    result: "refunds are processed, but their answers are lost",
    plans: { refund: lost }
  },
  {
    number: "4444013200000007",
    name: "refund-undecided",
    result: "refunds are processed; for 60 s an inquiry returns no outcome",
    plans: { refund: undecided }
  },
  {
    number: "4444013300000006",
    name: "refund-lost-once",
    result: "the first request of a refund is lost on its way; a repeat arrives",
    plans: { refund: lostOnce }
  },

  { number: "4444014000000007", name: "cancel-declined", result: "cancels are declined", plans: { cancel: declined } },
  {
    number: "4444014100000006",
    name: "cancel-lost",
    result: "cancels are processed, but their answers are lost",
    plans: { cancel: lost }
  },
  {
    number: "4444014200000005",
    name: "cancel-undecided",
    result: "cancels are processed; for 60 s an inquiry returns no outcome",
    plans: { cancel: undecided }
  },
  {
    number: "4444014300000004",
    name: "cancel-lost-once",
    result: "the first request of a cancel is lost on its way; a repeat arrives",
    plans: { cancel: lostOnce }
  },

  {
    number: "4444016000000002",
    name: "cannot-send",
    result: "cannot send money: the eligibility check and transfers are declined (119)",
    plans: { eligible: { verdict: decline(declines.notPermittedToCardholder) } }
  },
  {
    number: "4444016100000001",
    name: "send-undecided",
    result: "the answer is lost; for 60 s an inquiry returns no outcome, then it does",
    plans: { eligible: undecided }
  },

  {
    number: "4444015000000004",
    name: "all-slow",
    result: "all requests are answered after 5 s",
    plans: { authorize: slow, capture: slow, cancel: slow, refund: slow }
  },
  {
    number: "4444015100000003",
    name: "all-lost",
    result: "all requests are processed, but all answers are lost",
    plans: { authorize: lost, capture: lost, cancel: lost, refund: lost }
  },
  {
    number: "4444015200000002",
    name: "all-undecided",
    result: "all requests are processed; for 60 s an inquiry returns no outcome",
    plans: { authorize: undecided, capture: undecided, cancel: undecided, refund: undecided }
  }
]

const byNumber: ReadonlyMap<string, TestCard> = new Map(cards.map((card) => [card.number, card]))
const byNames: ReadonlyMap<string, TestCard> = new Map(cards.map((card) => [card.name, card]))

/** Returns the plan of the card for an authorisation of this amount. */
export const authorize = (card: TestCard | undefined, amountMinor: number): Plan | undefined =>
  card?.fundsMinor !== undefined && amountMinor > card.fundsMinor
    ? { verdict: decline(declines.notSufficientFunds) }
    : card?.plans.authorize

export const find = (number: string): TestCard | undefined => byNumber.get(number)

export const byName = (name: string): TestCard | undefined => byNames.get(name)

/** Texts for each state of an order: its meaning, the event for which the order waits, and the possible commands. */
import type { Lifecycle } from "@pay/gateway/Entities"

export interface StateDescription {
  readonly means: string
  /** The event for which the order waits; `undefined` if it waits for none. */
  readonly waitsFor?: string
  /** Possible commands. ORDER is the merchant's number of the order, ID is the gateway's. */
  readonly can: ReadonlyArray<string>
}

const refund = "pay call return --client_orderid ORDER --orderid ID   gives the money back"
const again = "Make a new order with another client_orderid to try again."

const over = (means: string): StateDescription => ({ means, can: [again] })

const words: Readonly<Record<Lifecycle.State, StateDescription>> = {
  registered: {
    means: "The gateway has taken the order; nothing has moved.",
    waitsFor: "the customer on the payment page, or the gateway's own turn",
    can: ["Send the customer to the redirect-url of the answer that created it."]
  },
  authenticating: {
    means: "3-D Secure is under way; the bank has not been asked for money.",
    waitsFor: "the customer and the card's issuer",
    can: ["pay open ORDER   opens the page for the customer, if the gateway has one"]
  },
  authorizing: {
    means: "The bank has been asked.",
    waitsFor: "the bank's answer",
    can: ["Wait for the callback; pay status ORDER --watch shows it at once."]
  },
  unknown: {
    means: "The answer of the bank or the rail was lost: the money may have moved.",
    waitsFor: "an answer to the gateway's inquiries, or an operator's decision",
    can: [
      "Never assume that it failed, and send no second order for it.",
      "pay orders resolve ID   proposes its outcome; a second operator confirms it"
    ]
  },
  authorized: {
    means: "The amount is held on the card.",
    waitsFor: "a capture or a void",
    can: [
      "pay call capture --client_orderid ORDER --orderid ID   charges it",
      "pay call void --client_orderid ORDER --orderid ID   releases it"
    ]
  },
  settled: { means: "The money has been charged.", can: [refund] },
  verified: { means: "The card has been verified; no money moves.", can: [] },
  voided: { means: "The hold has been released; no money moved.", can: [] },
  lapsed: { means: "The hold's time is over; no money moved.", can: [again] },
  declined: over("It was declined; no money moved."),
  filtered: over("A rule of the gateway stopped it before the bank was asked."),
  failed: over("It could not be carried out; no money moved."),
  checking: { means: "The rail has been asked about the recipient.", waitsFor: "the rail's answer", can: [] },
  checked: {
    means: "The recipient has been checked; the amount is held.",
    waitsFor: "your confirmation",
    can: ["pay call payout-pay --orderid ID   pays it"]
  },
  waiting: {
    means: "The payout needs a second person.",
    waitsFor: "an approver",
    can: ["pay payout show ID, then pay payout approve ID or pay payout reject ID"]
  },
  paying: { means: "The rail has been asked to pay.", waitsFor: "the rail's answer", can: [] },
  paid: { means: "The money has been paid out.", can: [] },
  bounced: { means: "The money had been paid and came back: it is on your balance again.", can: [again] }
}

const isState = (state: string): state is Lifecycle.State => Object.hasOwn(words, state)

export const ofState = (state: string): StateDescription =>
  isState(state) ? words[state] : { means: `It is ${state}.`, can: [] }

/** Texts for the statuses that a merchant receives. Several states of an order have the same status. */
const statuses: Readonly<Record<string, StateDescription>> = {
  processing: {
    means: "It is under way.",
    waitsFor: "the bank, or the customer",
    can: ["Wait for the callback; pay status ORDER --watch shows it at once."]
  },
  unknown: words.unknown,
  approved: { means: "It was approved.", can: [refund] },
  declined: words.declined,
  filtered: words.filtered,
  error: words.failed
}

export const ofStatus = (status: string): StateDescription => statuses[status] ?? { means: `It is ${status}.`, can: [] }

/** Texts for the gateway's actions when a job is due, by kind of job. */
export const jobs: Readonly<Record<string, string>> = {
  bank: "the gateway asks the bank",
  rail: "the gateway asks the rail",
  lapse: "the time of the hold or of the check is over",
  threeds: "3-D Secure goes one step further, or its time is over",
  session: "the payment page expires",
  callback: "the callback is delivered again"
}

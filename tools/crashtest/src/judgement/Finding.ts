/** What a crash test finds: that the books of the bank, of the gateway and the words of the shop differ. */
import type { Case, Event } from "../plan/Payment.ts"

/** A card number that the shop printed or stored. */
export interface Leak {
  /** The file, or `output`. */
  readonly place: string
  /** The line with the number masked. */
  readonly line: string
}

/** The kinds of findings, the most serious first, each with the words of a report, for one and for many. */
export const kinds = {
  chargedTwice: ["customer charged twice", "customers charged twice"],
  chargedNotTold: ["paid order that the shop calls unpaid", "paid orders that the shop calls unpaid"],
  toldNotCharged: ["unpaid order that the shop calls paid", "unpaid orders that the shop calls paid"],
  notShipped: ["paid order not shipped", "paid orders not shipped"],
  shippedUnpaid: ["order shipped and not paid", "orders shipped and not paid"],
  wrongAmount: ["order charged with another amount", "orders charged with another amount"],
  refundedTwice: ["order refunded twice", "orders refunded twice"],
  refundLost: ["refund lost", "refunds lost"],
  paidOutTwice: ["payout sent twice", "payouts sent twice"],
  payoutLost: ["payout lost", "payouts lost"],
  stuck: ["order without an end", "orders without an end"],
  forgedBelieved: ["forged callback believed", "forged callbacks believed"],
  cardInLog: ["card number in the shop's log", "card numbers in the shop's log"],
  crashed: ["crash of the shop", "crashes of the shop"]
} as const satisfies Readonly<Record<string, readonly [one: string, many: string]>>

export type Kind = keyof typeof kinds

export interface Finding {
  readonly kind: Kind
  /** The case, shrunk: the fewest faults with which it happens. */
  readonly case: Case
  /** What differs, in one sentence with amounts. */
  readonly difference: string
  /** The requests of the shop to the gateway: the names of their operations, in order. */
  readonly requests: ReadonlyArray<string>
  readonly timeline: ReadonlyArray<Event>
  readonly leak?: Leak
}

/** The result of a run, from which each report is made. */
export interface Result {
  readonly seed: number
  readonly command: ReadonlyArray<string>
  readonly payments: number
  /** Faults whose moment came, by name. */
  readonly met: Readonly<Record<string, number>>
  /** Cases whose moment never came. */
  readonly notMet: number
  readonly seconds: number
  readonly findings: ReadonlyArray<Finding>
  /** Why the run ended before its end, in a sentence. */
  readonly ended?: string
}

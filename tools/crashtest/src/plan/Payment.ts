/** One payment of a crash test: what the customer does, the faults that it meets, and what everybody says of it at the end. */
import type { Fault } from "./Faults.ts"

/** What the customer or a clerk does at the shop. `refund` is a purchase that the shop refunds afterwards. */
export const actions = ["buy", "refund", "subscribe", "payout"] as const
export type Action = (typeof actions)[number]

/**
 * The moment of a fault within its payment. `request` counts the requests of the shop to the gateway, `callback` the deliveries of
 * the gateway to the shop, each from 1. `whole` is a fault of the whole payment: of its bank, its customer, or the clock of the shop.
 */
export type Moment = { readonly of: "request" | "callback"; readonly index: number } | { readonly of: "whole" }

export interface FaultAt {
  readonly fault: Fault
  readonly moment: Moment
}

/** One payment as it was planned. */
export interface Case {
  /** The number that `--case` repeats, from 1. */
  readonly number: number
  readonly action: Action
  /** One fault, or a pair; none to learn which requests a payment of this shop consists of. */
  readonly faults: ReadonlyArray<FaultAt>
  /**
   * How far a shop that is killed while it processes something has come: 0 at the beginning, up to 1 at the end of the time in which
   * it is killed.
   */
  readonly killedAt: number
}

/** One payment as it is carried out: a case with a name and an amount that no other order of the run has. */
export interface Order {
  readonly case: Case
  /** The shop's name of the order: letters and digits. */
  readonly name: string
  /** In minor units. No two orders that are open have the same: requests are assigned to orders by it. */
  readonly amountMinor: number
  /** ISO 4217, three capital letters. */
  readonly currency: string
}

/** The amounts of orders, in minor units: each is more than the smallest and less than the largest. */
export const [smallestMinor, largestMinor] = [1_000, 9_999] as const

/** What the customer saw after the purchase. `open`: an error page, a time-out, or a page that promises nothing. */
export type Answer = "paid" | "failed" | "open"

/** What the shop says of an order when it is asked. A field that its template does not ask for is absent. */
export interface ShopReport {
  readonly paid: "yes" | "no" | "open"
  readonly shipped?: boolean
  readonly refunded?: boolean
  /** Whether it says that a refund was refused. */
  readonly unrefunded?: boolean
  readonly paidOut?: boolean
}

/** What bank and gateway have of an order, after everything is settled. */
export interface Booked {
  /** The payments that the bank approved, one for each order of the gateway, in the order of their booking. */
  readonly charges: ReadonlyArray<Charge>
  /** Approved payouts to the customer, in minor units, one for each booking. */
  readonly payoutsMinor: ReadonlyArray<number>
}

/** One approved payment at the bank. */
export interface Charge {
  readonly orderId: string
  readonly clientOrderId: string
  readonly capturedMinor: number
  /** One entry for each refund. */
  readonly refundsMinor: ReadonlyArray<number>
  readonly heldMinor: number
  /** What was held and released again, uncaptured. */
  readonly releasedMinor: number
  /** The gateway's number of the recurring payment, if this is one of its later charges. */
  readonly recurring?: string
}

/** A refund that a clerk asked the shop for. */
export interface AskedRefund {
  readonly amountMinor: number
  /** What the shop answered to the clerk. */
  readonly answer: Answer
  /** The gateway's numbers of the payments that the shop had given back by itself before the clerk asked: duplicates. */
  readonly givenBackBefore: ReadonlyArray<string>
}

/** Something that happened to an order, as the timeline of a finding shows it. */
export interface Event {
  /** Milliseconds since the order began. */
  readonly atMs: number
  readonly from: "customer" | "shop" | "gateway" | "bank" | "crash test"
  /** One line, without secrets: card numbers are masked, keys and signatures left out. */
  readonly text: string
  /** Whether it is a fault that the crash test caused. */
  readonly isFault: boolean
}

/** Everything that was seen of an order. */
export interface Observation {
  /** The requests of the shop to the gateway that arrived at the proxy: the names of their operations, in order. */
  readonly requests: ReadonlyArray<string>
  /** Number of callbacks that the gateway sent, before any fault. */
  readonly callbacks: number
  /** Number of requests that change something, and of deliveries of callbacks. While it does not grow, no book changes. */
  readonly changes: number
  /** The faults whose moment came. */
  readonly met: ReadonlyArray<FaultAt>
  readonly timeline: ReadonlyArray<Event>
}

/**
 * The books of the acquiring bank, where it lets them be read. With them, a restored gateway finds what it forgot and parity
 * compares both ways; without them, an operator imports the bank's list.
 */
import { Context, type Effect } from "effect"
import * as PortShape from "../kernel/PortShape.ts"
import type { BooksUnavailable, Page, Period } from "../orders/Booking.ts"

export interface BankTotals {
  readonly authorizedMinor: number
  readonly capturedMinor: number
  /** What of the captured went to another card. */
  readonly transferredMinor: number
  readonly refundedMinor: number
  readonly releasedMinor: number
}

export class BankBooks extends Context.Service<
  BankBooks,
  {
    /** The bookings of a period, oldest first, in pages. `after`: the `next` of the page before. */
    readonly bookings: (period: Period, after: string | undefined) => Effect.Effect<Page, BooksUnavailable>
    /**
     * What is booked for one order now; undefined in the answer: nothing ever was. Left out where the bank cannot be asked for
     * one order: parity then adds up the bookings of the period.
     */
    readonly totals?: ((orderId: string) => Effect.Effect<BankTotals | undefined, BooksUnavailable>) | undefined
  }
>()("@pay/gateway/BankBooks") {}

export const shape: PortShape.PortShape<BankBooks["Service"]> = {
  methods: { bookings: PortShape.method, totals: PortShape.optional(PortShape.method) },
  capabilities: {}
}

/** The books of the payout rail, where it lets them be read: see `BankBooks`. */
export interface RailTotals {
  readonly paidMinor: number
  /** The part of `paidMinor` that was refused afterwards. */
  readonly refusedLateMinor: number
}

export class RailBooks extends Context.Service<
  RailBooks,
  {
    /** The payouts of a period, oldest first, in pages; checks are no bookings. `after`: the `next` of the page before. */
    readonly bookings: (period: Period, after: string | undefined) => Effect.Effect<Page, BooksUnavailable>
    /** What is booked for one order now; left out where the rail cannot be asked for one order. */
    readonly totals?: ((orderId: string) => Effect.Effect<RailTotals, BooksUnavailable>) | undefined
  }
>()("@pay/gateway/RailBooks") {}

export const railShape: PortShape.PortShape<RailBooks["Service"]> = {
  methods: { bookings: PortShape.method, totals: PortShape.optional(PortShape.method) },
  capabilities: {}
}

/**
 * The port of the acquiring bank's books, for banks that allow reading them. With this port, a restored gateway recovers the
 * bookings that its copy lacks, and reconciliation compares in both directions. Without it, an operator imports the bank's list.
 */
import { Context, type Effect } from "effect"
import * as PortShape from "../kernel/PortShape.ts"
import type { BooksUnavailable, Page, Period } from "../orders/Booking.ts"

export interface BankTotals {
  readonly authorizedMinor: number
  readonly capturedMinor: number
  /** The part of `capturedMinor` that went to another card. */
  readonly transferredMinor: number
  readonly refundedMinor: number
  readonly voidedMinor: number
}

export class BankBooks extends Context.Service<
  BankBooks,
  {
    /** Returns the bookings of a period, oldest first, in pages. `after` is the `next` of the previous page. */
    readonly bookings: (period: Period, after: string | undefined) => Effect.Effect<Page, BooksUnavailable>
    /**
     * Returns the totals that are booked for one order now; `undefined` if nothing ever was. Leave it out if the bank cannot
     * answer for one order: reconciliation then adds up the bookings of the period.
     */
    readonly totals?: ((orderId: string) => Effect.Effect<BankTotals | undefined, BooksUnavailable>) | undefined
  }
>()("@pay/gateway/BankBooks") {}

export const shape: PortShape.PortShape<BankBooks["Service"]> = {
  methods: { bookings: PortShape.method, totals: PortShape.optional(PortShape.method) },
  capabilities: {}
}

/** Totals of one order in the books of the payout rail. */
export interface RailTotals {
  readonly paidMinor: number
  /** The part of `paidMinor` that was refused afterwards. */
  readonly refusedLateMinor: number
}

export class RailBooks extends Context.Service<
  RailBooks,
  {
    /**
     * Returns the payouts of a period, oldest first, in pages. Checks are not bookings. `after` is the `next` of the previous
     * page.
     */
    readonly bookings: (period: Period, after: string | undefined) => Effect.Effect<Page, BooksUnavailable>
    /** Returns the totals that are booked for one order now. Leave it out if the rail cannot answer for one order. */
    readonly totals?: ((orderId: string) => Effect.Effect<RailTotals, BooksUnavailable>) | undefined
  }
>()("@pay/gateway/RailBooks") {}

export const railShape: PortShape.PortShape<RailBooks["Service"]> = {
  methods: { bookings: PortShape.method, totals: PortShape.optional(PortShape.method) },
  capabilities: {}
}

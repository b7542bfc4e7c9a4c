/** The books of the payout rail, where it lets them be read: see `BankBooks`. */
import { Context, type Effect } from "effect"
import * as PortShape from "../kernel/PortShape.ts"
import type { BooksUnavailable, Page, Period } from "../orders/Booking.ts"

export interface RailTotals {
  readonly paidMinor: number
  /** Of it, what was refused afterwards. */
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

export const shape: PortShape.PortShape<RailBooks["Service"]> = {
  methods: { bookings: PortShape.method, totals: PortShape.optional(PortShape.method) },
  capabilities: {}
}

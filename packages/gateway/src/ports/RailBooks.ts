/** What the payout rail itself has booked for an order, where a rail tells: the simulated one does. */
import { Context, type Effect } from "effect"

export interface RailTotals {
  readonly paidMinor: number
  /** Of it, what was refused afterwards. */
  readonly refusedLateMinor: number
}

export class RailBooks extends Context.Service<
  RailBooks,
  { readonly totals: (orderId: string) => Effect.Effect<RailTotals> }
>()("@pay/gateway/RailBooks") {}

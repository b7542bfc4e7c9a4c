/** What the bank itself has booked for an order, where a bank tells: the simulated one does. */
import { Context, type Effect } from "effect"

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
    /** Undefined: the bank has never booked anything for this order. */
    readonly totals: (orderId: string) => Effect.Effect<BankTotals | undefined>
  }
>()("@pay/gateway/BankBooks") {}

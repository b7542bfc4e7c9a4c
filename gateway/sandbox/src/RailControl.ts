/** Controls the simulated payout rail, as `SandboxControl` controls the bank. It can also refuse a payout that was confirmed. */
import type { Page, Period } from "@pay/gateway/BankBooks"
import { Context, type Effect } from "effect"
import type { RailTotals } from "./BankLedger.ts"
import type { Booking } from "./Booking.ts"
import type { NothingToSettle, SandboxControl } from "./SandboxControl.ts"

/** The controls of the simulated payout rail. */
export class RailControl extends Context.Service<
  RailControl,
  Omit<SandboxControl["Service"], "books"> & {
    /** Refuses a payment that was confirmed, from now on. */
    readonly refuseLate: (
      reference: string,
      reason: { readonly code: number; readonly message: string }
    ) => Effect.Effect<void, NothingToSettle>
    readonly books: {
      readonly all: Effect.Effect<ReadonlyArray<Booking>>
      readonly ofOrder: (orderId: string) => Effect.Effect<ReadonlyArray<Booking>>
      /** Returns a page of what the rail lists for a period now. */
      readonly list: (period: Period, after: string | undefined) => Effect.Effect<Page>
      /** Returns the totals that the rail reports for an order now. What it cannot report yet is not included. */
      readonly totals: (orderId: string) => Effect.Effect<RailTotals>
    }
  }
>()("@pay/sandbox/RailControl") {}

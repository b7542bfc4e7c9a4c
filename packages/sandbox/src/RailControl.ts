/** The other side of the simulated payout rail: as that of the bank, and a payout that is refused after all. */
import type { Page, Period } from "@pay/gateway/Booking"
import { Context, type Effect } from "effect"
import type { RailTotals } from "./BankLedger.ts"
import type { Booking } from "./Booking.ts"
import type { NothingToSettle, SandboxControl } from "./SandboxControl.ts"

export class RailControl extends Context.Service<
  RailControl,
  Omit<SandboxControl["Service"], "books"> & {
    /** A payment that was confirmed is refused from now on. */
    readonly refuseLate: (
      reference: string,
      reason: { readonly code: number; readonly message: string }
    ) => Effect.Effect<void, NothingToSettle>
    readonly books: {
      readonly all: Effect.Effect<ReadonlyArray<Booking>>
      readonly ofOrder: (orderId: string) => Effect.Effect<ReadonlyArray<Booking>>
      /** What the rail would list for a period now. */
      readonly list: (period: Period, after: string | undefined) => Effect.Effect<Page>
      /** What the rail would tell of an order now; what it cannot say yet is not in it. */
      readonly totals: (orderId: string) => Effect.Effect<RailTotals>
    }
  }
>()("@pay/sandbox/RailControl") {}

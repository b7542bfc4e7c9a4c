/** The simulator's other side: decides what happens next, and reads the bank's books. For tests and the sandbox server. */
import type { Page, Period } from "@pay/gateway/Booking"
import { Context, Data, type Effect } from "effect"
import type { Totals } from "./BankLedger.ts"
import type { Booking } from "./Booking.ts"
import type { Kind, Plan, Verdict } from "./Outcome.ts"
import type { Question } from "./Scenarios.ts"

/** There is no such reference, or the bank has already said what became of it. */
export class NothingToSettle extends Data.TaggedError("NothingToSettle")<{ readonly reference: string }> {}

export class SandboxControl extends Context.Service<
  SandboxControl,
  {
    /** The next new request of this kind meets the plan; plans for one kind queue. Of an inquiry, only its journey can be planned. */
    readonly next: (question: Question, plan: Plan) => Effect.Effect<void>
    /** Forgets the plans of `next` that no request has met. */
    readonly forgetNext: Effect.Effect<void>
    /** Every request of this kind for the order meets the plan. */
    readonly forOrder: (orderId: string, kind: Kind, plan: Plan) => Effect.Effect<void>
    /** The request with this reference meets the plan, before any other. */
    readonly forReference: (reference: string, plan: Plan) => Effect.Effect<void>
    /** The bank finds out what it did with a request of which it could not say: late approval, late decline. */
    readonly settle: (reference: string, verdict: Verdict) => Effect.Effect<void, NothingToSettle>
    readonly books: {
      readonly all: Effect.Effect<ReadonlyArray<Booking>>
      readonly ofOrder: (orderId: string) => Effect.Effect<ReadonlyArray<Booking>>
      /** What the bank would list for a period now. */
      readonly list: (period: Period, after: string | undefined) => Effect.Effect<Page>
      /** What the bank would tell of an order now; what it cannot say yet is not in it. */
      readonly totals: (orderId: string) => Effect.Effect<Totals>
    }
    /** What the gateway did that no gateway may do; empty in a healthy system. */
    readonly violations: Effect.Effect<ReadonlyArray<string>>
    /** Forgets plans and books, in the journal too. */
    readonly reset: Effect.Effect<void>
  }
>()("@pay/sandbox/SandboxControl") {}

/**
 * Controls the simulated bank: plans what happens to later requests, and reads the bank's books. For tests and the sandbox
 * server.
 */
import type { Page, Period } from "@pay/gateway/Booking"
import { Context, Data, type Effect } from "effect"
import type { Totals } from "./BankLedger.ts"
import type { Booking } from "./Booking.ts"
import type { Kind, Plan, Verdict } from "./Outcome.ts"
import type { Question } from "./Scenarios.ts"

/** The books have no such reference, or the bank has already reported the outcome. */
export class NothingToSettle extends Data.TaggedError("NothingToSettle")<{ readonly reference: string }> {}

/** The controls of the simulated bank. */
export class SandboxControl extends Context.Service<
  SandboxControl,
  {
    /** Plans the next new request of this kind. Plans for one kind queue. For an inquiry, only the journey can be planned. */
    readonly next: (question: Question, plan: Plan) => Effect.Effect<void>
    /** Removes the plans of `next` that no request has used. */
    readonly forgetNext: Effect.Effect<void>
    /** Plans every request of this kind for the order. */
    readonly forOrder: (orderId: string, kind: Kind, plan: Plan) => Effect.Effect<void>
    /** Plans the request with this reference. This plan takes precedence over all others. */
    readonly forReference: (reference: string, plan: Plan) => Effect.Effect<void>
    /** Sets the outcome of a request of which the bank could not report it: a late approval or a late decline. */
    readonly settle: (reference: string, verdict: Verdict) => Effect.Effect<void, NothingToSettle>
    readonly books: {
      readonly all: Effect.Effect<ReadonlyArray<Booking>>
      readonly ofOrder: (orderId: string) => Effect.Effect<ReadonlyArray<Booking>>
      /** Returns a page of what the bank lists for a period now. */
      readonly list: (period: Period, after: string | undefined) => Effect.Effect<Page>
      /** Returns the totals that the bank reports for an order now. What it cannot report yet is not included. */
      readonly totals: (orderId: string) => Effect.Effect<Totals>
    }
    /** Descriptions of what the gateway did and no gateway may do. Empty in a healthy system. */
    readonly violations: Effect.Effect<ReadonlyArray<string>>
    /** Deletes plans and books, also in the journal. */
    readonly reset: Effect.Effect<void>
  }
>()("@pay/sandbox/SandboxControl") {}

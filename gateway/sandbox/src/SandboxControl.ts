/**
 * Controls the simulated bank: sets the scenarios of later requests, and reads the bank's books. For tests and the sandbox
 * server.
 */
import type { Page, Period } from "@pay/gateway/BankBooks"
import { Context, Data, type Effect } from "effect"
import type { Totals } from "./BankLedger.ts"
import type { Booking } from "./Booking.ts"
import type { Kind, Scenario, Verdict } from "./Outcome.ts"
import type { Question, Rule } from "./Scenarios.ts"

/** The books have no such reference, or the bank has already reported the outcome. */
export class NothingToSettle extends Data.TaggedError("NothingToSettle")<{ readonly reference: string }> {}

/** The controls of the simulated bank. */
export class SandboxControl extends Context.Service<
  SandboxControl,
  {
    /** Sets the scenario of the next new request of this kind. Scenarios of one kind queue. An inquiry takes only the delivery. */
    readonly next: (question: Question, scenario: Scenario) => Effect.Effect<void>
    /** Removes the scenarios of `next` that no request has used. */
    readonly forgetNext: Effect.Effect<void>
    /** Sets the scenario of every request of this kind for the order. */
    readonly forOrder: (orderId: string, kind: Kind, scenario: Scenario) => Effect.Effect<void>
    /** Sets the scenario of the request with this reference. It takes precedence over all others. */
    readonly forReference: (reference: string, scenario: Scenario) => Effect.Effect<void>
    /**
     * Sets the rule that chooses the scenario of each new request that none of the others is for. It replaces an earlier rule.
     */
    readonly choose: (rule: Rule) => Effect.Effect<void>
    /** Sets the outcome of a request of which the bank could not report it: a late approval or a late decline. */
    readonly settle: (reference: string, verdict: Verdict) => Effect.Effect<void, NothingToSettle>
    /** Lets an approved request fail from now on. Its notification is not sent. */
    readonly failLate: (reference: string) => Effect.Effect<void, NothingToSettle>
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
    /** Deletes scenarios and books, also in the journal. */
    readonly reset: Effect.Effect<void>
  }
>()("@pay/sandbox/SandboxControl") {}

/** The shop under test: a process in any language, driven as its template says. */
import { Context, Data, type Effect } from "effect"
import type { Leak } from "../judgement/Finding.ts"
import type { Fault } from "../plan/Faults.ts"
import type { Action, Answer, Order, ShopReport } from "../plan/Payment.ts"

/** The shop cannot be tested: the reason, and what to do. `output` is the end of what it printed, with card numbers masked. */
export class ShopFailed extends Data.TaggedError("ShopFailed")<{ readonly message: string; readonly output: string }> {}

/** Adds a line to the timeline of an order, with the fault of the customer that it is. */
export type Tell = (text: string, fault?: Fault) => Effect.Effect<void>

export class Shop extends Context.Service<
  Shop,
  {
    /** What the template says how to do. */
    readonly actions: ReadonlyArray<Action>
    /** Whether the customer returns to the shop from pages of the gateway. */
    readonly hasVisits: boolean
    /** How long the shop may take to repair an order by its own clock, after everything is settled. In milliseconds. */
    readonly patienceMs: number
    /** Starts the shop and waits until it listens. */
    readonly start: Effect.Effect<void, ShopFailed>
    /** Whether it runs. False after it ended by itself, which no shop may do. */
    readonly isAlive: Effect.Effect<boolean>
    /** The last lines that it printed, with card numbers masked. */
    readonly output: Effect.Effect<string>
    /** Ends the shop as `kill -9` does, with all its processes, and waits for their end. */
    readonly kill: Effect.Effect<void>
    /**
     * The customer buys: presses the button, follows where the shop leads, and presses it again if he sees neither success nor
     * failure. Before he presses again, he waits until the shop listens, at most ten seconds. `tell` gets a line for each step.
     */
    readonly buy: (order: Order, tell: Tell) => Effect.Effect<Answer>
    /** What a clerk refunds of the order, in minor units: the whole, or a part. */
    readonly refundMinor: (order: Order) => number
    /** Whether the shop says that it refunds the order: `paid` for yes. */
    readonly refund: (order: Order, tell: Tell) => Effect.Effect<Answer>
    readonly subscribe: (order: Order, tell: Tell) => Effect.Effect<Answer>
    readonly payOut: (order: Order, tell: Tell) => Effect.Effect<Answer>
    /** Asks the shop about the order. A shop that does not answer says `open`. */
    readonly ask: (order: Order) => Effect.Effect<ShopReport>
    /** Card numbers that it printed or wrote into its files so far, each line once. */
    readonly leaks: Effect.Effect<ReadonlyArray<Leak>>
  }
>()("@pay/crashtest/Shop") {}

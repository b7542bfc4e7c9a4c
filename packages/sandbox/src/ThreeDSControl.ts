/**
 * The other side of the simulated 3-D Secure world: decides what happens next, sits at the challenge in place of a
 * customer, and reads what the issuer knows. For tests without a browser and for the sandbox server.
 */
import { Context, Data, type Effect } from "effect"
import type { Carried, Choice } from "./Issuer.ts"
import type { Transaction } from "./ThreeDSRecord.ts"
import type { Plan } from "./ThreeDSScenario.ts"

/** No such authentication, or it does not stand where this could happen. */
export class NoSuchStep extends Data.TaggedError("NoSuchStep")<{ readonly name: string; readonly message: string }> {}

/**
 * `name` is a transaction id, a reference or an order id (its latest authentication).
 *
 * ```ts
 * const { cres } = yield* control.play(orderId, "pass")
 * ```
 */
export class ThreeDSControl extends Context.Service<
  ThreeDSControl,
  {
    /** The next new authentication meets the plan; plans queue. */
    readonly next: (plan: Plan) => Effect.Effect<void>
    /** Every new authentication of the order meets the plan, before what was planned for the next. */
    readonly forOrder: (orderId: string, plan: Plan) => Effect.Effect<void>
    /** The method page was visited: `threeDSMethodData` as it comes back to the notification URL. */
    readonly method: (name: string) => Effect.Effect<string, NoSuchStep>
    /**
     * The customer does this at the challenge; gives what the browser carries. Once it has ended, gives the same again,
     * whatever is chosen.
     */
    readonly play: (name: string, choice: Choice) => Effect.Effect<Carried, NoSuchStep>
    /** The issuer's report that was late or never came arrives now. */
    readonly report: (name: string) => Effect.Effect<void, NoSuchStep>
    readonly find: (name: string) => Effect.Effect<Transaction | undefined>
    readonly transactions: Effect.Effect<ReadonlyArray<Transaction>>
    /** Forgets plans and authentications, in the journal too. */
    readonly reset: Effect.Effect<void>
  }
>()("@pay/sandbox/ThreeDSControl") {}

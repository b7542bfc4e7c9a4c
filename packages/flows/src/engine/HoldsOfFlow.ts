/** What a running flow knows about holds whose scopes have closed early. */
import { Context, Effect, Exit, Schema } from "effect"
import { NeedsAPerson } from "../order/FlowError.ts"
import type * as Definition from "./Definition.ts"

/** The holds whose scopes have closed early during one run of a flow. */
export interface HoldsOfFlow {
  /** The orders whose hold was released. They cannot be authorized again. */
  readonly released: Set<string>
  /** The holds that are or may be open at the bank, each with the reason. */
  readonly unreleased: Array<NeedsAPerson>
}

/** The closed holds of the running flow. Outside of flows there are none. */
export const HoldsOfFlow = Context.Reference<HoldsOfFlow | undefined>("@pay/flows/HoldsOfFlow", {
  defaultValue: () => undefined
})

export const make = (): HoldsOfFlow => ({ released: new Set(), unreleased: [] })

/** Returns one error for all holds that were not released. */
const errorOf = ({ unreleased }: HoldsOfFlow): NeedsAPerson | undefined => {
  const [first] = unreleased
  if (first === undefined || unreleased.length === 1) return first
  return new NeedsAPerson({
    ...first,
    reason: unreleased.map(({ clientOrderId, reason }) => `${clientOrderId}: ${reason}`).join("; "),
    evidence: unreleased.flatMap(({ evidence }) => evidence)
  })
}

/**
 * Ends a flow that has left a hold open with `NeedsAPerson` instead of its own outcome. A flow without this error has a defect then,
 * which leaves it stuck on a durable engine.
 */
export const concluded = <A, E extends Definition.Written, R>(
  flow: { readonly error: E },
  holds: HoldsOfFlow,
  run: Effect.Effect<A, E["Type"], R>
): Effect.Effect<A, E["Type"], R> =>
  Effect.flatMap(Effect.exit(run), (exit): Effect.Effect<A, E["Type"]> => {
    const error = errorOf(holds)
    const isOutcome = Exit.isSuccess(exit) || Exit.hasFails(exit)
    if (error === undefined || !isOutcome) return exit
    return Schema.is(flow.error)(error) ? Effect.fail(error) : Effect.die(error)
  })

/** Fails if a flow that is interrupted has left a hold open. */
export const orDie = (holds: HoldsOfFlow): Effect.Effect<void> =>
  Effect.suspend(() => {
    const error = errorOf(holds)
    return error === undefined ? Effect.void : Effect.die(error)
  })

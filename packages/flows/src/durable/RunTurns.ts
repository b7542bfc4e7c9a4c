/** The turns of orders, for one run of a durable flow. */
import { Context, Effect } from "effect"
import { WorkflowEngine } from "effect/workflow"
import type { TurnStore } from "../engine/TurnStore.ts"
import type { Signals } from "./Signals.ts"

/** Makes the store of a run. */
export const make = (
  { turns }: Signals["Service"],
  context: Context.Context<WorkflowEngine.WorkflowInstance>
): TurnStore => {
  const marks = new Map<string, "left" | "open">()
  const run = Context.get(context, WorkflowEngine.WorkflowInstance)
  return {
    write: (order, entry, text) => Effect.provideContext(turns.write(order, entry, text), context),
    read: (order, entry) => Effect.provideContext(turns.read(order, entry), context),
    hasEnded: (owner) => Effect.provideContext(turns.hasEnded(owner), context),
    // A suspension interrupts all parts, which continue in the next run.
    abandon: (order, turn, state) => void (run.suspended || marks.set(`${order} ${turn}`, state)),
    abandoned: (order, turn) => marks.get(`${order} ${turn}`)
  }
}

/** Stores on PostgreSQL for benchmarks, and callers that commit in them. */
import type { Decision } from "@pay/gateway/Decision"
import { Store } from "@pay/gateway/Store"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import type * as Measure from "../Measure.ts"

export interface Opened {
  readonly store: Store["Service"]
  readonly close: () => Promise<void>
}

export const open = async (url: string): Promise<Opened> => {
  const scope = Effect.runSync(Scope.make())
  const layer = PostgresStore.layer({ url: Redacted.make(url) })
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  return { store: Context.get(context, Store), close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** Makes work from sales: `callers` callers commit at the same time. */
export const sales = (store: Store["Service"], callers: number, decide: (turn: number) => Decision): Measure.Work => {
  let turn = 0
  return async (times) => {
    let left = times
    const caller = Effect.whileLoop({
      while: () => left-- > 0,
      body: () => Effect.suspend(() => store.commit(decide(turn++))),
      step: () => {}
    })
    await Effect.runPromise(
      Effect.all(
        Array.from({ length: callers }, () => caller),
        { concurrency: "unbounded", discard: true }
      )
    )
  }
}

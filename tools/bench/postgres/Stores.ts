/** Stores for benchmarks, and callers that commit in them. */
import type { Decision } from "@pay/gateway/Decision"
import { Store } from "@pay/gateway/Store"
import * as PostgresStore from "@pay/storage/PostgresStore"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import * as Measure from "../Measure.ts"

export interface Opened {
  readonly store: Store["Service"]
  readonly close: () => Promise<void>
}

const opened = async <E>(layer: Layer.Layer<Store, E>): Promise<Opened> => {
  const scope = Effect.runSync(Scope.make())
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  return { store: Context.get(context, Store), close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

export const open = (url: string): Promise<Opened> => opened(PostgresStore.layer({ url: Redacted.make(url) }))

export const openFile = (options: SqliteStore.Options): Promise<Opened> => opened(SqliteStore.layer(options))

/** Makes work from sales of `callers` callers. The decisions of a sale are committed one after the other. */
export const sales = (
  store: Store["Service"],
  callers: number,
  decisions: ReadonlyArray<(turn: number) => Decision>
): Measure.Work => {
  let turn = 0
  const sale = Effect.suspend(() => {
    const mine = turn++
    return Effect.forEach(decisions, (decide) => store.commit(decide(mine)), { discard: true })
  })
  return Measure.byCallers(callers, sale)
}

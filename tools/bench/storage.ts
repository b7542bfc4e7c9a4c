/** Measures the gateway's store, relative to the same rows written by hand, and counts the syncs of the disk. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Decision } from "@pay/gateway/Decision"
import { Store } from "@pay/gateway/Store"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import * as Measure from "./Measure.ts"
import * as Bare from "./storage/Bare.ts"
import * as Durability from "./storage/Durability.ts"
import * as Sale from "./storage/Sale.ts"

const callers = 64

const rate = (micros: number): string => `${Math.round(1e6 / micros)}/s`

const withStore = async <A>(options: SqliteStore.Options, use: (store: Store["Service"]) => Promise<A>): Promise<A> => {
  const scope = await Effect.runPromise(Scope.make())
  try {
    const context = await Effect.runPromise(Layer.buildWithScope(SqliteStore.layer(options), scope))
    return await use(Context.get(context, Store))
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** Makes work from sales. Each caller commits the decisions of a sale one after the other. */
const sales = (store: Store["Service"], decisions: ReadonlyArray<(turn: number) => Decision>): Measure.Work => {
  let turn = 0
  return async (times) => {
    let left = times
    const sale = Effect.suspend(() => {
      const mine = turn++
      return Effect.forEach(decisions, (decide) => store.commit(decide(mine)), { discard: true })
    })
    const caller = Effect.whileLoop({ while: () => left-- > 0, body: () => sale, step: () => {} })
    await Effect.runPromise(
      Effect.all(
        Array.from({ length: callers }, () => caller),
        { concurrency: "unbounded", discard: true }
      )
    )
  }
}

const bareSales = (writes: ReadonlyArray<(turn: number) => Promise<void>>): Measure.Work => {
  let turn = 0
  const sale = async () => {
    const mine = turn++
    for (const write of writes) await write(mine)
  }
  return Measure.inFlight(callers, sale)
}

const throughput = async (
  directory: string,
  line: { readonly id: string; readonly measure: string; readonly ended: boolean }
): Promise<Measure.Row> => {
  const bare = Bare.open(join(directory, `${line.id}-bare.db`))
  try {
    return await withStore(
      { path: join(directory, `${line.id}.db`), witness: join(directory, `${line.id}.witness`) },
      async (store) => {
        const { baselineMicros, oursMicros } = await Measure.compare(
          {
            ours: sales(store, line.ended ? [Sale.accept, Sale.end] : [Sale.accept]),
            baseline: bareSales(line.ended ? [bare.accept, bare.end] : [bare.accept])
          },
          { repetitionMillis: 200 }
        )
        return Measure.row({
          id: line.id,
          measure: `${line.measure}, ${callers} at once / the same rows by hand`,
          ours: rate(oursMicros),
          baseline: rate(baselineMicros),
          ratio: baselineMicros / oursMicros,
          limit: { atLeast: 0.5, aim: 0.75 }
        })
      }
    )
  } finally {
    bare.close()
  }
}

const benchmark: Measure.Benchmark = {
  id: "D",
  title: "Storage",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "pay-bench-storage-"))
    try {
      return [
        await throughput(directory, { id: "D1a", measure: "sales accepted", ended: false }),
        await throughput(directory, { id: "D1b", measure: "sales accepted and ended", ended: true }),
        ...Durability.syncs(directory),
        await Durability.kills(directory, 20)
      ]
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
}
export default benchmark

if (import.meta.main) await Measure.main(benchmark)

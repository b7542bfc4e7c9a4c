/** Measures the gateway's store, relative to the same rows written by hand, and counts the syncs of the disk. */
import { join } from "node:path"
import * as Measure from "./Measure.ts"
import * as Stores from "./postgres/Stores.ts"
import * as Bare from "./storage/Bare.ts"
import * as Durability from "./storage/Durability.ts"
import * as Sale from "./storage/Sale.ts"

const callers = 64

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
  const path = join(directory, `${line.id}.db`)
  const { close, store } = await Stores.openFile({ path, witness: `${path}.witness` })
  try {
    const comparison = await Measure.compare(
      {
        ours: Stores.sales(store, callers, line.ended ? [Sale.accept, Sale.end] : [Sale.accept]),
        baseline: bareSales(line.ended ? [bare.accept, bare.end] : [bare.accept])
      },
      { repetitionMillis: 200 }
    )
    const measure = `${line.measure}, ${callers} at once / the same rows by hand`
    return Measure.rates({ id: line.id, measure, limit: { atLeast: 0.5, aim: 0.75 } }, comparison)
  } finally {
    await close()
    bare.close()
  }
}

const benchmark: Measure.Benchmark = {
  id: "D",
  title: "Storage",
  run: () =>
    Measure.inFolder(async (directory) => [
      await throughput(directory, { id: "D1a", measure: "sales accepted", ended: false }),
      await throughput(directory, { id: "D1b", measure: "sales accepted and ended", ended: true }),
      ...Durability.syncs(directory),
      await Durability.kills(directory, 20)
    ])
}
export default benchmark

if (import.meta.main) await Measure.main(benchmark)

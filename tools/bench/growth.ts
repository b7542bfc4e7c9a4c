/**
 * Measures the effect of a million orders in a PostgreSQL database on new sales: the same sales in a full and in an empty
 * database, alternately.
 */
import { join } from "node:path"
import { Effect } from "effect"
import * as Growth from "../../tests/growth/Load.ts"
import * as Measure from "./Measure.ts"
import * as Shop from "./million/Shop.ts"
import * as Server from "./postgres/Server.ts"

const storedOrders = 1_000_000
/** Number of orders that the gateway processes itself. The other orders are copies of them. */
const templates = 200
const customers = 16
const salesPerTurn = 250
const turns = 16
/** Sales that are not counted, so that code and caches are warm. */
const warmUp = 500

const soon = `SELECT FROM pay.jobs WHERE "dueAtMs" < extract(epoch FROM now()) * 1000 + 60000 LIMIT 1`

/** Fills the database. The templates must have no jobs left, because each copy would have the same jobs. */
const filled = async (folder: string, url: string, query: Server.Server["query"]): Promise<void> => {
  const shop = await Shop.open(join(folder, "loaded"), url)
  await shop.sell(templates, customers)
  while ((await query(url, soon)).length > 0);
  shop.close()
  const begun = Measure.wallMicros()
  await Effect.runPromise(Effect.scoped(Growth.orders(url, storedOrders)))
  console.log(`loaded ${storedOrders} orders in ${((Measure.wallMicros() - begun) / 1e6).toFixed(0)} s`)
}

const compared = async (folder: string, urls: { readonly full: string; readonly empty: string }) => {
  const full = await Shop.open(join(folder, "loaded"), urls.full, templates)
  const empty = await Shop.open(join(folder, "empty"), urls.empty)
  try {
    for (const shop of [full, empty]) {
      await shop.sell(warmUp, customers)
      shop.micros.length = 0
    }
    for (let turn = 0; turn < turns; turn++)
      for (const shop of turn % 2 === 0 ? [full, empty] : [empty, full]) await shop.sell(salesPerTurn, customers)
  } finally {
    full.close()
    empty.close()
  }
  return [50, 99].map((percent) =>
    Measure.times(
      {
        id: `P5 ${percent}%`,
        measure: `a sale to its callback, ${storedOrders} orders in the database / none`,
        limit: percent === 50 ? { atMost: 1.3, aim: 1.1 } : { atMost: 1.5, aim: 1.2 }
      },
      {
        oursMicros: Measure.percentile(full.micros, percent),
        baselineMicros: Measure.percentile(empty.micros, percent)
      }
    )
  )
}

const benchmark: Measure.Benchmark = {
  id: "P5",
  title: "Growth on PostgreSQL",
  run: () =>
    Measure.inFolder(async (folder) => {
      const server = await Server.start()
      console.log(server.serverSettings)
      try {
        const urls = { full: await server.database("loaded"), empty: await server.database("unloaded") }
        await filled(folder, urls.full, server.query)
        await server.query(urls.full, "CHECKPOINT")
        return await compared(folder, urls)
      } finally {
        await server.close()
      }
    })
}
export default benchmark

if (import.meta.main) await Measure.main(benchmark)

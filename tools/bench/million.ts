/**
 * Measures the effect of a million orders in the SQLite store on new sales: the same sales in a full and in an empty store,
 * alternately.
 */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { Job, LedgerEntry, Order } from "@pay/gateway/Entities"
import * as Measure from "./Measure.ts"
import { fill } from "./million/Fill.ts"
import * as Pages from "./million/Pages.ts"
import * as Questions from "./million/Questions.ts"
import * as Shop from "./million/Shop.ts"
import * as Templates from "./million/Templates.ts"

const storedOrders = 1_000_000
const customers = 16
const salesPerTurn = 250
const turns = 32
/** Sales that are not counted, so that code and caches are warm. */
const warmUp = 1000

/** Verifies that the store has every order, that no job is left, and that the books balance. */
const assertWhole = async (path: string, expected: number): Promise<void> => {
  const database = new DatabaseSync(path, { readOnly: true })
  const moving = database.prepare(`SELECT 1 FROM ${Job.name} WHERE kind <> 'lapse'`)
  while (moving.get() !== undefined) await setTimeout(10)
  const orders = database.prepare(`SELECT count(*) AS n FROM ${Order.name}`).get()?.n
  const sum = database.prepare(`SELECT sum(minor) AS n FROM ${LedgerEntry.name}`).get()?.n
  database.close()
  if (orders !== expected || sum !== 0)
    throw new Error(`${orders} orders, not ${expected}, and books that sum to ${sum}`)
}

const compare = async (
  folders: { readonly full: string; readonly empty: string },
  filled: number
): Promise<ReadonlyArray<Measure.Row>> => {
  const full = await Shop.open(folders.full)
  const empty = await Shop.open(folders.empty)
  try {
    for (const shop of [full, empty]) {
      await shop.sell(warmUp, customers)
      shop.micros.length = shop.cpuMicros.length = 0
    }
    for (let turn = 0; turn < turns; turn++) {
      for (const shop of turn % 2 === 0 ? [full, empty] : [empty, full]) await shop.sell(salesPerTurn, customers)
    }
    const sold = warmUp + turns * salesPerTurn
    await assertWhole(join(folders.full, "gateway.db"), filled + sold)
    await assertWhole(join(folders.empty, "gateway.db"), sold)
    const [fullAnswer = Number.NaN, emptyAnswer = Number.NaN] = await Questions.slowest([full, empty])
    const line = (id: string, what: string, oursMicros: number, baselineMicros: number, limit: Measure.Limit) => {
      const measure = `${what}, ${storedOrders} orders in the store / none`
      return Measure.times({ id, measure, limit }, { oursMicros, baselineMicros })
    }
    const both = (of: (shop: Shop.Shop) => number) => [of(full), of(empty)] as const
    const sale = `sale to its callback, ${customers} at once`
    return [
      line("M1", `${sale}: median`, ...both(({ micros }) => Measure.median(micros)), { atMost: 1.3, aim: 1.1 }),
      line("M2", `${sale}: p99`, ...both(({ micros }) => Measure.percentile(micros, 99)), { atMost: 1.5, aim: 1.2 }),
      line("M3", `${sale}: processor time`, ...both(({ cpuMicros }) => Measure.median(cpuMicros)), {
        atMost: 1.3,
        aim: 1.1
      }),
      line("M4", "the slowest of an operator's questions", fullAnswer, emptyAnswer, { atMost: 2, aim: 1.2 }),
      ...(await Pages.rows(full.operatorUrl, join(folders.full, "gateway.db")))
    ]
  } finally {
    for (const shop of [full, empty]) shop.close()
  }
}

const run = async (directory: string): Promise<ReadonlyArray<Measure.Row>> => {
  const folders = { full: join(directory, "full"), empty: join(directory, "empty") }
  const templates = await Templates.carryThrough(folders.full)
  fill(join(folders.full, "gateway.db"), storedOrders)
  return compare(folders, templates + storedOrders)
}

const benchmark: Measure.Benchmark = { id: "M", title: "A million orders", run: () => Measure.inFolder(run) }
export default benchmark

if (import.meta.main) await Measure.main(benchmark)

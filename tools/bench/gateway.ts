/** Measures a durable sale through the whole gateway, relative to the same work written by hand with `node:http` and SQLite. */
import { join } from "node:path"
import { Effect } from "effect"
import * as ClientMerchant from "../../tests/harness/ClientMerchant.ts"
import * as StoreStatements from "../../tests/harness/StoreStatements.ts"
import * as World from "../../tests/harness/World.ts"
import * as Comparison from "./gateway/Comparison.ts"
import * as Servers from "./gateway/Servers.ts"
import * as Measure from "./Measure.ts"

/** Counts what one payment causes on SQLite, from its request to its delivered callback. */
const statements = async (): Promise<Measure.Row> => {
  const { costOf, store } = StoreStatements.recorded()
  const sale = Effect.andThen(
    Effect.suspend(() => ClientMerchant.create("SALE", { server_callback_url: "https://shop.example/callback" })),
    World.settled
  )
  const { commits, reads, writes } = await Effect.runPromise(
    Effect.andThen(sale, costOf(sale)).pipe(Effect.provide(World.layer({ store })))
  )
  return Measure.row({
    id: "G1c",
    measure: "statements of the same on SQLite / those that write",
    ours: `${reads.length + writes} in ${commits} commits`,
    baseline: `${writes}`,
    ratio: (reads.length + writes) / writes,
    limit: { atMost: 1.3, aim: 1.25 }
  })
}

const run = async (folder: string): Promise<ReadonlyArray<Measure.Row>> => {
  const servers = {
    bare: await Servers.start("BareServer.ts", folder),
    paused: await Servers.start("GatewayServer.ts", join(folder, "paused"), "paused"),
    running: await Servers.start("GatewayServer.ts", join(folder, "running"), "running")
  }
  const compared = await Comparison.run(servers, 3000, {
    ids: ["G1a", "G1b"],
    measure: "bare node:http + SQLite group commit",
    limit: { atLeast: 0.6, aim: 0.75 }
  })
  return [...compared, await statements()]
}

const benchmark: Measure.Benchmark = { id: "G", title: "The whole gateway", run: () => Measure.inFolder(run) }
export default benchmark

if (import.meta.main) await Measure.main(benchmark)

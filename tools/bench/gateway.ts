/** Measures a durable sale through the whole gateway, relative to the same work written by hand with `node:http` and SQLite. */
import { join } from "node:path"
import * as Comparison from "./gateway/Comparison.ts"
import * as Servers from "./gateway/Servers.ts"
import * as Measure from "./Measure.ts"

const run = async (folder: string): Promise<ReadonlyArray<Measure.Row>> => {
  const servers = {
    bare: await Servers.start("BareServer.ts", folder),
    paused: await Servers.start("GatewayServer.ts", join(folder, "paused"), "paused"),
    running: await Servers.start("GatewayServer.ts", join(folder, "running"), "running")
  }
  return Comparison.run(servers, 3000, {
    ids: ["G1a", "G1b"],
    measure: "bare node:http + SQLite group commit",
    limit: { atLeast: 0.6, aim: 0.75 }
  })
}

const benchmark: Measure.Benchmark = { id: "G", title: "The whole gateway", run: () => Measure.inFolder(run) }
export default benchmark

if (import.meta.main) await Measure.main(benchmark)

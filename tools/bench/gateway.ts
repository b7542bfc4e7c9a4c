/** Measures a durable sale through the whole gateway, relative to the same work written by hand with `node:http` and SQLite. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Load from "./gateway/Load.ts"
import * as Servers from "./gateway/Servers.ts"
import * as Measure from "./Measure.ts"

const connections = 64
const salesPerTurn = 3000
const turns = 7

const run = async (): Promise<ReadonlyArray<Measure.Row>> => {
  const folder = mkdtempSync(join(tmpdir(), "pay-bench-"))
  const bare = await Servers.start("BareServer.ts", folder)
  const paused = await Servers.start("GatewayServer.ts", join(folder, "paused"), "paused")
  const running = await Servers.start("GatewayServer.ts", join(folder, "running"), "running")
  const listener = await Load.listen()
  const results: Record<"bare" | "paused" | "running", Array<Servers.Turn>> = { bare: [], paused: [], running: [] }
  try {
    for (let n = 0; n <= turns; n++) {
      const sales = Load.prepare(`told-${n}`, salesPerTurn, listener.url)
      const plain = Load.prepare(`plain-${n}`, salesPerTurn)
      const bareTurn = await Servers.turn(bare, salesPerTurn, () => Load.send(bare.port, plain, connections))
      const pausedTurn = await Servers.turn(paused, salesPerTurn, () => Load.send(paused.port, plain, connections))
      const runningTurn = await Servers.turn(running, salesPerTurn, async () => {
        await Load.send(running.port, sales, connections)
        await listener.received(salesPerTurn)
      })
      if (n === 0) continue
      results.bare.push(bareTurn)
      results.paused.push(pausedTurn)
      results.running.push(runningTurn)
    }
  } finally {
    for (const server of [bare, paused, running]) server.stop()
    listener.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return [
    Measure.row({
      id: "G1a",
      measure: "signed sale, acknowledged durably, 64 connections / bare node:http + SQLite group commit",
      ours: Servers.show(results.paused),
      baseline: Servers.show(results.bare),
      ratio: Servers.ratio(results.paused, results.bare),
      limit: { atLeast: 0.6, aim: 0.75 }
    }),
    Measure.row({
      id: "G1b",
      measure: "the same to its final status and a delivered callback / G1a",
      ours: Servers.show(results.running),
      baseline: Servers.show(results.paused),
      ratio: Servers.ratio(results.running, results.paused),
      limit: { atLeast: 0.25, aim: 0.35 }
    })
  ]
}

const benchmark: Measure.Benchmark = { id: "G", title: "The whole gateway", run }
export default benchmark

if (import.meta.main) await Measure.main(benchmark)

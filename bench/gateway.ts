/** What a durable sale costs through the whole gateway, over the same work done by hand on bare `node:http` and SQLite. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Load from "./gateway/Load.ts"
import * as Measure from "./Measure.ts"

const connections = 64
const salesPerTurn = 3000
const turns = 7

interface Server {
  readonly port: number
  readonly cpuMicros: () => number
  readonly stop: () => void
}

const ticksPerSecond = 100

/** User and system time of the process so far, from /proc. */
const cpuMicros = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / ticksPerSecond
}

const start = (script: string, ...args: ReadonlyArray<string>): Promise<Server> =>
  new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, "gateway", script), ...args], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    child.on("exit", (code) => reject(new Error(`${script} ended with ${code}`)))
    if (child.stdout === null) return reject(new Error("no stdout"))
    createInterface(child.stdout).on("line", (line) => {
      const port = /^port (\d+)$/.exec(line)?.[1]
      if (port === undefined) return
      resolve({ port: Number(port), cpuMicros: () => cpuMicros(child.pid ?? 0), stop: () => child.kill("SIGKILL") })
    })
  })

interface Turn {
  readonly perSecond: number
  readonly cpuMicros: number
}

const turn = async (server: Server, work: () => Promise<void>): Promise<Turn> => {
  const cpu = server.cpuMicros()
  const begun = Measure.wallMicros()
  await work()
  const micros = Measure.wallMicros() - begun
  return { perSecond: (salesPerTurn * 1e6) / micros, cpuMicros: (server.cpuMicros() - cpu) / salesPerTurn }
}

const show = (all: ReadonlyArray<Turn>): string =>
  `${Math.round(Measure.median(all.map(({ perSecond }) => perSecond)))}/s, ${Measure.micros(Measure.median(all.map(({ cpuMicros }) => cpuMicros)))} CPU`

const ratio = (ours: ReadonlyArray<Turn>, theirs: ReadonlyArray<Turn>): number =>
  Measure.median(ours.map(({ perSecond }, n) => perSecond / (theirs[n]?.perSecond ?? Number.NaN)))

const run = async (): Promise<ReadonlyArray<Measure.Row>> => {
  const folder = mkdtempSync(join(tmpdir(), "pay-bench-"))
  const bare = await start("BareServer.ts", folder)
  const paused = await start("GatewayServer.ts", join(folder, "paused"), "paused")
  const running = await start("GatewayServer.ts", join(folder, "running"), "running")
  const ear = await Load.listen()
  const results: Record<"bare" | "paused" | "running", Array<Turn>> = { bare: [], paused: [], running: [] }
  try {
    for (let n = 0; n <= turns; n++) {
      const told = Load.prepare(`told-${n}`, salesPerTurn, ear.url)
      const plain = Load.prepare(`plain-${n}`, salesPerTurn)
      const bareTurn = await turn(bare, () => Load.send(bare.port, plain, connections))
      const pausedTurn = await turn(paused, () => Load.send(paused.port, plain, connections))
      const runningTurn = await turn(running, async () => {
        await Load.send(running.port, told, connections)
        await ear.heard(salesPerTurn)
      })
      if (n === 0) continue
      results.bare.push(bareTurn)
      results.paused.push(pausedTurn)
      results.running.push(runningTurn)
    }
  } finally {
    for (const server of [bare, paused, running]) server.stop()
    ear.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return [
    Measure.row({
      id: "G1a",
      measure: "signed sale, acknowledged durably, 64 connections / bare node:http + SQLite group commit",
      ours: show(results.paused),
      baseline: show(results.bare),
      ratio: ratio(results.paused, results.bare),
      limit: { atLeast: 0.5, aim: 0.75 }
    }),
    Measure.row({
      id: "G1b",
      measure: "the same to its final status and a delivered callback / G1a",
      ours: show(results.running),
      baseline: show(results.paused),
      ratio: ratio(results.running, results.paused),
      limit: { atLeast: 0.25, aim: 0.35 }
    })
  ]
}

const benchmark: Measure.Benchmark = { id: "G", title: "The whole gateway", run }
export default benchmark

if (import.meta.main) await Measure.main(benchmark)

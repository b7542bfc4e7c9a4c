/**
 * Measures the store on PostgreSQL, relative to the same rows written by one procedure call each, and relative to `node:http`
 * without a gateway.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Load from "./gateway/Load.ts"
import * as Servers from "./gateway/Servers.ts"
import * as Measure from "./Measure.ts"
import * as Procedure from "./postgres/Procedure.ts"
import * as Server from "./postgres/Server.ts"
import * as Stores from "./postgres/Stores.ts"
import * as Sale from "./storage/Sale.ts"

const callers = 64
/** Number of connections of the baseline. More connections than cores make a server slower. */
const pool = 16
const salesPerTurn = 2000
const turns = 7
const jobs = 20_000
const merchants = 20

const rate = (micros: number): string => `${Math.round(1e6 / micros)}/s`

const committed = async (server: Server.Server): Promise<Measure.Row> => {
  const url = await server.database("p1")
  const { close, store } = await Stores.open(url)
  const procedure = await Procedure.make(url, Sale.accept(0), pool)
  let turn = 1_000_000_000
  try {
    const { baselineMicros, oursMicros } = await Measure.compare(
      {
        ours: Stores.sales(store, callers, Sale.accept),
        baseline: Measure.inFlight(callers, () => procedure.add(Sale.accept(turn++)))
      },
      { repetitionMillis: 200, clock: Measure.wallMicros }
    )
    return Measure.row({
      id: "P1",
      measure: `sales committed, ${callers} at once / one procedure call per sale, ${pool} connections`,
      ours: rate(oursMicros),
      baseline: rate(baselineMicros),
      ratio: baselineMicros / oursMicros,
      limit: { atLeast: 2, aim: 2.5 }
    })
  } finally {
    await procedure.close()
    await close()
  }
}

/**
 * Returns the number of transactions that the server has counted for the database. Each statement is one transaction, and so one
 * round trip.
 */
const transactions = async (server: Server.Server, url: string): Promise<number> => {
  const name = new URL(url).pathname.slice(1)
  const text = `SELECT xact_commit + xact_rollback AS n FROM pg_stat_database WHERE datname = '${name}'`
  const [row] = await server.query(url, text)
  return Number(row?.n)
}

const gateway = async (server: Server.Server, folder: string): Promise<ReadonlyArray<Measure.Row>> => {
  const urls = {
    bare: await server.database("bare"),
    paused: await server.database("paused"),
    running: await server.database("running")
  }
  const bare = await Servers.start("../postgres/BarePostgresServer.ts", urls.bare)
  const paused = await Servers.start("GatewayServer.ts", join(folder, "paused"), "paused", urls.paused)
  const running = await Servers.start("GatewayServer.ts", join(folder, "running"), "running", urls.running)
  const listener = await Load.listen()
  const results: Record<"bare" | "paused" | "running", Array<Servers.Turn>> = { bare: [], paused: [], running: [] }
  try {
    for (let n = 0; n <= turns; n++) {
      const plain = Load.prepare(`plain-${n}`, salesPerTurn)
      const withCallback = Load.prepare(`with-callback-${n}`, salesPerTurn, listener.url)
      const bareTurn = await Servers.turn(bare, salesPerTurn, () => Load.send(bare.port, plain, callers))
      const pausedTurn = await Servers.turn(paused, salesPerTurn, () => Load.send(paused.port, plain, callers))
      const runningTurn = await Servers.turn(running, salesPerTurn, async () => {
        await Load.send(running.port, withCallback, callers)
        await listener.received(salesPerTurn)
      })
      if (n === 0) continue
      results.bare.push(bareTurn)
      results.paused.push(pausedTurn)
      results.running.push(runningTurn)
    }
    const sold = salesPerTurn * (turns + 1)
    // The server counts the transactions of a connection only after the connection was idle for a moment.
    await new Promise((resolve) => setTimeout(resolve, 2000))
    for (const name of ["paused", "running"] as const)
      console.log(`P4 ${name}: ${((await transactions(server, urls[name])) / sold).toFixed(2)} round trips a sale`)
  } finally {
    for (const process of [bare, paused, running]) process.stop()
    listener.close()
  }
  return [
    Measure.row({
      id: "P2",
      measure: "signed sale, acknowledged durably, 64 connections / bare node:http with the same batched procedure",
      ours: Servers.show(results.paused),
      baseline: Servers.show(results.bare),
      ratio: Servers.ratio(results.paused, results.bare),
      limit: { atLeast: 0.5, aim: 0.7 }
    }),
    Measure.row({
      id: "P3",
      measure: "the same to its final status and a delivered callback / P2",
      ours: Servers.show(results.running),
      baseline: Servers.show(results.paused),
      ratio: Servers.ratio(results.running, results.paused),
      limit: { atLeast: 0.25, aim: 0.35 }
    })
  ]
}

const due = `
  INSERT INTO pay.agenda ("itemId", "kind", "subject", "dueAtMs", "tries", "openAttempts", "leaseUntilMs", "merchantId")
  SELECT 'job ' || n, 'bank', 'job ' || n, n, 0, 0, 0, 'merchant ' || n % ${merchants} FROM generate_series(1, ${jobs}) n
`

/** Returns how many jobs per second the processes claim and remove together, until the queue is empty. */
const claimed = async (server: Server.Server, processes: number, turn: number): Promise<number> => {
  const url = await server.database(`claims_${processes}_${turn}`)
  const { close } = await Stores.open(url)
  await server.query(url, due)
  await server.query(url, "ANALYZE pay.agenda")
  await close()
  const all = await Promise.all(Array.from({ length: processes }, () => Servers.start("../postgres/Claim.ts", url)))
  const begun = Measure.wallMicros()
  for (const each of all) each.begin()
  await Promise.all(all.map(({ ended }) => ended))
  return (jobs * 1e6) / (Measure.wallMicros() - begun)
}

const claims = async (server: Server.Server): Promise<ReadonlyArray<Measure.Row>> => {
  const results = { 1: Array.of<number>(), 2: Array.of<number>(), 4: Array.of<number>() }
  for (let turn = 0; turn < 3; turn++)
    for (const processes of [1, 2, 4] as const) results[processes].push(await claimed(server, processes, turn))
  const one = Measure.median(results[1])
  return ([2, 4] as const).map((processes) => {
    const many = Measure.median(results[processes])
    return Measure.row({
      id: `P6 ${processes}`,
      measure: `jobs claimed and ended by ${processes} processes / by one`,
      ours: `${Math.round(many)}/s`,
      baseline: `${Math.round(one)}/s`,
      ratio: many / one,
      limit: { atLeast: 0.9, aim: 1.5 }
    })
  })
}

const benchmark: Measure.Benchmark = {
  id: "P",
  title: "PostgreSQL",
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), "pay-bench-postgres-"))
    const server = await Server.start()
    console.log(server.serverSettings)
    try {
      return [await committed(server), ...(await gateway(server, folder)), ...(await claims(server))]
    } finally {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
export default benchmark

if (import.meta.main) await Measure.main(benchmark)

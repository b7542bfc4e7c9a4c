/**
 * Measures the store on PostgreSQL, relative to the same rows written by one procedure call each, and relative to `node:http`
 * without a gateway.
 */
import { join } from "node:path"
import * as Comparison from "./gateway/Comparison.ts"
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
const jobs = 20_000
const merchants = 20

const committed = async (server: Server.Server): Promise<Measure.Row> => {
  const url = await server.database("p1")
  const { close, store } = await Stores.open(url)
  const procedure = await Procedure.make(url, Sale.accept(0), pool)
  let turn = 1_000_000_000
  try {
    const comparison = await Measure.compare(
      {
        ours: Stores.sales(store, callers, [Sale.accept]),
        baseline: Measure.inFlight(callers, () => procedure.add(Sale.accept(turn++)))
      },
      { repetitionMillis: 200, clock: Measure.wallMicros }
    )
    return Measure.rates(
      {
        id: "P1",
        measure: `sales committed, ${callers} at once / one procedure call per sale, ${pool} connections`,
        limit: { atLeast: 2, aim: 2.5 }
      },
      comparison
    )
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
  const servers = {
    bare: await Servers.start("../postgres/BarePostgresServer.ts", urls.bare),
    paused: await Servers.start("GatewayServer.ts", join(folder, "paused"), "paused", urls.paused),
    running: await Servers.start("GatewayServer.ts", join(folder, "running"), "running", urls.running)
  }
  const line = {
    ids: ["P2", "P3"],
    measure: "bare node:http with the same batched procedure",
    limit: { atLeast: 0.5, aim: 0.7 }
  } as const
  return Comparison.run(servers, salesPerTurn, line, async () => {
    // The server counts the transactions of a connection only after the connection was idle for a moment.
    await new Promise((resolve) => setTimeout(resolve, 2000))
    for (const name of ["paused", "running"] as const) {
      const each = (await transactions(server, urls[name])) / Comparison.salesOf(salesPerTurn)
      console.log(`P4 ${name}: ${each.toFixed(2)} round trips a sale`)
    }
  })
}

const due = `
  INSERT INTO pay.jobs ("jobId", "kind", "subject", "dueAtMs", "tries", "openAttempts", "leaseUntilMs", "merchantId")
  SELECT 'job ' || n, 'bank', 'job ' || n, n, 0, 0, 0, 'merchant ' || n % ${merchants} FROM generate_series(1, ${jobs}) n
`

/** Returns how many jobs per second the processes claim and remove together, until the queue is empty. */
const claimed = async (server: Server.Server, processes: number, turn: number): Promise<number> => {
  const url = await server.database(`claims_${processes}_${turn}`)
  const { close } = await Stores.open(url)
  await server.query(url, due)
  await server.query(url, "ANALYZE pay.jobs")
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
  run: () =>
    Measure.inFolder(async (folder) => {
      const server = await Server.start()
      console.log(server.serverSettings)
      try {
        return [await committed(server), ...(await gateway(server, folder)), ...(await claims(server))]
      } finally {
        await server.close()
      }
    })
}
export default benchmark

if (import.meta.main) await Measure.main(benchmark)

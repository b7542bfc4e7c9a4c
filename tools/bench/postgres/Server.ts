/** A PostgreSQL server for one benchmark, on the disk with fsync, and its databases. */
import { Effect, Exit, Scope } from "effect"
import * as PostgresServer from "../../../tests/postgres/PostgresServer.ts"
import * as Session from "../../../tests/postgres/Session.ts"

/** Settings that fit the machine of the benchmark. All other settings have the server's defaults. */
const settings = { shared_buffers: "512MB", max_wal_size: "4GB", checkpoint_timeout: "15min", wal_compression: "on" }

export interface Server {
  readonly database: (name: string) => Promise<string>
  readonly query: (url: string, text: string) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
  /** The settings on which the figures depend, as the server reports them. */
  readonly serverSettings: string
  readonly close: () => Promise<void>
}

const names = ["server_version", "fsync", "synchronous_commit", "wal_sync_method", ...Object.keys(settings)]

export const start = async (): Promise<Server> => {
  const scope = Effect.runSync(Scope.make())
  const { port } = await Effect.runPromise(Scope.provide(PostgresServer.make({ settings }), scope))
  const admin = Session.url([port])
  const query = (url: string, text: string) => Effect.runPromise(Session.query({ connectionString: url }, text))
  const shown: Array<string> = []
  for (const name of names) {
    const [row] = await query(admin, `SELECT current_setting('${name}') AS value`)
    shown.push(`${name}=${row?.value}`)
  }
  return {
    database: async (name) => {
      await query(admin, `CREATE DATABASE ${name}`)
      const own = new URL(admin)
      own.pathname = `/${name}`
      return own.href
    },
    query,
    serverSettings: shown.join(" "),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

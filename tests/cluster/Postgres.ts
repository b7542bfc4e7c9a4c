/** The PostgreSQL server of the cluster. */
import { Effect } from "effect"
import * as PostgresServer from "../postgres/PostgresServer.ts"

/** How a client reaches it. */
export const open = (server: string) => ({ host: server, username: "postgres", database: "postgres" })

/** The folder of its socket. Runners die here, and never the database. */
export const server = Effect.map(PostgresServer.make({ inMemory: true, port: false }), ({ folder }) => folder)

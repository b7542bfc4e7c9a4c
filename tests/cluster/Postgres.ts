/** The PostgreSQL server of the cluster. */
import { Effect } from "effect"
import * as PostgresServer from "../postgres/PostgresServer.ts"

/** How a client reaches it. */
export const open = (server: string) => ({ host: server, username: "postgres", database: "postgres" })

/** The folder of its socket. Runners die here, and never the database: it need not wait for the disk. */
export const server = Effect.map(PostgresServer.make({ fsync: false, port: false }), ({ folder }) => folder)

/** The store on PostgreSQL keeps the contract of every store through a pooler that hands out connections by the transaction. */
import { Effect } from "effect"
import * as Contract from "../postgres/Contract.ts"
import * as Pgbouncer from "../postgres/Pgbouncer.ts"
import * as Session from "../postgres/Session.ts"

Contract.tests("the store's contract on PostgreSQL behind pgbouncer", (server) =>
  Effect.map(Pgbouncer.make(server), (port) => `${Session.url([port])}?pgbouncer=true`)
)

/** The store on PostgreSQL keeps the contract of every store through a pooler that hands out connections by the transaction. */
import { Effect } from "effect"
import * as Contract from "../postgres/Contract.ts"
import * as Pgbouncer from "../postgres/Pgbouncer.ts"

Contract.tests("the store's contract on PostgreSQL behind pgbouncer", (database) => {
  const url = new URL(database)
  const roles = { [url.username]: url.password }
  return Effect.map(Pgbouncer.make({ port: Number(url.port) }, { roles }), (port) => {
    url.port = `${port}`
    return `${url.href}?pgbouncer=true`
  })
})

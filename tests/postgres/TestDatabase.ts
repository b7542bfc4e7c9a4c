/** A database of one test's own, on a server that the machine has for tests or on one that the test starts. */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import * as DataTemplate from "./DataTemplate.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as Session from "./Session.ts"

/** The URL of a superuser on an existing server whose databases come and go with tests; a server of the test's own if it is not set. */
const existing = process.env.PAY_TEST_DATABASE_URL

const on = (fsync: boolean) =>
  existing === undefined
    ? Effect.map(PostgresServer.make({ fsync, hasStore: true }), ({ port }) => Session.url([port]))
    : Effect.succeed(existing)

/** The URL of a superuser on the server of tests that need no more of it than databases. */
export const server = on(false)

/** The same, for tests that look at how the server is set up. */
export const syncedServer = on(true)

/** The URL of the database on such a server that has the tables of a store, for copies; undefined where it has none. */
const storeOn = (serverUrl: string): string | undefined => {
  const url = new URL(serverUrl)
  url.pathname = `/${DataTemplate.storeDatabase}`
  return existing === undefined && process.env[DataTemplate.setting] !== undefined ? url.href : undefined
}

/** Makes a database for a store, which need not make its tables if the server has them. */
export const forStore = (serverUrl: string) => make(serverUrl, storeOn(serverUrl))

/**
 * Makes a database on the server with this URL, and drops it with the scope, whoever uses it then. Returns its own URL. With `template`,
 * the URL of another that nobody uses now, it is a copy of that.
 */
export const make = Effect.fnUntraced(function* (serverUrl: string, template?: string) {
  const name = `pay_test_${randomUUID().replaceAll("-", "")}`
  const admin = { connectionString: serverUrl }
  const source = template === undefined ? "" : ` TEMPLATE ${new URL(template).pathname.slice(1)}`
  yield* Effect.acquireRelease(Session.query(admin, `CREATE DATABASE ${name}${source}`), () =>
    Effect.orDie(Session.query(admin, `DROP DATABASE ${name} WITH (FORCE)`))
  )
  const own = new URL(serverUrl)
  own.pathname = `/${name}`
  return own.href
})

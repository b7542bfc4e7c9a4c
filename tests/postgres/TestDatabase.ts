/** A database of one test's own, on a server that the machine has for tests, on the server of the run, or on one that the test starts. */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import * as DataTemplate from "./DataTemplate.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as Session from "./Session.ts"

/** The URL of a superuser on an existing server whose databases come and go with tests. */
const existing = process.env.PAY_TEST_DATABASE_URL

/** The URL of a superuser on the server of tests that need no more of it than databases. Other tests use it too. */
export const server = Effect.suspend(() => {
  const running = existing ?? process.env[DataTemplate.serverSetting]
  return running === undefined
    ? Effect.map(PostgresServer.make({ inMemory: true, hasStore: true }), ({ port }) => Session.url([port]))
    : Effect.succeed(running)
})

/** The URL of the database of the shared server that has the tables of a store, for copies; undefined for another server. */
const storeOn = (serverUrl: string): string | undefined => {
  if (serverUrl !== process.env[DataTemplate.serverSetting]) return undefined
  const url = new URL(serverUrl)
  url.pathname = `/${DataTemplate.storeDatabase}`
  return url.href
}

/** Makes a database for a store, which need not make its tables if the server has them. */
export const forStore = (serverUrl: string) => make(serverUrl, storeOn(serverUrl))

/** Makes a copy of a store's database that is a store of its own. */
export const ofItsOwn = (serverUrl: string, template: string) =>
  Effect.tap(make(serverUrl, template), (url) => Session.query({ connectionString: url }, "DELETE FROM pay.binding"))

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

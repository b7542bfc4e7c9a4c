/** What a role, a database, a pooler or the whole server sets changes nothing of what a store does, or the store refuses to write. */
import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { CardRef } from "@pay/gateway/Entities"
import type { Store } from "@pay/gateway/Store"
import { Context, Effect, Layer } from "effect"
import { row } from "../../gateway/gateway/test/Row.ts"
import * as Contract from "./Contract.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as Sales from "./Sales.ts"
import * as Session from "./Session.ts"

/** Ends all sessions with the database but the one that asks. */
const cut =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"

/** Settings of a role or a database that sessions of a store have, too. */
const harmless: ReadonlyArray<readonly [setting: string, value: string]> = [
  ["array_nulls", "off"],
  ["backslash_quote", "off"],
  ["bytea_output", "escape"],
  ["check_function_bodies", "off"],
  ["client_encoding", "LATIN1"],
  ["client_min_messages", "error"],
  ["commit_delay", "1000"],
  ["cursor_tuple_fraction", "1"],
  ["DateStyle", "German"],
  ["default_transaction_deferrable", "on"],
  ["enable_indexscan", "off"],
  ["escape_string_warning", "off"],
  ["extra_float_digits", "-15"],
  ["idle_in_transaction_session_timeout", "1s"],
  ["IntervalStyle", "sql_standard"],
  ["jit_above_cost", "0"],
  ["lc_messages", "C"],
  ["lock_timeout", "5s"],
  ["plan_cache_mode", "force_generic_plan"],
  ["plpgsql.variable_conflict", "use_variable"],
  ["quote_all_identifiers", "on"],
  ["row_security", "off"],
  ["search_path", "odd, pg_catalog"],
  ["session_replication_role", "replica"],
  ["standard_conforming_strings", "off"],
  ["statement_timeout", "5s"],
  ["synchronous_commit", "off"],
  ["TimeZone", "Asia/Kathmandu"],
  ["transform_null_equals", "on"],
  ["work_mem", "64kB"],
  ["xmlbinary", "hex"]
]

/** Functions that answer nothing, under names that a store uses. */
const odd = [
  "CREATE SCHEMA odd",
  "CREATE FUNCTION odd.jsonb_array_elements(jsonb) RETURNS SETOF jsonb LANGUAGE sql AS 'SELECT NULL::jsonb WHERE false'",
  "CREATE FUNCTION odd.jsonb_array_elements_text(jsonb) RETURNS SETOF text LANGUAGE sql AS 'SELECT NULL WHERE false'",
  "CREATE FUNCTION odd.pg_notify(text, text) RETURNS void LANGUAGE sql AS 'SELECT 1/0'",
  "CREATE FUNCTION odd.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT 'on' $$",
  "CREATE FUNCTION odd.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT NULL::timestamptz'"
].join(";")

/** How a store reaches the server: by itself, or as it does behind a pooler, which sets nothing for it. */
const ways = [
  ["", ""],
  [" behind a pooler", "?pgbouncer=true"]
] as const

/** A database of all tests of a group. */
class Database extends Context.Service<Database, { readonly url: string; readonly name: string }>()(
  "tests/postgres/SettingsDatabase"
) {
  static readonly layer = Layer.effect(
    Database,
    Effect.gen(function* () {
      const url = yield* (yield* Sales.Databases).make
      yield* Session.query({ connectionString: url }, odd)
      return { url, name: new URL(url).pathname.slice(1) }
    })
  ).pipe(Layer.provide(Sales.Databases.layer))
}

const name = "ŁUKASZ ŻAK Ж\0\u0001'\\\n"
const card = row(CardRef, { cardRefId: "card", cardholder: name, encryptedPan: Uint8Array.of(0, 39, 92, 255) })

/** Sells, writes a card and reads everything again. */
const use = Effect.fnUntraced(function* (store: Store["Service"]) {
  const sales = Sales.none()
  const many = Effect.forEach(["1", "2", "3", "4", "5", "6"], (orderId) => Sales.sell(store, sales, orderId), {
    concurrency: 3
  })
  yield* many
  yield* store.commit({ guards: [], writes: [Decision.put(CardRef, card)] })
  assert.deepStrictEqual(yield* store.load(CardRef, ["card"]), card)
  assert.strictEqual(sales.acknowledged.length, 6)
  yield* Sales.check(store, sales)
})

/** A statement that sets this for the database. A list is not one text. */
const setting = (database: string, [name, value]: readonly [string, string]) =>
  `ALTER DATABASE ${database} SET ${name} = ${value.includes(",") ? value : `'${value}'`}`

layer(Database.layer, { excludeTestServices: true })("a role or a database changes nothing of a store", (it) => {
  for (const [how, way] of ways) {
    const unchanged = Effect.fnUntraced(function* (settings: typeof harmless) {
      const { name, url } = yield* Database
      const admin = { connectionString: url }
      yield* Session.query(admin, Contract.emptied)
      yield* Effect.addFinalizer(() => Effect.orDie(Session.query(admin, `ALTER DATABASE ${name} RESET ALL`)))
      for (const each of settings) yield* Session.query(admin, setting(name, each))
      yield* use(yield* Sales.open(`${url}${way}`))
    })
    it.effect(`with all its settings at once${how}`, () => unchanged(harmless))
    it.effect.each(harmless)(`with only %s = %s${how}`, (each) => unchanged([each]))
  }
})

/** What a person sets for the server while a gateway runs, and why the gateway refuses to write. */
const refused = [
  ["fsync", "off", "its fsync is off and must be on: acknowledged commits could be lost"],
  ["full_page_writes", "off", "its full_page_writes is off and must be on: acknowledged commits could be lost"],
  ["default_transaction_read_only", "on", "its default_transaction_read_only is on"]
] as const

class Server extends Context.Service<Server, PostgresServer.PostgresServer>()("tests/postgres/SettingsServer") {
  static readonly layer = Layer.effect(Server, PostgresServer.make({ inMemory: true, hasStore: true }))
}

/** Sells through both channels of a store. */
const both = (store: Store["Service"], sales: Sales.Sales, orderId: string) =>
  Effect.forEach([1, 2], (n) => Sales.sell(store, sales, `${orderId} ${n}`))

layer(Server.layer, { excludeTestServices: true })("a store refuses to write, and goes on by itself", (it) => {
  for (const [how, way] of ways)
    it.effect.each(refused)(`after %s was %s for a while${how}`, ([name, value, why]) =>
      Effect.gen(function* () {
        const server = yield* Server
        const admin = Session.superuser(server)
        yield* Session.query(admin, `SET default_transaction_read_only = off; ${Contract.emptied}`)
        const url = `${Session.url([server.port])}${way}`
        const store = yield* Sales.open(url)
        const sales = Sales.none()
        yield* both(store, sales, "before")
        yield* Session.query(admin, `ALTER SYSTEM SET ${name} = ${value}`)
        yield* Session.query(admin, "SELECT pg_reload_conf()")
        assert.deepStrictEqual(yield* Session.query(admin, `SHOW ${name}`), [{ [name]: value }])
        yield* both(store, sales, "refused")
        assert.include((yield* Effect.flip(Effect.scoped(Sales.open(url)))).message, why)
        assert.deepStrictEqual(sales.refused, ["refused 1", "refused 2"])
        yield* Session.query(admin, `ALTER SYSTEM RESET ${name}`)
        yield* Session.query(admin, "SELECT pg_reload_conf()")
        yield* Sales.recover(store, sales)
        yield* both(store, sales, "after")
        assert.deepStrictEqual(sales.unknown, [])
        yield* Sales.check(store, sales)
      })
    )

  it.effect("while a pooler gives it sessions of another isolation than it needs", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const admin = Session.superuser(server)
      yield* Session.query(admin, Contract.emptied)
      const store = yield* Sales.open(`${Session.url([server.port])}?pgbouncer=true`)
      const sales = Sales.none()
      yield* both(store, sales, "before")
      yield* Session.query(admin, "ALTER DATABASE postgres SET default_transaction_isolation = serializable")
      yield* Session.query(admin, cut)
      for (let n = 0; sales.refused.length < 4; n += 1) yield* Sales.sell(store, sales, `refused ${n}`)
      yield* Session.query(admin, "ALTER DATABASE postgres RESET ALL")
      yield* Sales.recover(store, sales)
      yield* Sales.check(store, sales)
    })
  )
})

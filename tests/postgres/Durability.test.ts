/** An acknowledged sale survives the server, whatever a person, a role or a database says about waiting for the disk. */
import { assert, describe, it, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Job } from "@pay/gateway/Entities"
import { Effect } from "effect"
import { row } from "../../gateway/gateway/test/Row.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as Sales from "./Sales.ts"
import * as Session from "./Session.ts"
import * as TcpProxy from "./TcpProxy.ts"

/** Ends all sessions with the database but the one that asks. */
const cut =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"

/** Notes what a transaction waits for when it commits, and which messages its client gets. */
const noting = [
  "CREATE TABLE public.noted (what text, waits_for text, messages text)",
  `CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
     INSERT INTO public.noted VALUES (TG_ARGV[0], current_setting('synchronous_commit'), current_setting('client_min_messages'));
     RETURN NULL; END $$`,
  ...["writers", "jobs"].flatMap((table) =>
    ["INSERT", "UPDATE"].map(
      (verb) =>
        `CREATE CONSTRAINT TRIGGER ${verb}_noted AFTER ${verb} ON pay.${table} DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW EXECUTE FUNCTION public.note('${verb} ${table}')`
    )
  )
].join(";")

/** What commits wait for by what the database says. */
const levels = [
  ["off", "on"],
  ["local", "on"],
  ["remote_write", "remote_write"],
  ["on", "on"],
  ["remote_apply", "remote_apply"]
] as const

const job = row(Job, { jobId: "due", kind: "bank", merchantId: "merchant" })

/** What stops waiting for the disk, and who says so. */
const lowered: ReadonlyArray<readonly [who: string, statements: ReadonlyArray<string>]> = [
  ["the server", ["ALTER SYSTEM SET synchronous_commit = off", "SELECT pg_reload_conf()"]],
  ["the role, and connections are new", ["ALTER ROLE postgres SET synchronous_commit = off", cut]],
  ["the database, and connections are new", ["ALTER DATABASE postgres SET synchronous_commit = off", cut]]
]

describe("a store on PostgreSQL keeps each acknowledged sale", () => {
  it.live.each(lowered)(
    "when %s stops waiting for the disk while it runs, and the server is killed",
    ([, statements]) =>
      Effect.gen(function* () {
        const server = yield* PostgresServer.make({ hasStore: true, settings: { wal_writer_delay: "10s" } })
        const admin = Session.superuser(server)
        const store = yield* Sales.open(Sales.at(server.port))
        const sales = Sales.none()
        // One through each channel.
        yield* Effect.forEach(["first", "second"], (orderId) => Sales.sell(store, sales, orderId))
        for (const statement of statements) yield* Session.query(admin, statement)
        const [level] = yield* Session.query(admin, "SHOW synchronous_commit")
        assert.deepStrictEqual(level, { synchronous_commit: "off" })
        // Nothing is written for sessions that do not write it themselves.
        const [writer] = yield* Session.query(
          admin,
          "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'"
        )
        process.kill(Number(writer?.pid), "SIGSTOP")
        yield* Sales.recover(store, sales)
        for (let n = 0; n < 20; n += 1) yield* Sales.sell(store, sales, `sale ${n}`)
        assert.isAtLeast(sales.acknowledged.length, 22)
        yield* server.kill
        yield* server.start
        const orders = yield* Session.query(admin, 'SELECT "orderId" FROM pay.orders')
        const there = new Set(orders.map(({ orderId }) => `${orderId}`))
        assert.deepStrictEqual(
          sales.acknowledged.filter((orderId) => !there.has(orderId)),
          [],
          "acknowledged and missing"
        )
        yield* Sales.check(yield* Sales.open(Sales.at(server.port)), sales)
      })
  )
})

layer(Sales.Databases.layer, { excludeTestServices: true })("each write of a store", (it) => {
  for (const way of ["", "?pgbouncer=true"])
    it.effect.each(levels)(
      `waits for what its database says, but at least for the disk and the standby: %s becomes %s ${way}`,
      ([level, waits]) =>
        Effect.gen(function* () {
          const url = yield* (yield* Sales.Databases).make
          const admin = { connectionString: url }
          const database = new URL(url).pathname.slice(1)
          yield* Session.query(admin, `ALTER DATABASE ${database} SET synchronous_commit = ${level}`)
          yield* Session.query(admin, `ALTER DATABASE ${database} SET client_min_messages = error`)
          yield* Session.query(admin, noting)
          const proxy = yield* TcpProxy.make(Number(new URL(url).port))
          const through = Object.assign(new URL(url), { port: `${proxy.port}` }).href
          const store = yield* Sales.open(`${through}${way}`)
          yield* store.commit({ guards: [], writes: [Decision.put(Job, job)] })
          yield* store.claimDue({ kind: "bank", nowMs: 1, limit: 1, leaseMs: 1, token: "token" })
          // The store asks how this commit ended.
          const done = yield* proxy.cutAt("after", "pay.commit_")
          yield* store.commit({ guards: [], writes: [] })
          yield* done
          const noted = yield* Session.query(admin, "SELECT DISTINCT * FROM public.noted ORDER BY what")
          assert.deepStrictEqual(
            noted,
            ["INSERT jobs", "INSERT writers", "UPDATE jobs", "UPDATE writers"].map((what) => ({
              ...{ what, waits_for: waits, messages: "warning" }
            }))
          )
        })
    )
})

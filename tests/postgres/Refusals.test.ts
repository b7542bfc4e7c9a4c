import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as PostgresServer from "./PostgresServer.ts"
import * as Sales from "./Sales.ts"
import * as ServerAccount from "./ServerAccount.ts"
import * as Session from "./Session.ts"
import * as TestDatabase from "./TestDatabase.ts"

/** Returns why a store is not opened: the reason and the message. */
const refusal = (url: string, options = {}) =>
  Effect.map(Effect.flip(Effect.scoped(Sales.open(url, options))), (error) => {
    assert.notInclude(error.message, "secret")
    return `${"why" in error ? error.why : error._tag}: ${error.message}`
  })

const withParameters = (url: string, parameters: Readonly<Record<string, string>>) =>
  `${url}?${new URLSearchParams(parameters)}`

describe("a store", () => {
  it.live("is not opened without a server, with a wrong password, or without a trusted certificate of the server", () =>
    Effect.gen(function* () {
      const server = yield* PostgresServer.make({ tls: true })
      const other = yield* PostgresServer.make({ tls: true, port: false })
      yield* Session.query(Session.superuser(server), "CREATE ROLE clerk LOGIN PASSWORD 'secret'")
      yield* Session.query(Session.superuser(server), "CREATE DATABASE pay OWNER clerk")
      const clerk = { user: "clerk", password: "secret", database: "pay" }
      const url = Session.url([server.port], clerk)
      const verified = { sslmode: "verify-full", sslrootcert: `${server.authority}` }
      yield* Effect.scoped(Sales.open(withParameters(url, verified)))
      const wrong = Session.url([server.port], { ...clerk, password: "secret, but another" })
      assert.match(
        yield* refusal(withParameters(encodeURI(wrong), verified)),
        /^unreachable: .*password authentication failed for user "clerk"/
      )
      const otherAuthority = { ...verified, sslrootcert: `${other.authority}` }
      assert.match(yield* refusal(withParameters(url, otherAuthority)), /^unreachable: .*certificate/)
      assert.match(yield* refusal(withParameters(url, { sslmode: "require" })), /^settings: .*does not verify/)
      assert.match(yield* refusal(url), /^unreachable: .*no encryption/)
      yield* server.kill
      assert.match(yield* refusal(withParameters(url, verified)), /^unreachable: .*ECONNREFUSED/)
    })
  )
})

layer(Sales.Databases.layer, { excludeTestServices: true })("a store", (it) => {
  it.effect("continues after a change of its password once the password file has the new one", () =>
    Effect.gen(function* () {
      const { server, make } = yield* Sales.Databases
      const admin = { connectionString: server }
      const name = `clerk_${new URL(yield* make).pathname.slice(-8)}`
      yield* Effect.acquireRelease(Session.query(admin, `CREATE ROLE ${name} SUPERUSER LOGIN PASSWORD 'first'`), () =>
        Effect.orDie(Session.query(admin, `DROP ROLE ${name}`))
      )
      const database = yield* TestDatabase.make(server)
      const passwordFile = join(yield* ServerAccount.folder, "password")
      writeFileSync(passwordFile, "first\n")
      const url = new URL(database)
      url.username = name
      url.password = ""
      const store = yield* Sales.open(url.href, { passwordFile })
      const sales = Sales.none()
      yield* Sales.sell(store, sales, "first")
      yield* Session.query(admin, `ALTER ROLE ${name} PASSWORD 'second'`)
      yield* Session.query(admin, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${name}'`)
      yield* Sales.sell(store, sales, "second")
      // The store may not know yet that its connections have ended when it sends the commit.
      assert.deepStrictEqual([sales.acknowledged, ...sales.refused, ...sales.unknown], [["first"], "second"])
      writeFileSync(passwordFile, "second\n")
      yield* Sales.recover(store, sales)
      yield* Sales.check(store, sales)
    })
  )

  it.effect("is not opened on a database of a newer incompatible release or of a development version", () =>
    Effect.gen(function* () {
      const url = yield* (yield* Sales.Databases).make
      const step = (oldest: number) =>
        Session.query(
          { connectionString: url },
          `INSERT INTO pay.migrations (id, name, checksum, oldest) SELECT max(id) + 1, 'later', 'x', ${oldest} FROM pay.migrations`
        )
      yield* step(1)
      yield* Effect.scoped(Sales.open(url))
      yield* step(1000)
      assert.match(yield* refusal(url), /^newer: .*this release is too old/)
      yield* Session.query({ connectionString: url }, "UPDATE pay.migrations SET checksum = 'other' WHERE id = 1")
      assert.match(yield* refusal(url), /^changed: .*development version of pay, .*start with an empty database$/)
    })
  )

  it.effect("is not opened with a file that is not its witness", () =>
    Effect.gen(function* () {
      const url = yield* (yield* Sales.Databases).make
      const witness = join(yield* ServerAccount.folder, "witness")
      writeFileSync(witness, "pay witness 1 store=1 sequence=1\n")
      assert.match(
        yield* refusal(url, { witness }),
        /witness is damaged, or is that of another store: name this gateway's own/
      )
    })
  )

  it.effect("is not opened with a witness that another process uses", () =>
    Effect.gen(function* () {
      const url = yield* (yield* Sales.Databases).make
      const witness = join(yield* ServerAccount.folder, "witness")
      yield* Sales.open(url, { witness })
      assert.match(yield* refusal(url, { witness }), /witness is in use by process/)
    })
  )

  it.effect("is created once by ten processes that start at once, and accepts commits of each", () =>
    Effect.gen(function* () {
      const { server } = yield* Sales.Databases
      const url = yield* TestDatabase.make(server)
      const stores = yield* Effect.all(
        Array.from({ length: 10 }, () => Sales.open(url)),
        { concurrency: "unbounded" }
      )
      const sales = Sales.none()
      yield* Effect.forEach(stores, (store, at) => Sales.sell(store, sales, `order ${at}`), {
        concurrency: "unbounded"
      })
      assert.lengthOf(sales.acknowledged, 10)
      for (const store of stores) yield* Sales.check(store, sales)
      const steps = yield* Session.query({ connectionString: url }, "SELECT id FROM pay.migrations ORDER BY id")
      assert.deepStrictEqual(
        steps,
        steps.map((_, at) => ({ id: at + 1 }))
      )
    })
  )

  it.effect("waits longer than the statement timeout while another process creates the tables", () =>
    Effect.gen(function* () {
      const { server } = yield* Sales.Databases
      const url = yield* TestDatabase.make(server)
      const other = yield* Session.open({ connectionString: url })
      yield* other.query("SELECT pg_advisory_lock(7241947211302)")
      const start = yield* Effect.forkChild(Sales.open(url, { statementTimeoutMs: 200 }), { startImmediately: true })
      const longWait =
        "SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND now() - query_start > '300 ms' AND datname = current_database()"
      const wait = Effect.repeat(other.query(longWait), { until: (rows) => rows.length > 0 })
      yield* Effect.raceFirst(wait, Fiber.join(start))
      yield* other.query("SELECT pg_advisory_unlock(7241947211302)")
      yield* Sales.check(yield* Fiber.join(start), Sales.none())
    })
  )

  it.effect("commits nothing while its role lacks a right, and continues once the right is granted", () =>
    Effect.gen(function* () {
      const { server, make } = yield* Sales.Databases
      const database = yield* make
      const name = `clerk_${new URL(database).pathname.slice(-8)}`
      const admin = { connectionString: database }
      yield* Effect.acquireRelease(
        Session.query({ connectionString: server }, `CREATE ROLE ${name} LOGIN PASSWORD 'secret'`),
        () => Effect.orDie(Session.query(admin, `DROP OWNED BY ${name}; DROP ROLE ${name}`))
      )
      const url = new URL(database)
      url.username = name
      url.password = "secret"
      assert.match(yield* refusal(url.href), /^rights: .*pay store migrate/)
      yield* Session.query(admin, `GRANT USAGE ON SCHEMA pay TO ${name}`)
      yield* Session.query(admin, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pay TO ${name}`)
      const store = yield* Sales.open(url.href)
      const sales = Sales.none()
      yield* Sales.sell(store, sales, "first")
      yield* Session.query(admin, `REVOKE INSERT ON pay.ledger FROM ${name}`)
      yield* Sales.sell(store, sales, "second")
      assert.deepStrictEqual(sales, { acknowledged: ["first"], refused: ["second"], unknown: [] })
      yield* Session.query(admin, `GRANT INSERT ON pay.ledger TO ${name}`)
      yield* Sales.recover(store, sales)
      yield* Sales.check(store, sales)
    })
  )
})

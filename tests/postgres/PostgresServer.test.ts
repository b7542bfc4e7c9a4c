import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as PostgresServer from "./PostgresServer.ts"
import * as Session from "./Session.ts"
import * as Standby from "./Standby.ts"

const table = "CREATE TABLE numbers (n int PRIMARY KEY)"
const insert = "INSERT INTO numbers VALUES ($1)"
const numbers = "SELECT n FROM numbers ORDER BY n"
const rows = (...values: ReadonlyArray<number>) => values.map((n) => ({ n }))

const atPort = (server: PostgresServer.PostgresServer, login: Session.Login = {}) => ({
  connectionString: Session.url([server.port], login)
})

describe("a PostgreSQL server of a test's own", () => {
  it.live("keeps what it committed when it stops at once, and when each of its processes is killed", () =>
    Effect.gen(function* () {
      const server = yield* PostgresServer.make({ settings: { work_mem: "1234kB" } })
      const session = yield* Session.open(atPort(server))
      yield* session.query(table)
      assert.deepStrictEqual(yield* session.query("SHOW fsync"), [{ fsync: "on" }])
      assert.deepStrictEqual(yield* session.query("SHOW work_mem"), [{ work_mem: "1234kB" }])
      yield* session.query(insert, [1])
      yield* server.restart("immediate")
      assert.strictEqual(yield* Session.stateOf(session.query(insert, [0])), "connection")
      yield* Session.query(atPort(server), insert, [2])
      yield* server.kill
      assert.strictEqual(yield* Session.stateOf(Session.open(atPort(server))), "connection")
      yield* server.start
      assert.deepStrictEqual(yield* Session.query(atPort(server), numbers), rows(1, 2))
      yield* server.restart("fast")
      assert.deepStrictEqual(yield* Session.query(Session.superuser(server), numbers), rows(1, 2))
      assert.include(yield* server.log, "database system was shut down")
    })
  )

  it.live("answers nothing while it is paused, and everything afterwards", () =>
    Effect.gen(function* () {
      const server = yield* PostgresServer.make()
      const session = yield* Session.open(atPort(server))
      yield* session.query(table)
      yield* server.pause
      const answer = yield* Effect.forkChild(session.query(insert, [1]), { startImmediately: true })
      const other = yield* Effect.forkChild(Session.query(atPort(server), "SELECT 1"))
      const early = yield* Effect.timeoutOption(Fiber.join(other), "200 millis")
      assert.strictEqual(early._tag, "None")
      assert.isUndefined(answer.pollUnsafe())
      yield* server.resume
      yield* Fiber.join(answer)
      assert.deepStrictEqual(yield* session.query(numbers), rows(1))
    })
  )

  it.live("asks for passwords, and for TLS with a certificate that clients verify", () =>
    Effect.gen(function* () {
      const server = yield* PostgresServer.make({ tls: true })
      yield* Session.query(Session.superuser(server), "CREATE ROLE clerk LOGIN PASSWORD 'right'")
      const login = { user: "clerk", password: "right" }
      const verified = (password: string) => ({
        connectionString: `${Session.url([server.port], { ...login, password })}?sslrootcert=${server.authority}`
      })
      const encrypted = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
      assert.deepStrictEqual(yield* Session.query(verified("right"), encrypted), [{ ssl: true }])
      assert.strictEqual(yield* Session.stateOf(Session.open(verified("wrong"))), "28P01")
      assert.strictEqual(yield* Session.stateOf(Session.open(atPort(server, login))), "28000")
      const strangers = { ...atPort(server, login), ssl: true }
      assert.include((yield* Effect.flip(Session.open(strangers))).message, "certificate")
    })
  )

  it.live("commits only what its standby has, which takes its place", () =>
    Effect.gen(function* () {
      const primary = yield* PostgresServer.make()
      const standby = yield* Standby.make(primary)
      const session = yield* Session.open(atPort(primary))
      yield* session.query(table)
      yield* session.query(insert, [1])
      assert.strictEqual(yield* Session.stateOf(Session.query(atPort(standby), insert, [2])), "25006")
      yield* standby.kill
      const commit = yield* Effect.forkChild(session.query(insert, [3]), { startImmediately: true })
      const waiting = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
      yield* Standby.untilRow(primary, waiting)
      assert.isUndefined(commit.pollUnsafe())
      yield* standby.start
      yield* Standby.synchronous(primary)
      yield* Fiber.join(commit)
      yield* primary.kill
      yield* Standby.promote(standby)
      yield* Session.query(atPort(standby), insert, [4])
      assert.deepStrictEqual(yield* Session.query(atPort(standby), numbers), rows(1, 3, 4))
    })
  )
})

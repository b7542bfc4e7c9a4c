import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Fiber, Layer } from "effect"
import * as PostgresServer from "./PostgresServer.ts"
import * as Session from "./Session.ts"
import * as TcpProxy from "./TcpProxy.ts"
import * as TestDatabase from "./TestDatabase.ts"

const now = { startImmediately: true }

class Server extends Context.Service<Server, string>()("Server") {}

/** A database behind a proxy, and the URL that leads past the proxy. */
const behindProxy = Effect.gen(function* () {
  const direct = yield* TestDatabase.make(yield* Server)
  yield* Session.query({ connectionString: direct }, "CREATE TABLE numbers (n int PRIMARY KEY)")
  const url = new URL(direct)
  const proxy = yield* TcpProxy.make(Number(url.port))
  url.port = `${proxy.port}`
  return { direct: { connectionString: direct }, through: { connectionString: url.href }, proxy }
})

const insert = "INSERT INTO numbers VALUES ($1)"
const count = "SELECT count(*)::int AS n FROM numbers"

const moments: ReadonlyArray<readonly [TcpProxy.Moment, number]> = [
  ["before", 0],
  ["during", 1],
  ["after", 1]
]

layer(Layer.effect(Server, TestDatabase.server), { excludeTestServices: true })(
  "a proxy in front of PostgreSQL",
  (it) => {
    it.effect.each(moments)("cuts a connection %s its statement: the database then has %i row", ([moment, rows]) =>
      Effect.gen(function* () {
        const { direct, proxy, through } = yield* behindProxy
        const session = yield* Session.open(through)
        const other = yield* Session.open(through)
        const done = yield* proxy.cutAt(moment, "INTO numbers")
        assert.deepStrictEqual(yield* session.query(count), [{ n: 0 }])
        const [server] = yield* session.query("SELECT pg_backend_pid() AS process")
        assert.strictEqual(yield* Session.stateOf(session.query(insert, [1])), "connection")
        yield* done
        // What its process received it executes, maybe later, and then it ends.
        const left = "SELECT FROM pg_stat_activity WHERE pid = $1"
        yield* Effect.repeat(Session.query(direct, left, [server?.process]), {
          until: (sessions) => sessions.length === 0
        })
        assert.deepStrictEqual(yield* other.query(count), [{ n: rows }])
        yield* other.query(insert, [2])
      })
    )

    it.effect("keeps the order of delayed statements", () =>
      Effect.gen(function* () {
        const { proxy, through } = yield* behindProxy
        const session = yield* Session.open({ ...through, pipeline: true })
        const { requests: before } = yield* proxy.counts
        yield* proxy.delay(200)
        const first = yield* Effect.forkChild(session.query("SELECT 1 AS n"), now)
        yield* Effect.repeat(proxy.counts, { until: ({ requests }) => requests > before })
        yield* proxy.delay(0)
        assert.deepStrictEqual(yield* session.query("SELECT 2 AS n"), [{ n: 2 }])
        assert.deepStrictEqual(yield* Fiber.join(first), [{ n: 1 }])
      })
    )

    it.effect("connects new clients to another server, and leaves open connections on theirs", () =>
      Effect.gen(function* () {
        const { proxy, through } = yield* behindProxy
        const other = yield* PostgresServer.make({ inMemory: true })
        const session = yield* Session.open(through)
        yield* proxy.aim(other.port)
        assert.deepStrictEqual(yield* session.query(count), [{ n: 0 }])
        const port = yield* Session.query({ connectionString: Session.url([proxy.port]) }, "SHOW port")
        assert.deepStrictEqual(port, [{ port: `${other.port}` }])
      })
    )

    it.effect("cuts a connection at the execution of a prepared statement", () =>
      Effect.gen(function* () {
        const { proxy, through } = yield* behindProxy
        const session = yield* Session.open(through)
        const prepared = (n: number) => session.query(insert, [n], "insert")
        yield* prepared(1)
        const cut = yield* proxy.cutAt("before", "INTO numbers")
        assert.strictEqual(yield* Session.stateOf(prepared(2)), "connection")
        yield* cut
      })
    )

    it.effect("delivers a statement whose client has gone", () =>
      Effect.gen(function* () {
        const { direct, proxy, through } = yield* behindProxy
        const { arrive, begun } = yield* proxy.holdAt("INTO numbers")
        const client = yield* Effect.forkChild(Session.query(through, insert, [1]), now)
        yield* begun
        yield* Fiber.interrupt(client)
        assert.deepStrictEqual(yield* Session.query(direct, count), [{ n: 0 }])
        yield* arrive
        assert.deepStrictEqual(yield* Session.query(direct, count), [{ n: 1 }])
      })
    )

    it.effect("delays what clients send", () =>
      Effect.gen(function* () {
        const { proxy, through } = yield* behindProxy
        const session = yield* Session.open(through)
        yield* proxy.delay(100)
        const [beginMs] = [yield* Clock.currentTimeMillis]
        yield* session.query(count)
        assert.isAtLeast((yield* Clock.currentTimeMillis) - beginMs, 99)
      })
    )

    it.effect("pauses all traffic, and resumes it", () =>
      Effect.gen(function* () {
        const { proxy, through } = yield* behindProxy
        const session = yield* Session.open(through)
        yield* proxy.pause
        const answer = yield* Effect.forkChild(session.query(count), now)
        assert.strictEqual((yield* Effect.timeoutOption(Fiber.await(answer), "100 millis"))._tag, "None")
        yield* proxy.resume
        assert.deepStrictEqual(yield* Fiber.join(answer), [{ n: 0 }])
      })
    )

    it.effect("cuts all connections, refuses and accepts new ones, and counts requests", () =>
      Effect.gen(function* () {
        const { proxy, through } = yield* behindProxy
        const session = yield* Session.open(through)
        const { requests } = yield* proxy.counts
        yield* session.query(count)
        assert.deepStrictEqual(yield* proxy.counts, { connections: 1, requests: requests + 1 })
        yield* proxy.cutAll
        assert.strictEqual(yield* Session.stateOf(session.query(count)), "connection")
        const next = yield* Session.open(through)
        yield* proxy.refuse
        assert.strictEqual(yield* Session.stateOf(next.query(count)), "connection")
        assert.strictEqual(yield* Session.stateOf(Session.open(through)), "connection")
        yield* proxy.accept
        assert.deepStrictEqual(yield* Session.query(through, count), [{ n: 0 }])
      })
    )
  }
)

import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as PostgresServer from "./PostgresServer.ts"
import * as Session from "./Session.ts"

const table = "CREATE TABLE numbers (n int PRIMARY KEY)"
const insert = "INSERT INTO numbers VALUES ($1)"
const numbers = "SELECT n FROM numbers ORDER BY n"
const rows = (...values: ReadonlyArray<number>) => values.map((n) => ({ n }))

const atPort = (server: PostgresServer.PostgresServer) => ({ connectionString: Session.url([server.port]) })

describe("a PostgreSQL server of a test", () => {
  it.live("keeps committed rows when it stops immediately, and when it is killed", () =>
    Effect.gen(function* () {
      const server = yield* PostgresServer.make({ settings: { work_mem: "1234kB" } })
      const session = yield* Session.open(atPort(server))
      yield* session.query(table)
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

  it.live("answers nothing while it is paused, and everything after it is resumed", () =>
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
})

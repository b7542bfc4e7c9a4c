import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Pgbouncer from "../postgres/Pgbouncer.ts"
import * as PostgresServer from "../postgres/PostgresServer.ts"
import * as Session from "../postgres/Session.ts"

it.live("a pgbouncer in transaction mode shares few connections among many clients", () =>
  Effect.gen(function* () {
    const server = yield* PostgresServer.make({ inMemory: true, hasStore: true })
    const port = yield* Pgbouncer.make(server, { connections: 1 })
    const pool = { connectionString: Session.url([port]) }
    const [one, other] = yield* Effect.all([Session.open(pool), Session.open(pool)])
    const processId = "SELECT pg_backend_pid() AS id"
    assert.deepStrictEqual(yield* one.query(processId), yield* other.query(processId))
    // So a session's own state is not its own.
    yield* one.query("SET work_mem = '1234kB'")
    assert.deepStrictEqual(yield* other.query("SHOW work_mem"), [{ work_mem: "1234kB" }])
    const wrong = Session.open({ connectionString: Session.url([port], { password: "wrong" }) })
    assert.include((yield* Effect.flip(wrong)).message, "authentication failed")
  })
)

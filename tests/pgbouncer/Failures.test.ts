import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Pgbouncer from "../postgres/Pgbouncer.ts"
import * as PostgresServer from "../postgres/PostgresServer.ts"
import * as Sales from "../postgres/Sales.ts"
import * as Session from "../postgres/Session.ts"
import * as TcpProxy from "../postgres/TcpProxy.ts"

/** Stores of two processes behind a pool with few connections, with a proxy between pool and server. */
const pooled = Effect.gen(function* () {
  const server = yield* PostgresServer.make({ hasStore: true })
  const proxy = yield* TcpProxy.make(server.port)
  const pool = yield* Pgbouncer.make(proxy, { connections: 3 })
  const url = `${Session.url([pool])}?pgbouncer=true`
  return { proxy, server, stores: yield* Effect.all([Sales.open(url), Sales.open(url)]) }
})

describe("stores behind pgbouncer with too few connections", () => {
  it.live("keep each acknowledged sale once when the server is killed and started again", () =>
    Effect.gen(function* () {
      const { server, stores } = yield* pooled
      const sales = yield* Effect.scoped(
        Effect.gen(function* () {
          const load = yield* Sales.sellers(stores)
          yield* Sales.more(load.acknowledged)
          yield* server.kill
          yield* server.start
          yield* Sales.more(load.acknowledged)
          return load
        })
      )
      yield* Sales.check(stores[0], sales)
    })
  )

  it.live("find out the outcome of a commit whose connection is cut behind the pool", () =>
    Effect.gen(function* () {
      const { proxy, stores } = yield* pooled
      const sales = Sales.none()
      for (const moment of ["before", "during", "after"] as const) {
        const done = yield* proxy.cutAt(moment, "pay.commit_")
        yield* Sales.sell(stores[0], sales, moment)
        yield* done
      }
      assert.deepStrictEqual(sales.acknowledged, ["before", "during", "after"])
      yield* Sales.check(stores[1], sales)
    })
  )
})

/** In transaction mode a session keeps what its last client set, and the next client of the pool gets it. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as Contract from "../postgres/Contract.ts"
import * as Pgbouncer from "../postgres/Pgbouncer.ts"
import * as PostgresServer from "../postgres/PostgresServer.ts"
import * as Sales from "../postgres/Sales.ts"
import * as Session from "../postgres/Session.ts"

/** A pool of one session, and a store that writes through it. */
class Pool extends Context.Service<
  Pool,
  { readonly server: PostgresServer.PostgresServer; readonly url: string; readonly other: Session.Session }
>()("tests/pgbouncer/Pool") {
  static readonly layer = Layer.effect(
    Pool,
    Effect.gen(function* () {
      const server = yield* PostgresServer.make({ inMemory: true, hasStore: true })
      const url = Session.url([yield* Pgbouncer.make(server, { connections: 1 })])
      return { server, url: `${url}?pgbouncer=true`, other: yield* Session.open({ connectionString: url }) }
    })
  )
}

/** What another client leaves in the session, how it is taken back, and whether the store writes in between. */
const left = [
  ["SET synchronous_commit = off", "RESET synchronous_commit", "acknowledged"],
  ["SET client_min_messages = error", "RESET client_min_messages", "acknowledged"],
  ["SET search_path = nowhere", "RESET search_path", "acknowledged"],
  ["SET client_encoding = LATIN1", "RESET client_encoding", "acknowledged"],
  [
    "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE",
    "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED",
    "refused"
  ],
  [
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
    "refused"
  ]
] as const

layer(Pool.layer, { excludeTestServices: true })("a store behind a pool", (it) => {
  it.effect.each(left)("writes as it must, or not at all, after another client's %s", ([statement, back, outcome]) =>
    Effect.gen(function* () {
      const { other, server, url } = yield* Pool
      yield* Session.query(Session.superuser(server), Contract.emptied)
      const sales = Sales.none()
      const store = yield* Sales.open(url)
      yield* Sales.sell(store, sales, "before")
      yield* other.query(statement)
      yield* Sales.sell(store, sales, "after, ŻAK")
      yield* other.query(back)
      yield* Sales.recover(store, sales)
      assert.include(sales[outcome], "after, ŻAK")
      assert.deepStrictEqual(sales.unknown, [])
      yield* Sales.check(store, sales)
      yield* Sales.check(yield* Sales.open(Sales.at(server.port)), sales)
    })
  )
})

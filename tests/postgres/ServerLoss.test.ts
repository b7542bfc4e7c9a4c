import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as Contract from "./Contract.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as Sales from "./Sales.ts"
import * as Session from "./Session.ts"

/** The server of all tests of this file. Each test finds it running, with an empty store. */
class Server extends Context.Service<Server, PostgresServer.PostgresServer>()("tests/postgres/Server") {
  static readonly layer = Layer.effect(Server, PostgresServer.make({ hasStore: true }))
}

/** Sells in the stores of two processes while the server fails, and checks each sale afterwards. */
const through = (loss: (server: PostgresServer.PostgresServer, sales: Sales.Sales) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const server = yield* Server
    yield* Session.query(Session.superuser(server), Contract.emptied)
    const url = Sales.at(server.port)
    const stores = yield* Effect.all([Sales.open(url), Sales.open(url)])
    const sales = yield* Effect.scoped(
      Effect.gen(function* () {
        const load = yield* Sales.sellers(stores)
        yield* Sales.more(load.acknowledged)
        yield* loss(server, load)
        yield* Sales.more(load.acknowledged)
        return load
      })
    )
    const orders = yield* Sales.check(stores[0], sales)
    assert.isAtLeast(orders.length, 100)
    return sales
  })

layer(Server.layer, { excludeTestServices: true })(
  "stores on PostgreSQL keep each acknowledged sale once, and recover by themselves",
  (it) => {
    for (const mode of ["fast", "immediate"] as const)
      it.effect(`when the server restarts (${mode})`, () => through(({ restart }) => restart(mode)))

    it.effect("when the server is killed, and acknowledge nothing until it is started again", () =>
      through(
        Effect.fnUntraced(function* ({ kill, start }, sales) {
          yield* kill
          const { length } = sales.acknowledged
          yield* Sales.more(sales.refused)
          assert.lengthOf(sales.acknowledged, length)
          yield* start
        })
      )
    )

    it.effect("when the server is paused for longer than they wait", () =>
      through(({ pause, resume }) => Effect.andThen(pause, Effect.delay(resume, "2500 millis")))
    )
  }
)

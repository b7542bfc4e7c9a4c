import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PostgresServer from "./PostgresServer.ts"
import * as Sales from "./Sales.ts"

/** Sells over two processes' stores while this happens to the server; the sales that were answered until it was over. */
const through = (loss: (server: PostgresServer.PostgresServer, sales: Sales.Sales) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const server = yield* PostgresServer.make({ hasStore: true })
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

describe("stores on PostgreSQL keep each acknowledged sale once, and recover by themselves", () => {
  for (const mode of ["fast", "immediate"] as const)
    it.live(`when the server restarts (${mode})`, () => through(({ restart }) => restart(mode)))

  it.live("when the server is killed, and acknowledge nothing until it is started again", () =>
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

  it.live("when the server is paused for longer than they wait", () =>
    through(({ pause, resume }) => Effect.andThen(pause, Effect.delay(resume, "2500 millis")))
  )
})

/** A later release changes the schema while the previous one runs: no sale is refused, and the previous one still starts. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Migrate from "../../gateway/storage/src/postgres/Migrate.ts"
import { migrations } from "../../gateway/storage/src/postgres/Migrations.ts"
import * as StoreSession from "../../gateway/storage/src/postgres/Session.ts"
import * as Target from "../../gateway/storage/src/postgres/Target.ts"
import * as Sales from "./Sales.ts"

/** A step of a release that is yet to come: it only adds. */
const later: Migrate.Migration = {
  id: 1000,
  name: "later",
  oldest: 1,
  sql: 'ALTER TABLE pay."orders" ADD COLUMN "later" text;\n\nCREATE INDEX "orders.later" ON pay."orders" ("later");\n'
}

const upgraded = Effect.fnUntraced(function* (url: string) {
  const target = yield* Effect.fromResult(Target.parse(url))
  const session = yield* StoreSession.connect(target, { connectMs: 2000, answerMs: 10_000 })
  yield* Migrate.migrate(session, [...migrations, later])
})

layer(Sales.Databases.layer, { excludeTestServices: true })("an upgrade of the schema", (it) => {
  it.effect("lets processes of the previous release run and start, and refuses no sale", () =>
    Effect.gen(function* () {
      const url = yield* (yield* Sales.Databases).make
      const stores = [yield* Sales.open(url), yield* Sales.open(url)]
      const sales = yield* Effect.scoped(
        Effect.gen(function* () {
          const sales = yield* Sales.sellers(stores)
          yield* Sales.more(sales.acknowledged)
          yield* upgraded(url)
          yield* Sales.more(sales.acknowledged)
          return sales
        })
      )
      const again = yield* Sales.open(url)
      yield* Sales.sell(again, sales, "of the release before")
      assert.deepStrictEqual([sales.refused, sales.unknown], [[], []])
      assert.include(sales.acknowledged, "of the release before")
      yield* Sales.check(again, sales)
    })
  )
})

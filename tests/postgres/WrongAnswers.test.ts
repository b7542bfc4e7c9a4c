import { layer } from "@effect/vitest"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Effect, Layer, Redacted } from "effect"
import * as WrongAnswers from "../system/WrongAnswers.ts"
import * as Sales from "./Sales.ts"

const inDatabase = Effect.gen(function* () {
  const url = yield* (yield* Sales.Databases).make
  return Layer.orDie(PostgresStore.layer({ url: Redacted.make(url) }))
})

layer(Sales.Databases.layer, { excludeTestServices: true })(
  "a bank whose adapter gives what its port does not have, before a store on PostgreSQL",
  (it) => {
    it.effect("is inquired, and the sale is settled with the bank's own number", () =>
      Effect.flatMap(inDatabase, WrongAnswers.inquired)
    )

    it.effect("sends text that no store keeps, which is stored with escapes", () =>
      Effect.flatMap(inDatabase, WrongAnswers.stored)
    )
  }
)

/** Runs the contract of every store over stores on PostgreSQL; a test says how they reach the server. */
import { it } from "@effect/vitest"
import * as Entities from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as StoreContract from "@pay/gateway/StoreContract"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import * as Session from "./Session.ts"
import * as TestDatabase from "./TestDatabase.ts"

/** Two stores share the database as two processes do. */
export class Stores extends Context.Service<
  Stores,
  { readonly database: string; readonly one: Store["Service"]; readonly other: Store["Service"] }
>()("@pay/tests/Stores") {}

const open = (url: string) =>
  Effect.map(Layer.build(Layer.fresh(PostgresStore.layer({ url: Redacted.make(url) }))), Context.get(Store))

/** Gives the URL by which stores reach the database with this URL. */
export type Way = (database: string) => Effect.Effect<string, never, Scope.Scope>

export const direct: Way = Effect.succeed

export const layer = (way: Way) =>
  Layer.effect(
    Stores,
    Effect.gen(function* () {
      const database = yield* Effect.flatMap(TestDatabase.server, TestDatabase.forStore)
      const url = yield* way(database)
      return { database, one: yield* open(url), other: yield* open(url) }
    })
  )

/** Deletes all rows of a store. */
export const emptied = [
  "SET session_replication_role = replica",
  ...Entities.all.map(({ name }) => `DELETE FROM pay."${name}"`)
].join(";")

/** Declares the contract's tests, each over an empty database; `of` makes of the two stores the one under test. */
export const tests = (name: string, way: Way, of: (stores: Stores["Service"]) => Store["Service"] = ({ one }) => one) =>
  it.layer(layer(way), { excludeTestServices: true })(name, (it) => {
    for (const { name, run } of StoreContract.cases)
      it.effect(name, () =>
        Effect.gen(function* () {
          const stores = yield* Stores
          yield* Session.query({ connectionString: stores.database }, emptied)
          yield* Effect.provideService(run, Store, of(stores))
        })
      )
  })

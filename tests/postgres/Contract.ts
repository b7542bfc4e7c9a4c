/** Runs the contract of every store over stores on PostgreSQL; a test says how they reach the server. */
import { it } from "@effect/vitest"
import * as Entities from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as StoreContract from "@pay/gateway/StoreContract"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import * as PostgresServer from "./PostgresServer.ts"
import * as Session from "./Session.ts"

/** Two stores share the database as two processes do. */
export class Stores extends Context.Service<
  Stores,
  { readonly server: PostgresServer.PostgresServer; readonly one: Store["Service"]; readonly other: Store["Service"] }
>()("@pay/tests/Stores") {}

const open = (url: string) =>
  Effect.map(Layer.build(Layer.fresh(PostgresStore.layer({ url: Redacted.make(url) }))), Context.get(Store))

/** Gives the URL by which stores reach this server. */
export type Way = (server: PostgresServer.PostgresServer) => Effect.Effect<string, never, Scope.Scope>

export const direct: Way = ({ port }) => Effect.succeed(Session.url([port]))

export const layer = (way: Way) =>
  Layer.effect(
    Stores,
    Effect.gen(function* () {
      const server = yield* PostgresServer.make({ fsync: false, hasStore: true })
      const url = yield* way(server)
      return { server, one: yield* open(url), other: yield* open(url) }
    })
  )

const emptied = [
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
          yield* Session.query(Session.superuser(stores.server), emptied)
          yield* Effect.provideService(run, Store, of(stores))
        })
      )
  })

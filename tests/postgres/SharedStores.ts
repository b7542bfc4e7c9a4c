/** Stores of several processes on one database, for the programs of `tests/many`. */
import { afterAll } from "@effect/vitest"
import * as Entities from "@pay/gateway/Entities"
import { ShortLivedKeyTable } from "@pay/gateway/KeyVault"
import { Store } from "@pay/gateway/Store"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import * as Gateways from "../many/Gateways.ts"
import * as Session from "./Session.ts"
import * as TestDatabase from "./TestDatabase.ts"

/** One for what stands around the gateways, and one for each of three processes. */
const places = [0, 1, 2, 3] as const

type Services = Store | ShortLivedKeyTable

/** A database, and stores on it that take turns in being processes: each test finds it empty. */
class Shared extends Context.Service<
  Shared,
  { readonly stores: ReadonlyArray<Context.Context<Services>>; readonly empty: Effect.Effect<void> }
>()("@pay/tests/Shared") {
  static readonly layer = Layer.effect(
    Shared,
    Effect.gen(function* () {
      const url = yield* TestDatabase.forStore(yield* TestDatabase.server)
      const options = { url: Redacted.make(url), writers: 1 }
      const stores = yield* Effect.forEach(places, () => Layer.build(Layer.fresh(PostgresStore.layer(options))))
      const session = yield* Session.open({ connectionString: url })
      yield* session.query("SET session_replication_role = replica")
      const tables = [...Entities.all.map(({ name }) => name), "short_lived_keys"]
      /** A commit of a process that was killed is over when its only channel has done another one. */
      const still = Effect.forEach(stores, (store) => Context.get(store, Store).commit({ guards: [], writes: [] }), {
        concurrency: "unbounded",
        discard: true
      })
      const emptied = session.query(tables.map((name) => `DELETE FROM pay."${name}"`).join(";"))
      return { stores, empty: Effect.orDie(Effect.andThen(still, emptied)) }
    })
  )
}

/** For one file of tests: another file may share this module, and has stores of its own. */
export const make = () => {
  const shared = ManagedRuntime.make(Shared.layer)
  afterAll(() => shared.dispose())

  const inFile = Effect.promise(() => shared.runPromise(Shared))

  /** What stands around the gateways, and a store for each that is started: all of them empty. */
  const layer = Layer.effectContext(
    Effect.gen(function* () {
      const { empty, stores } = yield* inFile
      yield* empty
      const [around, ...others] = stores
      if (around === undefined) return yield* Effect.die(new Error("no store was opened"))
      let joined = 0
      const join = (store: Store["Service"]) =>
        Effect.sync(() => {
          const next = others[joined++ % others.length]
          return next === undefined ? store : Context.get(next, Store)
        })
      return Context.add(around, Gateways.Joining, join)
    })
  )

  /** The table of short-lived keys of these stores, as it is. */
  const table = Layer.effectContext(
    Effect.flatMap(inFile, ({ stores: [around] }) =>
      around === undefined
        ? Effect.die(new Error("no store was opened"))
        : Effect.succeed(Context.pick(ShortLivedKeyTable)(around))
    )
  )
  return { layer, table }
}

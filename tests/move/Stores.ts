/** Stores of both engines, and moves from a file to a database. */
import { dirname, join } from "node:path"
import type { Store } from "@pay/gateway/Store"
import * as Move from "@pay/storage/Move"
import * as PostgresStore from "@pay/storage/PostgresStore"
import * as Reopen from "@pay/storage/Reopen"
import * as Schema from "@pay/storage/Schema"
import * as SqliteStore from "@pay/storage/SqliteStore"
import * as StoreCheck from "@pay/storage/StoreCheck"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Session from "../postgres/Session.ts"
import * as TestDatabase from "../postgres/TestDatabase.ts"

/** The URL of a superuser on the server of a file's tests. */
export class Server extends Context.Service<Server, string>()("@pay/tests/move/Server") {
  static readonly layer = Layer.effect(Server, TestDatabase.server)
}

/** A database without a store. */
export const database = Effect.flatMap(Server, TestDatabase.make)

/** A database for a store, whose tables it may have. */
export const databaseForStore = Effect.flatMap(Server, TestDatabase.forStore)

/** The path of a store that does not exist yet. */
export const file = Effect.map(temporaryFolder, (folder) => join(folder, "gateway.db"))

export const onDatabase = (url: string, options: Partial<PostgresStore.Options> = {}) =>
  PostgresStore.layer({ url: Redacted.make(url), readers: 1, writers: 1, ...options })

const onFile = (path: string) => SqliteStore.layer({ path, witness: join(dirname(path), "store.witness") })

const layerOf = (place: string): Layer.Layer<Store, PostgresStore.OpenError | SqliteStore.OpenError> =>
  place.startsWith("postgres://") ? onDatabase(place) : onFile(place)

/** Runs the effect with the store, which is open only then. */
export const withStore =
  (place: string) =>
  <A, E, R>(use: Effect.Effect<A, E, R>) =>
    Effect.provide(use, layerOf(place), { local: true })

/** Returns why a store cannot be opened. */
export const refusal = (place: string) => reasonOf(Layer.build(layerOf(place)))

export const reasonOf = <E extends { readonly message: string }>(effect: Effect.Effect<unknown, E, Scope.Scope>) =>
  Effect.map(Effect.flip(Effect.scoped(effect)), ({ message }) => message)

export const migrate = (url: string, runsAs?: string) =>
  Effect.scoped(Schema.migrate({ place: { url: Redacted.make(url) }, runsAs }))

export const check = (url: string, witness?: string) =>
  Effect.scoped(StoreCheck.run({ place: { url: Redacted.make(url) }, witness }))

export const move = (from: string, to: string, report: Move.Options["report"] = () => {}) =>
  Effect.scoped(Move.run({ from, to: { url: Redacted.make(to) }, by: "tester", report }))

/** Returns why a store is not moved. */
export const moveRefusal = (from: string, to: string) =>
  Effect.map(Effect.flip(move(from, to)), ({ message, why }) => `${why}: ${message}`)

/** Moves a store until this phase begins, and interrupts the move there. */
export const moveUntil = (from: string, to: string, phase: Move.Progress["phase"]) =>
  Effect.exit(
    move(from, to, (progress) => {
      if (progress.phase === phase) throw new Error("left")
    })
  )

export const reopen = (path: string, unused = false) => Effect.scoped(Reopen.run({ path, unused }))

export const sql = (url: string, text: string) => Session.query({ connectionString: url }, text)

/** Dates the last commits of all writers a minute back, so that no process seems to use the store. */
export const ageCommits = (url: string) => sql(url, "UPDATE pay.writers SET at = at - interval '1 minute'")

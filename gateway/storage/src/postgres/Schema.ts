/** Creates or changes the schema of a store as the role that owns it, so that the role of the gateway needs no right to do so. */
import { Effect, type Scope } from "effect"
import { failWith, type MoveError } from "../MoveError.ts"
import * as Administration from "./Administration.ts"
import * as Migrate from "./Migrate.ts"
import { migrations } from "./Migrations.ts"

export interface Migrated {
  readonly database: string
  /** The last step of the schema. */
  readonly step: number
  /** Steps that were applied now. */
  readonly applied: number
}

/** Migrates the schema. `runsAs`: the role that gets the rights of a gateway, and no others. */
export const migrate = Effect.fn("Schema.migrate")(function* (options: {
  readonly place: Administration.Place
  readonly runsAs: string | undefined
}): Effect.fn.Return<Migrated, MoveError, Scope.Scope> {
  const { label, session } = yield* Administration.connect(options.place)
  const explained = <E extends { readonly message: string }>({ message }: E) =>
    failWith("schema", `${label}: ${message}`)
  const isThere = yield* Effect.mapError(Migrate.isThere(session), Administration.explain(label))
  const applied = isThere ? yield* Effect.mapError(Migrate.pending(session, migrations), explained) : migrations.length
  yield* Effect.mapError(Migrate.migrate(session, migrations, options.runsAs), explained)
  return { database: label, step: migrations.at(-1)?.id ?? 0, applied }
})

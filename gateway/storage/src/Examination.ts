/** The check of a store's file before it is opened for writing. */
import * as Durability from "@pay/sqlite/Durability"
import * as Migration from "@pay/sqlite/Migration"
import { Effect } from "effect"
import { migrations } from "./Migrations.ts"

/**
 * Does what `Durability.examine` does. If the file is refused, and a development version made it, the error says that: the file may be
 * sound, and only of another program. A later release's migration, or the mark of a move, leaves the refusal as it is.
 */
export const examine = (path: string, options: Durability.Options) =>
  Effect.catchTag(Durability.examine(path, options), "StoreRefused", (refused) =>
    Migration.pendingInFile(path, migrations).pipe(
      Effect.catchIf(
        (error) => error._tag === "SqliteError" || error.reason._tag !== "Changed",
        () => refused
      ),
      Effect.andThen(refused)
    )
  )

/** The check of a store's file before it is opened for writing. */
import * as Durability from "@pay/sqlite/Durability"
import * as Migration from "@pay/sqlite/Migration"
import { Effect } from "effect"
import { migrations } from "./Migrations.ts"

/**
 * Does what `Durability.examine` does. If the file is refused, and its migrations are not those of this program, the error names them:
 * the file may be sound, and only of another program.
 */
export const examine = (path: string, options: Durability.Options) =>
  Effect.catchTag(Durability.examine(path, options), "StoreRefused", (refused) =>
    Migration.pendingInFile(path, migrations).pipe(
      Effect.catchTag("SqliteError", () => refused),
      Effect.andThen(refused)
    )
  )

/** Stores that a later release has used: its migration keeps all rows, and this release refuses them. */
import * as Database from "@pay/sqlite/Database"
import * as Durability from "@pay/sqlite/Durability"
import * as Migration from "@pay/sqlite/Migration"
import { Effect } from "effect"
import { migrations } from "../../../gateway/storage/src/Migrations.ts"
import * as Content from "./Content.ts"
import * as SqliteFiles from "./SqliteFiles.ts"
import * as StoreCopy from "./StoreCopy.ts"

const later: Migration.Migration = { id: 999_999, name: "later", sql: 'CREATE TABLE "later" ("one" INTEGER) STRICT;' }

/** Opens the store as a later release does, and closes it cleanly. */
const openByLater = Effect.fnUntraced(
  function* (folder: string) {
    const { path, witness } = SqliteFiles.pathsIn(folder)
    const claimed = yield* Database.claim({ path })
    const examined = yield* Durability.examine(claimed, { witness })
    const database = yield* Database.connect(claimed, { path })
    yield* Migration.migrate(database, [...migrations, later])
    yield* Durability.begin(database, examined, { witness })
  },
  Effect.provideService(Durability.FileOf, SqliteFiles.fileOf),
  Effect.scoped
)

/** Reports rows that a later release lost, and a start on its store that is not refused, on a copy of the store. */
export const afterLater = (folder: string): Effect.Effect<ReadonlyArray<string>> =>
  StoreCopy.on(
    folder,
    Effect.fnUntraced(function* (copy) {
      const { path } = SqliteFiles.pathsIn(copy.folder)
      const before = Content.of(path)
      yield* Effect.orDie(openByLater(copy.folder))
      const lost = Content.differences(before, Content.of(path)).filter((table) => table.lost.length > 0)
      const outcome = yield* copy.open
      return [
        ...lost.map(({ table }) => `a later release lost rows of ${table}`),
        ...(outcome._tag === "Refused" && outcome.why === "Newer" && outcome.message.includes("later")
          ? []
          : [`a start on a store of a later release: ${outcome._tag === "Refused" ? outcome.message : "it is opened"}`])
      ]
    })
  )

/** The shop's file. What cannot be read or written is a defect: a page says so, a flow waits and can be resumed. */
import * as Database from "@pay/sqlite/Database"
import * as GroupCommit from "@pay/sqlite/GroupCommit"
import * as Migration from "@pay/sqlite/Migration"
import { Context, Effect, Layer, Schema } from "effect"
import { migrations } from "./Tables.ts"

type Value = string | number | null

const make = Effect.fnUntraced(function* (path: string) {
  const database = yield* Database.open({ path })
  yield* Migration.migrate(database, migrations)
  const writer = yield* GroupCommit.make({ database })
  return {
    select: <A>(row: Schema.Codec<A, unknown>, sql: string, ...values: ReadonlyArray<Value>) => {
      const read = Schema.decodeUnknownSync(Schema.Array(row))
      return Effect.orDie(database.read((db) => read(db.prepare(sql).all(...values))))
    },
    /** Whether it changed anything; on the disk when it completes. */
    run: (sql: string, ...values: ReadonlyArray<Value>) =>
      Effect.orDie(
        writer.submit({ check: () => undefined, write: (db) => db.prepare(sql).run(...values).changes !== 0 })
      )
  }
})

export class ShopDatabase extends Context.Service<ShopDatabase, Effect.Success<ReturnType<typeof make>>>()(
  "@pay/shop/ShopDatabase"
) {
  static readonly layer = (path: string) => Layer.effect(ShopDatabase, make(path))
}

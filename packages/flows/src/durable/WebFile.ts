/**
 * What a merchant's web server has to remember of callbacks and browsers, in a file of its own: after `kill -9` the next
 * process knows which orders are waited for, what came too early, what was taken, and where each browser goes next. One
 * process and one merchant to a file.
 */
import * as Database from "@pay/sqlite/Database"
import * as GroupCommit from "@pay/sqlite/GroupCommit"
import * as Migration from "@pay/sqlite/Migration"
import { Effect } from "effect"
import * as CallbackTable from "./CallbackTable.ts"
import * as VisitTable from "./VisitTable.ts"

export interface Options {
  /** The file, made if it is not there; its folder must exist. Of two processes the second is refused. */
  readonly path: string
  /** How much is kept of what may give way: see `CallbackStore.bounds`. */
  readonly bounds?: CallbackTable.Bounds
  /** Browsers that have somewhere to go, at most: 10,000. */
  readonly visits?: number
}

const migrations: ReadonlyArray<Migration.Migration> = [
  { id: 1, name: "callbacks", sql: CallbackTable.sql },
  { id: 2, name: "visits", sql: VisitTable.sql }
]

/**
 * Open until the scope ends.
 *
 * @example
 * const inbox = Layer.unwrap(
 *   Effect.map(WebFile.open({ path: "web.db" }), ({ callbacks }) => CallbackInbox.layer({ keys, onOrder, store: callbacks }))
 * )
 */
export const open = Effect.fnUntraced(function* ({ bounds, path, visits }: Options) {
  const database = yield* Database.open({ path })
  yield* Migration.migrate(database, migrations)
  const writer = yield* GroupCommit.make({ database })
  return { callbacks: CallbackTable.make(database, writer, bounds), visits: VisitTable.make(database, writer, visits) }
})

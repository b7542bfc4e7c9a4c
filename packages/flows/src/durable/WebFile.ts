/**
 * A file in which a merchant's web server stores the state of callbacks and browsers. After `kill -9` the next process still has
 * the expected orders, the early callbacks, the handled deliveries and the next page of each browser. A file belongs to one
 * process and one merchant.
 */
import * as GroupCommit from "@pay/sqlite/GroupCommit"
import * as Migration from "@pay/sqlite/Migration"
import * as OwnedFile from "@pay/sqlite/OwnedFile"
import { Effect } from "effect"
import * as CallbackTable from "./CallbackTable.ts"
import * as VisitTable from "./VisitTable.ts"

export interface Options {
  /**
   * The path of the file. It is created if it is missing, but its folder must exist. A second process on the same file is
   * refused. So is a file that was copied, or replaced by an older one; `path` with `.witness` has the number of its last commit.
   */
  readonly path: string
  /** For one start after the file became another one; see the options of `Durable.layer`. */
  readonly origin?: "moved" | "restored"
  /** The numbers of entries that are kept for callbacks. Default: `CallbackStore.bounds`. */
  readonly bounds?: CallbackTable.Bounds
  /** Number of visits that are kept. Default 10,000. */
  readonly visits?: number
}

const migrations: ReadonlyArray<Migration.Migration> = [{ id: 1, name: "web", sql: CallbackTable.sql + VisitTable.sql }]

/**
 * Opens the file until the scope ends, and returns the stores of callbacks and visits.
 *
 * @example
 * const inbox = Layer.unwrap(
 *   Effect.map(WebFile.open({ path: "web.db" }), ({ callbacks }) => CallbackInbox.layer({ keys, onOrder, store: callbacks }))
 * )
 */
export const open = Effect.fnUntraced(function* ({ bounds, origin, path, visits }: Options) {
  const { database, sequence } = yield* OwnedFile.open({ path, origin })
  yield* Migration.migrate(database, migrations)
  const writer = yield* GroupCommit.make({ database, sequence })
  return { callbacks: CallbackTable.make(database, writer, bounds), visits: VisitTable.make(database, writer, visits) }
})

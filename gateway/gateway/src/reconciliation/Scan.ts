/** Visits many rows in pages, so that reconciliation can run beside payments. */
import { Effect } from "effect"
import type { Columns, Entity, RowOf } from "../kernel/Entity.ts"
import type { Cursor } from "../kernel/KeysetPage.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Balance, LedgerEntry } from "../kernel/LedgerTable.ts"
import type { Store, StoreUnavailable } from "../kernel/Store.ts"
import type { Period } from "../orders/record/Booking.ts"

/** Highest number of rows that are read at once. */
export const pageRows = 500

/** Visits every row of an entity with a single text key, page by page. */
export const all = <C extends Columns, E>(
  store: Store["Service"],
  entity: Entity<C>,
  key: (row: RowOf<C>) => string,
  visit: (row: RowOf<C>) => Effect.Effect<void, E>
): Effect.Effect<number, E | StoreUnavailable> =>
  Effect.gen(function* () {
    let count = 0
    let last: string | undefined
    while (true) {
      const rows = yield* store.find(
        entity,
        "key",
        last === undefined ? { limit: pageRows } : { from: last, limit: pageRows }
      )
      const fresh = rows.filter((row) => key(row) !== last)
      for (const row of fresh) yield* visit(row)
      count += fresh.length
      const end = fresh.at(-1)
      if (end === undefined) return count
      last = key(end)
      yield* Effect.yieldNow
    }
  })

/** Visits the orders whose money moved in a period, account by account. An order may be visited many times. */
export const movedOrders = Effect.fnUntraced(function* (
  store: Store["Service"],
  { fromMs, toMs }: Period,
  visit: (orderId: string) => void
) {
  yield* all(
    store,
    Balance,
    ({ account }) => account,
    ({ account }) =>
      Effect.gen(function* () {
        for (let after: Cursor | undefined; ; ) {
          const span = { equals: [account], fromMs, toMs: toMs - 1, after, limit: pageRows }
          const rows = yield* KeysetPage.oldest(store, LedgerEntry, "account", span)
          for (const { orderId } of rows) visit(orderId)
          const last = rows.at(-1)
          if (last === undefined) return
          after = { atMs: last.atMs, key: last.entryId }
        }
      })
  )
})

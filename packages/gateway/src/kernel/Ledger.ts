/** The books: entries are only ever added, balances are their sums. */
import * as Entity from "./Entity.ts"

export const LedgerEntry = Entity.make("ledger", {
  columns: {
    /** `request:cause:account`: the same effect cannot be booked twice. */
    entryId: Entity.text(),
    orderId: Entity.text(),
    requestId: Entity.text(),
    cause: Entity.text(),
    account: Entity.text(),
    minor: Entity.integer,
    atMs: Entity.integer
  },
  key: ["entryId"],
  index: { order: ["orderId"], account: ["account", "atMs", "entryId"] },
  appendOnly: true
})
export type LedgerEntry = Entity.Row<typeof LedgerEntry>

export const Balance = Entity.make("balances", {
  columns: { account: Entity.text(), minor: Entity.integer },
  key: ["account"]
})
export type Balance = Entity.Row<typeof Balance>

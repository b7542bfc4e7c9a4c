/** A decision of many rows, whole or torn: an order, its request and both sides of its entry in the books. */
import * as Decision from "@pay/gateway/Decision"
import type * as Entity from "@pay/gateway/Entity"
import { LedgerEntry } from "@pay/gateway/entities/Ledger"
import { Order } from "@pay/gateway/entities/Order"
import { OrderRequest } from "@pay/gateway/entities/OrderRequest"
import { Store } from "@pay/gateway/Store"
import * as StoreRow from "@pay/gateway/StoreRow"
import { Effect } from "effect"

/** A row whose other columns are blank, zero or null. */
const row = <C extends Entity.Columns>(entity: Entity.Entity<C>, given: Partial<Entity.RowOf<C>>): Entity.RowOf<C> => {
  const columns = Object.entries(entity.columns).map(([name, { kind, nullable }]) => [
    name,
    nullable ? null : { text: "", integer: 0, blob: new Uint8Array() }[kind]
  ])
  return StoreRow.typed(entity, { ...Object.fromEntries(columns), ...given })
}

export const make = (orderId: string): Decision.Decision => ({
  guards: [Decision.absent(Order, "clientOrder", ["merchant", orderId])],
  writes: [
    Decision.append(Order, row(Order, { orderId, merchantId: "merchant", clientOrderId: orderId, version: 1 })),
    Decision.append(OrderRequest, row(OrderRequest, { requestId: orderId, orderId })),
    Decision.append(LedgerEntry, row(LedgerEntry, { entryId: `${orderId}:from`, orderId, account: "from", minor: -7 })),
    Decision.post("from", -7),
    Decision.append(LedgerEntry, row(LedgerEntry, { entryId: `${orderId}:to`, orderId, account: "to", minor: 7 })),
    Decision.post("to", 7)
  ]
})

/** Which of these the store has; dies if it has one in part. */
export const present = Effect.fnUntraced(function* (orderIds: ReadonlyArray<string>) {
  const store = yield* Store
  const matches: Array<string> = []
  for (const orderId of orderIds) {
    const rows = [
      yield* store.load(Order, [orderId]),
      yield* store.load(OrderRequest, [orderId]),
      yield* store.load(LedgerEntry, [`${orderId}:from`]),
      yield* store.load(LedgerEntry, [`${orderId}:to`])
    ].filter((row) => row !== undefined)
    if (rows.length === 4) matches.push(orderId)
    else if (rows.length > 0) return yield* Effect.die(new Error(`${orderId} is torn: ${rows.length} rows of 4`))
  }
  return matches
})

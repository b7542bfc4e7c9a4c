/** A decision of several rows, to detect partial writes: an order, its request and both sides of its ledger entry. */
import * as Decision from "@pay/gateway/Decision"
import { LedgerEntry, Order, OrderRequest } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect } from "effect"
import { row } from "../../gateway/test/Row.ts"

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

/** Returns which of the given orders the store has; dies if it has part of one. */
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

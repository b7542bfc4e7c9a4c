/**
 * Recomputes everything that is money: each movement sums to zero, each balance is the sum of its entries, each order's
 * amounts are what its entries say, and the bank's own books agree where they can be asked. Reads in pages, so that it
 * can run beside the gateway.
 */
import { Effect, Option } from "effect"
import type { Columns, Entity, RowOf } from "./domain/Entity.ts"
import { AgendaItem } from "./domain/entities/AgendaItem.ts"
import { Funding } from "./domain/entities/Funding.ts"
import { Balance, LedgerEntry } from "./domain/entities/Ledger.ts"
import { isCardKind, Order } from "./domain/entities/Order.ts"
import { OrderRequest } from "./domain/entities/OrderRequest.ts"
import * as Fund from "./domain/Fund.ts"
import * as ParityCheck from "./domain/ParityCheck.ts"
import { BankBooks } from "./ports/BankBooks.ts"
import { RailBooks } from "./ports/RailBooks.ts"
import { Store, type StoreUnavailable } from "./ports/Store.ts"

export interface Report {
  readonly orders: number
  readonly entries: number
  readonly findings: ReadonlyArray<ParityCheck.Finding>
}

const pageRows = 500
const mostPerOrder = 100_000

/** Every row of an entity with a single text key, in pages. */
const scan = <C extends Columns>(
  store: Store["Service"],
  entity: Entity<C>,
  key: (row: RowOf<C>) => string,
  visit: (row: RowOf<C>) => Effect.Effect<void, StoreUnavailable>
): Effect.Effect<number, StoreUnavailable> =>
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

export const check: Effect.Effect<Report, StoreUnavailable, Store> = Effect.gen(function* () {
  const store = yield* Store
  const bank = Option.getOrUndefined(yield* Effect.serviceOption(BankBooks))
  const rail = Option.getOrUndefined(yield* Effect.serviceOption(RailBooks))
  const findings: Array<ParityCheck.Finding> = []
  const sums = new Map<string, number>()
  let movement = { id: "", minor: 0 }
  const close = () => {
    if (movement.minor !== 0)
      findings.push({ where: `movement ${movement.id}`, expected: "0", found: String(movement.minor) })
  }
  const entries = yield* scan(
    store,
    LedgerEntry,
    ({ entryId }) => entryId,
    (entry) =>
      Effect.gen(function* () {
        const id = `${entry.requestId}:${entry.cause}`
        if (id !== movement.id) {
          close()
          movement = { id, minor: 0 }
          const known = Fund.isSubject(entry.orderId)
            ? yield* store.load(Funding, [Fund.referenceOf(entry.orderId)])
            : yield* store.load(Order, [entry.orderId])
          if (known === undefined)
            findings.push({ where: `movement ${id}`, expected: `order ${entry.orderId}`, found: "no order" })
        }
        movement.minor += entry.minor
        sums.set(entry.account, (sums.get(entry.account) ?? 0) + entry.minor)
      })
  )
  close()
  yield* scan(
    store,
    Balance,
    ({ account }) => account,
    ({ account, minor }) =>
      Effect.sync(() => {
        const expected = sums.get(account) ?? 0
        if (expected !== minor)
          findings.push({ where: `balance ${account}`, expected: String(expected), found: String(minor) })
        sums.delete(account)
      })
  )
  for (const [account, minor] of sums) {
    if (minor !== 0) findings.push({ where: `balance ${account}`, expected: String(minor), found: "no balance" })
  }
  /** An order that moves while its rows are read is read again. */
  const checkOrder = (order: Order): Effect.Effect<void, StoreUnavailable> =>
    Effect.gen(function* () {
      const range = { equals: [order.orderId], limit: mostPerOrder }
      const booked = yield* store.find(LedgerEntry, "order", range)
      const requests = yield* store.find(OrderRequest, "order", range)
      const totals = bank === undefined ? "unasked" : yield* bank.totals(order.orderId)
      const now = yield* store.load(Order, [order.orderId])
      if (now !== undefined && now.version !== order.version) return yield* checkOrder(now)
      findings.push(...ParityCheck.ofOrder(order, booked, requests, totals))
      if (rail === undefined || isCardKind(order.kind)) return
      const looks = yield* Effect.forEach(requests, ({ requestId }) => store.load(AgendaItem, [`rail:${requestId}`]))
      const looked = looks.every((item) => item === undefined)
      findings.push(...ParityCheck.ofRail(order, yield* rail.totals(order.orderId), looked))
    })
  yield* scan(
    store,
    Funding,
    ({ reference }) => reference,
    (funding) =>
      Effect.gen(function* () {
        const booked = { equals: [Fund.subject(funding.reference)], limit: mostPerOrder }
        findings.push(...ParityCheck.ofFunding(funding, yield* store.find(LedgerEntry, "order", booked)))
      })
  )
  const orders = yield* scan(store, Order, ({ orderId }) => orderId, checkOrder)
  return { orders, entries, findings }
})

/**
 * Recomputes everything that is money: each movement sums to zero, each balance is the sum of its entries, each order's
 * amounts are what its entries say, and the bank's own books agree where they can be asked. Reads in pages, so that it
 * can run beside the gateway.
 */
import { Clock, Effect, Option } from "effect"
import type { Columns, Entity, RowOf } from "./domain/Entity.ts"
import { AgendaItem } from "./domain/entities/AgendaItem.ts"
import { Evidence } from "./domain/entities/Evidence.ts"
import { Funding } from "./domain/entities/Funding.ts"
import { Balance, LedgerEntry } from "./domain/entities/Ledger.ts"
import { isCardKind, Order } from "./domain/entities/Order.ts"
import { OrderRequest } from "./domain/entities/OrderRequest.ts"
import * as Fund from "./domain/Fund.ts"
import * as ParityCheck from "./domain/ParityCheck.ts"
import { BankBooks } from "./ports/BankBooks.ts"
import { RailBooks } from "./ports/RailBooks.ts"
import { Store, type StoreUnavailable } from "./ports/Store.ts"
import type { Cursor } from "./usecases/NewestFirst.ts"
import * as OldestFirst from "./usecases/OldestFirst.ts"

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

/** How far a run is. */
export type Progress = Pick<Report, "orders" | "entries">

const reportEvery = 1000
/** A balance that moves is looked at again; an entry's time is at most so much older than its commit. */
const commitLagMs = 60_000
const mostLooks = 50

export const check: Effect.Effect<Report, StoreUnavailable, Store> = Effect.suspend(() => run())

/** `report` is told from time to time. */
export const run = Effect.fn("Parity.run")(function* (
  options: { readonly report?: (progress: Progress) => Effect.Effect<void> } = {}
): Effect.fn.Return<Report, StoreUnavailable, Store> {
  const { report = () => Effect.void } = options
  const store = yield* Store
  const bank = Option.getOrUndefined(yield* Effect.serviceOption(BankBooks))
  const rail = Option.getOrUndefined(yield* Effect.serviceOption(RailBooks))
  const findings: Array<ParityCheck.Finding> = []
  const sums = new Map<string, number>()
  let counts: Progress = { orders: 0, entries: 0 }
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
        counts = { ...counts, entries: counts.entries + 1 }
        if (counts.entries % reportEvery === 0) yield* report(counts)
        sums.set(entry.account, (sums.get(entry.account) ?? 0) + entry.minor)
      })
  )
  close()
  const sumOf = Effect.fnUntraced(function* (account: string, fromMs: number, toMs?: number) {
    let sum = 0
    let after: Cursor | undefined
    while (true) {
      const rows = yield* OldestFirst.find(store, LedgerEntry, "account", {
        equals: [account],
        fromMs,
        toMs,
        after,
        limit: pageRows
      })
      sum += rows.reduce((total, { minor }) => total + minor, 0)
      const last = rows.at(-1)
      if (last === undefined) return sum
      after = { atMs: last.atMs, key: last.entryId }
      yield* Effect.yieldNow
    }
  })

  /** Entries and balance were read at two times, between which payments went on: read them together before saying so. */
  const disagrees = Effect.fnUntraced(function* (account: string) {
    const restMs = (yield* Clock.currentTimeMillis) - commitLagMs
    const resting = yield* sumOf(account, 0, restMs)
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const before = (yield* store.load(Balance, [account]))?.minor
      const expected = resting + (yield* sumOf(account, restMs + 1))
      const after = (yield* store.load(Balance, [account]))?.minor
      if (before === after) return expected === (after ?? 0) ? undefined : { expected, found: after }
    }
    return undefined
  })

  const checkAccount = Effect.fnUntraced(function* (account: string) {
    const wrong = yield* disagrees(account)
    if (wrong === undefined) return
    const { expected, found } = wrong
    const said = found === undefined ? "no balance" : String(found)
    findings.push({ where: `balance ${account}`, expected: String(expected), found: said })
  })

  yield* scan(
    store,
    Balance,
    ({ account }) => account,
    ({ account, minor }) => {
      const isRight = (sums.get(account) ?? 0) === minor
      sums.delete(account)
      return isRight ? Effect.void : checkAccount(account)
    }
  )
  for (const [account, minor] of sums) if (minor !== 0) yield* checkAccount(account)
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
  yield* scan(
    store,
    Evidence,
    ({ evidenceId }) => evidenceId,
    (evidence) =>
      Effect.gen(function* () {
        const requests = yield* store.find(OrderRequest, "order", { equals: [evidence.orderId], limit: mostPerOrder })
        findings.push(...ParityCheck.ofEvidence(evidence, requests))
      })
  )
  const orders = yield* scan(
    store,
    Order,
    ({ orderId }) => orderId,
    (order) => {
      counts = { ...counts, orders: counts.orders + 1 }
      return counts.orders % reportEvery === 0 ? Effect.andThen(checkOrder(order), report(counts)) : checkOrder(order)
    }
  )
  return { orders, entries, findings }
})

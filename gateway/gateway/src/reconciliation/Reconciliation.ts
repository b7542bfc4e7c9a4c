/**
 * Recomputes all amounts of money: each movement sums to zero, each balance is the sum of its entries, each order's amounts
 * agree with its entries, and the books of bank and rail agree in both directions if they can be read. It reads in pages, so
 * that it can run beside the gateway.
 */

import { Clock, Effect, Option } from "effect"
import type { Columns, Entity, RowOf } from "../kernel/Entity.ts"
import { Evidence } from "../kernel/Evidence.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import type { Cursor } from "../kernel/KeysetPage.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Balance, LedgerEntry } from "../kernel/LedgerTable.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import type { BooksUnavailable, Period } from "../orders/Booking.ts"
import { isCardKind, Order } from "../orders/Order.ts"
import { OrderRequest } from "../orders/OrderRequest.ts"
import type { MadeReversal } from "../orders/outcomes/MadeReversal.ts"
import type * as Unexpected from "../orders/outcomes/Unexpected.ts"
import * as Fund from "../payouts/Fund.ts"
import { Funding } from "../payouts/Fund.ts"
import { BankBooks, RailBooks } from "../restore/BankBooks.ts"
import * as BankBooksComparison from "./BankBooksComparison.ts"
import * as ExplainedDifferences from "./ExplainedDifferences.ts"
import * as Openings from "./Openings.ts"
import * as OrderComparison from "./OrderComparison.ts"

export interface Report {
  readonly orders: number
  readonly entries: number
  readonly findings: ReadonlyArray<OrderComparison.Finding>
  /** Bookings among the findings whose requests ended differently here. */
  readonly contradictions: ReadonlyArray<Unexpected.Contradiction>
  /** Stored opening balances among the findings. */
  readonly openings: ReadonlyArray<Openings.WrongOpening>
  /** Reversals among the findings that the bank made although it had refused them. */
  readonly reversals: ReadonlyArray<MadeReversal>
}

const pageRows = 500
const mostPerOrder = 100_000

/** Visits every row of an entity with a single text key, page by page. */
const scan = <C extends Columns, E>(
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

/** The numbers of orders and entries that a run has checked so far. */
export type Progress = Pick<Report, "orders" | "entries">

const reportEvery = 1000
/**
 * Longest time, in milliseconds, between the time of an entry and its commit. Newer entries are read together with the balance.
 */
const commitLagMs = 60_000
const mostLooks = 50

export const check: Effect.Effect<Report, StoreUnavailable | BooksUnavailable, Store> = Effect.suspend(() => run())

export interface Options {
  /** Called from time to time with the progress of the run. */
  readonly report?: (progress: Progress) => Effect.Effect<void>
  /**
   * Limits the run to the orders that were created in the period, or booked in it by bank or rail. The ledger's balances are
   * then not checked. By default everything is checked.
   */
  readonly period?: Period | undefined
}

/**
 * Makes the check of one order against its entries, the bank and the rail. If the order changes while its rows are loaded, they
 * are loaded again.
 */
const orderCheck = Effect.fnUntraced(function* ({
  notListed,
  tasks
}: Effect.Success<ReturnType<typeof BankBooksComparison.make>>) {
  const store = yield* Store
  const bank = Option.getOrUndefined(yield* Effect.serviceOption(BankBooks))?.totals
  const rail = Option.getOrUndefined(yield* Effect.serviceOption(RailBooks))?.totals
  const compareOrder = (
    order: Order
  ): Effect.Effect<ReadonlyArray<OrderComparison.Finding>, StoreUnavailable | BooksUnavailable> =>
    Effect.gen(function* () {
      const range = { equals: [order.orderId], limit: mostPerOrder }
      const booked = yield* store.find(LedgerEntry, "order", range)
      const requests = yield* store.find(OrderRequest, "order", range)
      const totals = bank === undefined ? "notCompared" : yield* bank(order.orderId)
      const now = yield* store.load(Order, [order.orderId])
      if (now !== undefined && now.version !== order.version) return yield* compareOrder(now)
      const settled = tasks.filter(({ orderId }) => orderId === order.orderId)
      const findings = [
        ...OrderComparison.ofOrder(order, booked, requests, ExplainedDifferences.without(totals, settled)),
        ...notListed(order, requests)
      ]
      if (rail === undefined || isCardKind(order.kind)) return findings
      const looks = yield* Effect.forEach(requests, ({ requestId }) => store.load(Job, [Jobs.id("rail", requestId)]))
      const looked = looks.every((job) => job === undefined)
      // The amounts at the rail may differ if an operator resolved a task by other means.
      if (settled.length > 0) return findings
      return [...findings, ...OrderComparison.ofRail(order, yield* rail(order.orderId), looked)]
    })
  /** Totals that cannot be read are a difference of their order, and do not end the run. */
  return (order: Order) =>
    Effect.catchIf(
      compareOrder(order),
      (error) => error._tag === "BooksUnavailable" && error.answer !== undefined,
      ({ message }) =>
        Effect.succeed([
          { where: `order ${order.orderId}: totals of the bank or rail`, expected: "totals", actual: message }
        ])
    )
})

/** Checks the orders of a period and the bookings of a period, in both directions. */
const runPeriod = Effect.fnUntraced(function* (period: Period) {
  const store = yield* Store
  const ids = new Set<string>()
  const books = yield* BankBooksComparison.make(period, (orderId) => ids.add(orderId))
  const findings = [...books.findings]
  const checkOrder = yield* orderCheck(books)
  for (let after: Cursor | undefined; ; ) {
    const toMs = period.toMs - 1
    const rows = yield* KeysetPage.oldest(store, Order, "created", {
      fromMs: period.fromMs,
      toMs,
      after,
      limit: pageRows
    })
    for (const { orderId } of rows) ids.add(orderId)
    const last = rows.at(-1)
    if (last === undefined) break
    after = { atMs: last.createdAtMs, key: last.orderId }
  }
  let orders = 0
  for (const orderId of ids) {
    const order = yield* store.load(Order, [orderId])
    if (order === undefined) continue
    orders += 1
    findings.push(...(yield* checkOrder(order)))
    yield* Effect.yieldNow
  }
  const { contradictions, reversals } = books
  return { orders, entries: 0, findings, contradictions, reversals, openings: [] } satisfies Report
})

export const run = Effect.fn("Parity.run")(function* (
  options: Options = {}
): Effect.fn.Return<Report, StoreUnavailable | BooksUnavailable, Store> {
  const { period, report = () => Effect.void } = options
  if (period !== undefined) return yield* runPeriod(period)
  const store = yield* Store
  const books = yield* BankBooksComparison.make(undefined)
  const checkOrder = yield* orderCheck(books)
  const findings: Array<OrderComparison.Finding> = [...books.findings]
  const sums = new Map<string, bigint>()
  let counts: Progress = { orders: 0, entries: 0 }
  let movement = { id: "", minor: 0n }
  const close = () => {
    if (movement.minor !== 0n)
      findings.push({ where: `movement ${movement.id}`, expected: "0", actual: String(movement.minor) })
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
          movement = { id, minor: 0n }
          const existing = Fund.isSubject(entry.orderId)
            ? yield* store.load(Funding, [Fund.referenceOf(entry.orderId)])
            : yield* store.load(Order, [entry.orderId])
          if (existing === undefined)
            findings.push({ where: `movement ${id}`, expected: `order ${entry.orderId}`, actual: "no order" })
        }
        movement.minor += BigInt(entry.minor)
        counts = { ...counts, entries: counts.entries + 1 }
        if (counts.entries % reportEvery === 0) yield* report(counts)
        sums.set(entry.account, (sums.get(entry.account) ?? 0n) + BigInt(entry.minor))
      })
  )
  close()
  const sumOf = Effect.fnUntraced(function* (account: string, fromMs: number, toMs?: number) {
    let sum = 0n
    let after: Cursor | undefined
    while (true) {
      const rows = yield* KeysetPage.oldest(store, LedgerEntry, "account", {
        equals: [account],
        fromMs,
        toMs,
        after,
        limit: pageRows
      })
      sum += rows.reduce((total, { minor }) => total + BigInt(minor), 0n)
      const last = rows.at(-1)
      if (last === undefined) return sum
      after = { atMs: last.atMs, key: last.entryId }
      yield* Effect.yieldNow
    }
  })

  /**
   * Compares an account again: the first read of its entries and its balance were at different times, with payments in between.
   * Returns undefined if they agree when they are read together.
   */
  const differenceOf = Effect.fnUntraced(function* (account: string) {
    const restMs = (yield* Clock.currentTimeMillis) - commitLagMs
    const olderSum = yield* sumOf(account, 0, restMs)
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const before = (yield* store.load(Balance, [account]))?.minor
      const expected = olderSum + (yield* sumOf(account, restMs + 1))
      const after = (yield* store.load(Balance, [account]))?.minor
      if (before === after) return expected === (after ?? 0n) ? undefined : { expected, actual: after }
    }
    return undefined
  })

  const checkAccount = Effect.fnUntraced(function* (account: string) {
    const difference = yield* differenceOf(account)
    if (difference === undefined) return
    const { expected, actual } = difference
    const actualText = actual === undefined ? "no balance" : String(actual)
    findings.push({ where: `balance ${account}`, expected: String(expected), actual: actualText })
  })

  const openings: Array<Openings.WrongOpening> = []
  yield* scan(
    store,
    Balance,
    ({ account }) => account,
    ({ account, minor }) =>
      Effect.gen(function* () {
        const isRight = (sums.get(account) ?? 0n) === minor
        sums.delete(account)
        openings.push(...(yield* Openings.wrongOf(store, account)))
        yield* isRight ? Effect.void : checkAccount(account)
      })
  )
  findings.push(...openings.map(Openings.findingOf))
  for (const [account, minor] of sums) if (minor !== 0n) yield* checkAccount(account)
  yield* scan(
    store,
    Funding,
    ({ reference }) => reference,
    (funding) =>
      Effect.gen(function* () {
        const booked = { equals: [Fund.subject(funding.reference)], limit: mostPerOrder }
        findings.push(...OrderComparison.ofFunding(funding, yield* store.find(LedgerEntry, "order", booked)))
      })
  )
  yield* scan(
    store,
    Evidence,
    ({ evidenceId }) => evidenceId,
    (evidence) =>
      Effect.gen(function* () {
        const requests = yield* store.find(OrderRequest, "order", { equals: [evidence.orderId], limit: mostPerOrder })
        if (!books.explained.has(evidence.reference)) findings.push(...OrderComparison.ofEvidence(evidence, requests))
      })
  )
  const orders = yield* scan(
    store,
    Order,
    ({ orderId }) => orderId,
    (order) =>
      Effect.gen(function* () {
        counts = { ...counts, orders: counts.orders + 1 }
        findings.push(...(yield* checkOrder(order)))
        if (counts.orders % reportEvery === 0) yield* report(counts)
      })
  )
  return { orders, entries, findings, contradictions: books.contradictions, reversals: books.reversals, openings }
})

/**
 * Recomputes all amounts of money: each movement sums to zero, each balance is the sum of its entries, each order's amounts
 * agree with its entries, and the books of bank and rail agree in both directions if they can be read. It reads in pages, so
 * that it can run beside the gateway.
 */

import { Clock, Effect } from "effect"
import { Evidence } from "../kernel/Evidence.ts"
import type { Cursor } from "../kernel/KeysetPage.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Balance, LedgerEntry } from "../kernel/LedgerTable.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import type * as Unexpected from "../orders/decide/Unexpected.ts"
import type { MadeReversal } from "../orders/outcomes/MadeReversal.ts"
import type { BooksUnavailable, Period } from "../orders/record/Booking.ts"
import { Order } from "../orders/record/Order.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import * as Fund from "../payouts/decide/Fund.ts"
import { Funding } from "../payouts/decide/Fund.ts"
import * as BankBooksComparison from "./BankBooksComparison.ts"
import * as CheckOrder from "./CheckOrder.ts"
import * as OrderComparison from "./decide/OrderComparison.ts"
import type * as Omission from "./Omission.ts"
import * as Openings from "./Openings.ts"
import * as Scan from "./Scan.ts"

export interface Report {
  readonly orders: number
  readonly entries: number
  readonly findings: ReadonlyArray<OrderComparison.Finding>
  /** What the run did not compare. */
  readonly omissions: ReadonlyArray<Omission.Omission>
  /** Bookings among the findings whose requests ended differently here. */
  readonly contradictions: ReadonlyArray<Unexpected.Contradiction>
  /** Stored opening balances among the findings. */
  readonly openings: ReadonlyArray<Openings.WrongOpening>
  /** Reversals among the findings that the bank made although it had refused them. */
  readonly reversals: ReadonlyArray<MadeReversal>
}

/** The numbers of orders and entries that a run has checked so far. */
export type Progress = Pick<Report, "orders" | "entries">

const reportEvery = 1000
/**
 * Longest time, in milliseconds, between the time of an entry and its commit. Newer entries are read together with the balance.
 */
const commitLagMs = 60_000
const mostLooks = 50
/** Highest number of rows of one order or posting that are loaded. */
const mostPerSubject = 100_000

export const check: Effect.Effect<Report, StoreUnavailable | BooksUnavailable, Store> = Effect.suspend(() => run())

export interface Options {
  /** Called from time to time with the progress of the run. */
  readonly report?: (progress: Progress) => Effect.Effect<void>
  /**
   * Limits the run to the orders that were created in the period, moved money in it, or were booked in it by bank or rail. The
   * ledger's balances are then not checked. By default everything is checked.
   */
  readonly period?: Period | undefined
}

/**
 * Checks the orders of a period and the bookings of a period, in both directions: those that were created, booked, or moved money
 * in it.
 */
const runPeriod = Effect.fnUntraced(function* (period: Period) {
  const store = yield* Store
  const ids = new Set<string>()
  const books = yield* BankBooksComparison.make(period, (orderId) => ids.add(orderId))
  const findings = [...books.findings]
  const { ofOrder, omissions } = yield* CheckOrder.make(books)
  yield* Scan.movedOrders(store, period, (orderId) => ids.add(orderId))
  for (let after: Cursor | undefined; ; ) {
    const toMs = period.toMs - 1
    const rows = yield* KeysetPage.oldest(store, Order, "created", {
      fromMs: period.fromMs,
      toMs,
      after,
      limit: Scan.pageRows
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
    findings.push(...(yield* ofOrder(order)))
    yield* Effect.yieldNow
  }
  findings.push(...(yield* books.notListed))
  const { contradictions, reversals } = books
  const ledger = { what: "the balances of the ledger", why: "a period was named" }
  const all = [...books.omissions(), ...omissions(), ledger]
  return { orders, entries: 0, findings, omissions: all, contradictions, reversals, openings: [] } satisfies Report
})

export const run = Effect.fn("Parity.run")(function* (
  options: Options = {}
): Effect.fn.Return<Report, StoreUnavailable | BooksUnavailable, Store> {
  const { period, report = () => Effect.void } = options
  if (period !== undefined) return yield* runPeriod(period)
  const store = yield* Store
  const books = yield* BankBooksComparison.make(undefined)
  const { ofOrder, omissions } = yield* CheckOrder.make(books)
  const findings: Array<OrderComparison.Finding> = [...books.findings]
  const sums = new Map<string, bigint>()
  let counts: Progress = { orders: 0, entries: 0 }
  let movement = { id: "", minor: 0n }
  const close = () => {
    if (movement.minor !== 0n)
      findings.push({ where: `movement ${movement.id}`, expected: "0", actual: String(movement.minor) })
  }
  const entries = yield* Scan.all(
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
        limit: Scan.pageRows
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
  yield* Scan.all(
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
  yield* Scan.all(
    store,
    Funding,
    ({ reference }) => reference,
    (funding) =>
      Effect.gen(function* () {
        const booked = { equals: [Fund.subject(funding.reference)], limit: mostPerSubject }
        findings.push(...OrderComparison.ofFunding(funding, yield* store.find(LedgerEntry, "order", booked)))
      })
  )
  yield* Scan.all(
    store,
    Evidence,
    ({ evidenceId }) => evidenceId,
    (evidence) =>
      Effect.gen(function* () {
        if (books.explained.has(evidence.reference)) return
        const ofOrder = { equals: [evidence.orderId], limit: mostPerSubject }
        const requests = yield* store.find(OrderRequest, "order", ofOrder)
        const answers = yield* store.find(Evidence, "order", ofOrder)
        findings.push(...OrderComparison.ofEvidence(evidence, requests, answers))
      })
  )
  const orders = yield* Scan.all(
    store,
    Order,
    ({ orderId }) => orderId,
    (order) =>
      Effect.gen(function* () {
        counts = { ...counts, orders: counts.orders + 1 }
        findings.push(...(yield* ofOrder(order)))
        if (counts.orders % reportEvery === 0) yield* report(counts)
      })
  )
  findings.push(...(yield* books.notListed))
  const { contradictions, reversals } = books
  const all = [...books.omissions(), ...omissions()]
  return { orders, entries, findings, omissions: all, contradictions, reversals, openings }
})

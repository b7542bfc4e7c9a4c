/** A run of reconciliation over seeded rows, with a scripted bank and rail. */
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Decision from "../src/kernel/Decision.ts"
import * as LedgerTable from "../src/kernel/LedgerTable.ts"
import { LedgerEntry } from "../src/kernel/LedgerTable.ts"
import { Store } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import { BankBooks, type BankTotals, RailBooks, type RailTotals } from "../src/orders/bank/BankBooks.ts"
import type * as Booking from "../src/orders/record/Booking.ts"
import { Order } from "../src/orders/record/Order.ts"
import { OrderRequest } from "../src/orders/record/OrderRequest.ts"
import * as Reconciliation from "../src/reconciliation/Reconciliation.ts"
import { request, sale } from "./domain/Sample.ts"

export const hourMs = 3_600_000
export const nowMs = 100 * hourMs
export const acceptedAtMs = 50 * hourMs

export interface Seeds {
  readonly rows: ReadonlyArray<Decision.Write>
  /** The bookings that the bank lists, one on each page. */
  readonly bank?: ReadonlyArray<Booking.Booking>
  readonly rail?: ReadonlyArray<Booking.Booking>
  /** The totals that bank and rail return for one order. Left out if they have no totals per order. */
  readonly totals?: BankTotals
  readonly railTotals?: RailTotals
  readonly period?: Booking.Period
  /** Whether bank and rail list all bookings, whichever period is asked for. */
  readonly listsEverything?: true
}

const bookings =
  (all: ReadonlyArray<Booking.Booking>, { listsEverything }: Seeds) =>
  ({ fromMs, toMs }: Booking.Period, after: string | undefined) =>
    Effect.sync(() => {
      const from = Number(after ?? 0)
      const listed = all.filter(({ atMs }) => listsEverything || (fromMs <= atMs && atMs < toMs))
      return { bookings: listed.slice(from, from + 1), next: from + 1 < listed.length ? String(from + 1) : undefined }
    })

export const run = (seeds: Seeds) => {
  const { bank, period, rail, railTotals, rows, totals } = seeds
  const books = Layer.mergeAll(
    bank === undefined
      ? Layer.empty
      : Layer.succeed(
          BankBooks,
          BankBooks.checked({
            bookings: bookings(bank, seeds),
            totals: totals === undefined ? undefined : () => Effect.succeed(totals)
          })
        ),
    rail === undefined
      ? Layer.empty
      : Layer.succeed(
          RailBooks,
          RailBooks.checked({
            bookings: bookings(rail, seeds),
            totals: railTotals === undefined ? undefined : () => Effect.succeed(railTotals)
          })
        )
  )
  const messages: Array<Reconciliation.Progress> = []
  const report = (progress: Reconciliation.Progress) =>
    Effect.sync(() => {
      messages.push(progress)
    })
  return Effect.gen(function* () {
    yield* TestClock.setTime(nowMs)
    const store = yield* Store
    yield* store.commit({ guards: [], writes: rows })
    const { contradictions, entries, findings, omissions, orders, reversals } = yield* Reconciliation.run({
      report,
      period
    })
    return {
      contradictions: contradictions.map(({ booking }) => booking.reference),
      reversals: reversals.map(({ amountMinor, reference }) => `${reference} ${amountMinor}`),
      messages,
      omissions: omissions.map(({ what }) => what),
      counts: [orders, entries],
      findings: findings.map(({ expected, actual, where }) => `${where}: ${expected}, ${actual}`)
    }
  }).pipe(Effect.provide(Layer.merge(books, StoreMemory.layer)))
}

export const order = sale({ createdAtMs: acceptedAtMs })
export const creation: OrderRequest = {
  ...request({ sequence: 0, amountMinor: 10_000, progress: "approved", acceptedAtMs, finishedAtMs: acceptedAtMs }),
  operation: "SALE",
  action: "sale"
}
export const orderRows = [Decision.append(Order, order), Decision.append(OrderRequest, creation)]
export const saleEntries = LedgerTable.book(order, "1", "2", "sale", 10_000, acceptedAtMs)
export const bookedSale = [...orderRows, ...saleEntries]
export const saleBooking: Booking.Booking = {
  reference: "1-sale-0",
  clientOrderId: undefined,
  merchantId: undefined,
  kind: "sale",
  amountMinor: 10_000,
  currency: "USD",
  atMs: acceptedAtMs,
  result: "approved"
}
export const totals: BankTotals = {
  authorizedMinor: 10_000,
  capturedMinor: 10_000,
  transferredMinor: 0,
  refundedMinor: 0,
  voidedMinor: 0
}
const paidPayout = sale({
  orderId: "3",
  clientOrderId: "INV-3",
  kind: "payout",
  state: "paid",
  authorizedMinor: 0,
  capturedMinor: 0,
  createdAtMs: acceptedAtMs
})
const payRequest: OrderRequest = {
  ...creation,
  requestId: "4",
  orderId: "3",
  operation: "PAYOUT",
  action: "pay"
}
export const bookedPayout = [
  Decision.append(Order, paidPayout),
  Decision.append(OrderRequest, payRequest),
  ...LedgerTable.book(paidPayout, "3", "4", "payoutHold", 10_000, acceptedAtMs),
  ...LedgerTable.book(paidPayout, "3", "4", "payout", 10_000, acceptedAtMs)
]
export const payoutBooking: Booking.Booking = { ...saleBooking, reference: "3-pay-0", kind: "pay" }
export const railTotals: RailTotals = { paidMinor: 10_000, refusedLateMinor: 0 }
export const account = (name: string) => `shop/7/USD/${name}`
export const entry = (entryId: string, name: string, minor: number): Decision.Write =>
  Decision.append(LedgerEntry, {
    entryId,
    orderId: "1",
    requestId: entryId,
    cause: "seeded",
    account: account(name),
    minor,
    atMs: 1
  })

export type Case = readonly [what: string, seeds: Seeds, findings: ReadonlyArray<string>]

/** Asserts that reconciliation reports exactly these findings. */
export const reports = ([, seeds, findings]: Case) =>
  Effect.gen(function* () {
    assert.deepStrictEqual((yield* run(seeds)).findings, [...findings])
  })

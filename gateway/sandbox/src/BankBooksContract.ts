/**
 * The promises of every list of a bank's bookings, as test cases: see `AcquirerContract`. The tests of an adapter that offers
 * `bankBooks` run them, too.
 */

import assert from "node:assert/strict"
import { Acquirer, type AcquirerError, type BankCard } from "@pay/gateway/Acquirer"
import type * as Booking from "@pay/gateway/BankBooks"
import { type AttemptReference, BankBooks } from "@pay/gateway/BankBooks"
import { Clock, Effect, Random } from "effect"

/** One promise: a program that fails if the list of bookings breaks it. */
export interface Case {
  readonly name: string
  readonly run: Effect.Effect<void, AcquirerError | Booking.BooksUnavailable, Acquirer | BankBooks>
}

/** The facts about one bank that the cases need. */
export interface Options {
  /** A card that the bank's test system approves. */
  readonly approved: BankCard
  /** Largest difference between the bank's clock and the clock of the tests, in milliseconds. */
  readonly skewMs: number
}

const amountMinor = 10_00

/** Reads all pages of the latest bookings, from at least one minute before now. */
const listed = Effect.fnUntraced(function* (skewMs: number) {
  const { bookings } = yield* BankBooks
  const nowMs = yield* Clock.currentTimeMillis
  const period = { fromMs: Math.floor(nowMs) - skewMs - 60_000, toMs: Math.ceil(nowMs) + skewMs + 1 }
  const all: Array<Booking.Booking> = []
  let after: string | undefined
  do {
    const page: Booking.ReadPage = yield* bookings(period, after)
    assert.deepEqual(page.unreadable, [])
    all.push(...page.bookings)
    after = page.next
  } while (after !== undefined)
  return { all, period }
})

const sale = Effect.fnUntraced(function* (card: BankCard) {
  const { authorize } = yield* Acquirer
  const orderId = `${yield* Random.nextIntBetween(1, Number.MAX_SAFE_INTEGER)}`
  const reference: AttemptReference = `${orderId}-sale-0`
  const names = { clientOrderId: `contract-${orderId}`, merchantId: "contract" }
  yield* authorize({ reference, orderId, ...names, amountMinor, currency: "USD", card, capture: true })
  return { reference, ...names }
})

/** Returns all cases for one bank. */
export const cases = ({ approved, skewMs }: Options): ReadonlyArray<Case> => [
  {
    name: "a sale is listed with its reference, the merchant's order number, amount, currency and result",
    run: Effect.gen(function* () {
      const { clientOrderId, reference } = yield* sale(approved)
      const { all } = yield* listed(skewMs)
      const matches = all.filter((booking) => booking.reference === reference)
      assert.equal(matches.length, 1)
      const [booking] = matches
      assert.ok(booking !== undefined)
      assert.deepEqual(
        [booking.clientOrderId, booking.kind, booking.amountMinor, booking.currency, booking.result],
        [clientOrderId, "sale", amountMinor, "USD", "approved"]
      )
    })
  },
  {
    name: "each booking of the period is listed once, oldest first, and no booking outside the period",
    run: Effect.gen(function* () {
      for (let count = 0; count < 3; count += 1) yield* sale(approved)
      const { all, period } = yield* listed(skewMs)
      assert.equal(new Set(all.map(({ reference }) => reference)).size, all.length)
      const times = all.map(({ atMs }) => atMs)
      assert.deepEqual(
        times,
        [...times].sort((one, other) => one - other)
      )
      assert.ok(times.every((atMs) => period.fromMs <= atMs && atMs < period.toMs))
      const { bookings } = yield* BankBooks
      assert.deepEqual(yield* bookings({ fromMs: 0, toMs: 1 }, undefined), {
        bookings: [],
        unreadable: [],
        next: undefined
      })
    })
  }
]

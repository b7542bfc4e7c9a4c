/**
 * The promises of every list of a bank's bookings, as test cases: see `AcquirerContract`. The tests of an adapter that offers
 * `bankBooks` run them, too.
 */

import assert from "node:assert/strict"
import { Acquirer, type AcquirerError, type BankCard } from "@pay/gateway/Acquirer"
import type * as Booking from "@pay/gateway/BankBooks"
import { type AttemptReference, BankBooks, each } from "@pay/gateway/BankBooks"
import { Clock, Effect, Random } from "effect"
import * as Contract from "./Contract.ts"

/** One promise: a program that fails if the list of bookings breaks it. */
export type Case = Contract.Case<AcquirerError | Booking.BooksUnavailable, Acquirer | BankBooks>

/** The facts about one bank that the cases need. */
export interface Options extends Partial<Contract.Terms> {
  /** A card that the bank's test system approves. */
  readonly approved: BankCard
  /** Largest difference between the bank's clock and the clock of the tests, in milliseconds. */
  readonly skewMs: number
}

/** Reads all pages of the latest bookings, from at least one minute before now. */
const listed = Effect.fnUntraced(function* (skewMs: number) {
  const { bookings } = yield* BankBooks
  const nowMs = yield* Clock.currentTimeMillis
  const period = { fromMs: Math.floor(nowMs) - skewMs - 60_000, toMs: Math.ceil(nowMs) + skewMs + 1 }
  const all: Array<Booking.Booking> = []
  yield* each({ bookings }, period, (page) =>
    Effect.sync(() => {
      const [wrong] = page.unreadable
      assert.ok(wrong === undefined, `row ${wrong?.row} of a page is no booking: ${wrong?.problem}`)
      all.push(...page.bookings)
    })
  )
  return { all, period }
})

/** Makes a payment: a sale, which is captured at once, or a hold. */
const payment = (kind: "sale" | "authorize") =>
  Effect.fnUntraced(function* (card: BankCard, terms: Contract.Terms) {
    const { authorize } = yield* Acquirer
    const orderId = `${yield* Random.nextIntBetween(1, Number.MAX_SAFE_INTEGER)}`
    const reference: AttemptReference = `${orderId}-${kind}-0`
    const names = Contract.namesOf(orderId, terms)
    const { amountMinor } = terms
    const answer = yield* authorize({ reference, ...names, amountMinor, card, capture: kind === "sale" })
    assert.equal(answer._tag, "Approved", `the bank declined: ${JSON.stringify(answer)}`)
    return { reference, ...names }
  })
const sale = payment("sale")
const hold = payment("authorize")

/** Returns all cases for one bank. */
export const cases = ({ approved, skewMs, ...given }: Options): ReadonlyArray<Case> => {
  const terms = { ...Contract.anyTerms, ...given }
  return [
    {
      name: "a sale is listed with its reference, the merchant's order number, amount, currency and result",
      advice:
        "List bookings of the last minutes, too, with the reference and the names that the bank got with the request.",
      run: Effect.gen(function* () {
        const { clientOrderId, reference } = yield* sale(approved, terms)
        const { all } = yield* listed(skewMs)
        const matches = all.filter((booking) => booking.reference === reference)
        assert.equal(matches.length, 1, `${matches.length} bookings have the reference ${reference}`)
        const [booking] = matches
        assert.ok(booking !== undefined)
        assert.deepEqual(
          [booking.clientOrderId, booking.kind, booking.amountMinor, booking.currency, booking.result],
          [clientOrderId, "sale", terms.amountMinor, terms.currency, "approved"]
        )
      })
    },
    {
      name: "a hold, its capture, a return and a release are listed, each with its reference, kind, amount and result",
      advice:
        "List every kind of booking, not only sales: a gateway on a copy of its store learns from the list what it lacks.",
      run: Effect.gen(function* () {
        const bank = yield* Acquirer
        const { amountMinor } = terms
        const part = Math.floor(amountMinor / 2)
        const captured = yield* hold(approved, terms)
        const released = yield* hold(approved, terms)
        const { orderId } = captured
        const on = { ...captured, original: captured.reference }
        const capture: AttemptReference = `${orderId}-capture-1`
        const refund: AttemptReference = `${orderId}-refund-2`
        const release: AttemptReference = `${released.orderId}-void-1`
        yield* bank.capture({ ...on, reference: capture, amountMinor })
        yield* bank.refund({ ...on, reference: refund, amountMinor: part })
        yield* bank.void({ ...released, original: released.reference, reference: release, amountMinor })
        const { all } = yield* listed(skewMs)
        const lines = all.flatMap((booking) =>
          booking.reference.startsWith(`${orderId}-`) || booking.reference.startsWith(`${released.orderId}-`)
            ? [`${booking.reference} ${booking.kind} ${booking.amountMinor} ${booking.result}`]
            : []
        )
        const expected = [
          `${captured.reference} authorize ${amountMinor} approved`,
          `${capture} capture ${amountMinor} approved`,
          `${refund} refund ${part} approved`,
          `${released.reference} authorize ${amountMinor} approved`,
          `${release} void ${amountMinor} approved`
        ]
        assert.deepEqual([...lines].sort(), [...expected].sort())
      })
    },
    {
      name: "each booking of the period is listed once, oldest first, and no booking outside the period",
      advice: "Give the bank fromMs (included) and toMs (excluded), and sort its list by the time of the booking.",
      run: Effect.gen(function* () {
        for (let count = 0; count < 3; count += 1) yield* sale(approved, terms)
        const { all, period } = yield* listed(skewMs)
        assert.equal(new Set(all.map(({ reference }) => reference)).size, all.length, "a reference is listed twice")
        const times = all.map(({ atMs }) => atMs)
        assert.deepEqual(
          times,
          [...times].sort((one, other) => one - other)
        )
        assert.ok(
          times.every((atMs) => period.fromMs <= atMs && atMs < period.toMs),
          "a booking is outside of the period"
        )
        const { bookings } = yield* BankBooks
        assert.deepEqual(yield* bookings({ fromMs: 0, toMs: 1 }, undefined), {
          bookings: [],
          unreadable: [],
          next: undefined
        })
      })
    }
  ]
}

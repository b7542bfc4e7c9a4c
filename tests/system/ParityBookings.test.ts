import { assert, describe, it, layer } from "@effect/vitest"
import { Acquirer } from "@pay/gateway/Acquirer"
import type * as Booking from "@pay/gateway/BankBooks"
import { type AttemptReference, BankBooks } from "@pay/gateway/BankBooks"
import { Destination, PayoutRail } from "@pay/gateway/PayoutRail"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Clock, Effect, Redacted } from "effect"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const names = { clientOrderId: "c-1", merchantId: TestGateway.login }

/** Booked at the bank behind the gateway's back. */
const sale = (orderId: string, changes: { readonly currency?: string; readonly reference?: AttemptReference } = {}) =>
  Effect.flatMap(Acquirer, ({ authorize }) =>
    authorize({
      reference: `${orderId}-sale-0`,
      orderId,
      ...names,
      amountMinor: 1042,
      currency: "USD",
      capture: true,
      card: {
        pan: Redacted.make("4444555566661111"),
        cvv: Redacted.make("123"),
        expireMonth: 12,
        expireYear: 2099,
        cardholder: "JANE DOE"
      },
      ...changes
    })
  )

const payout = (orderId: string) =>
  Effect.flatMap(PayoutRail, ({ pay }) =>
    pay({
      reference: `${orderId}-pay-0`,
      orderId,
      ...names,
      amountMinor: 500,
      currency: "USD",
      destination: Destination.ofCard(Redacted.make("4444555566661111")),
      purpose: undefined
    })
  )

const actual = Effect.map(Reconciliation.check, ({ findings }) => findings)

/** What is booked, and what parity says of it; `ORDER` stands for an order that is known. */
const rows: ReadonlyArray<
  readonly [
    what: string,
    book: (orderId: string) => Effect.Effect<unknown, unknown, Acquirer | PayoutRail>,
    finding: { readonly where: string; readonly expected: string; readonly actual: string }
  ]
> = [
  [
    "a booking at the bank without an order",
    () => sale("404"),
    { where: "booking 404-sale-0 at the bank", expected: "an order", actual: "sale of 10.42 USD, client_orderid c-1" }
  ],
  [
    "a booking under an unknown reference",
    () => sale("404", { reference: "terminal-till-7" }),
    {
      where: "booking terminal-till-7 at the bank",
      expected: "an order",
      actual: "sale of 10.42 USD, client_orderid c-1"
    }
  ],
  [
    "a second booking for an order",
    (orderId) => sale(orderId, { reference: `${orderId}-sale-1` }),
    {
      where: "booking ORDER-sale-1 at the bank",
      expected: "a request of order ORDER",
      actual: "sale of 10.42 USD, client_orderid c-1"
    }
  ],
  [
    "a booking in another currency",
    (orderId) => sale(orderId, { reference: `${orderId}-sale-7`, currency: "EUR" }),
    {
      where: "booking ORDER-sale-7 at the bank",
      expected: "USD",
      actual: "sale of 10.42 EUR, client_orderid c-1"
    }
  ],
  [
    "a payout at the rail without an order",
    () => payout("405"),
    { where: "booking 405-pay-0 at the rail", expected: "an order", actual: "pay of 5.00 USD, client_orderid c-1" }
  ]
]

describe("reconciliation in both directions finds", () => {
  for (const [what, book, expected] of rows)
    it.live(what, () =>
      Effect.gen(function* () {
        const { orderid } = yield* TestMerchant.order("SALE")
        assert.deepStrictEqual(yield* actual, [])
        yield* book(orderid)
        const named = (text: string) => text.replaceAll("ORDER", orderid)
        const { actual: seen, where } = expected
        assert.deepInclude(yield* actual, { where: named(where), expected: named(expected.expected), actual: seen })
      }).pipe(Effect.provide(TestGateway.layer()))
    )
})

layer(TestGateway.layer(), { excludeTestServices: true })(
  "reconciliation where the bank cannot look up one order",
  (it) => {
    /** Lists only, without what `hides` says. */
    const listing = (hides: (booking: Booking.Booking) => boolean) =>
      Effect.map(BankBooks, ({ bookings }) => ({
        bookings: (period: Booking.Period, after: string | undefined) =>
          Effect.map(bookings(period, after), ({ next, ...page }) => ({
            bookings: page.bookings.filter((booking) => !hides(booking)),
            next
          }))
      }))

    const foundWith = (hides: (booking: Booking.Booking) => boolean) =>
      Effect.flatMap(listing(hides), (books) => Effect.provideService(actual, BankBooks, books))

    it.effect("finds an order that the bank's list lacks, once the list must contain it", () =>
      Effect.gen(function* () {
        const preauth = yield* TestMerchant.order("PREAUTH")
        yield* TestMerchant.done("CAPTURE", preauth, { amount: "4.00", currency: "USD" })
        const capture = `${preauth.orderid}-capture-1`
        const missing = foundWith(({ reference }) => reference === capture)
        // It may still be listed under a later time.
        assert.deepStrictEqual(yield* missing, [])
        yield* TestMerchant.pass("2 hours")
        assert.deepStrictEqual(yield* missing, [
          { where: `booking ${capture} at the bank`, expected: "approved", actual: "no such booking" }
        ])
        assert.deepStrictEqual(yield* foundWith(() => false), [])
      })
    )

    it.effect("compares only what was created or booked in its period", () =>
      Effect.gen(function* () {
        yield* TestMerchant.order("SALE")
        yield* sale("406")
        const nowMs = yield* Clock.currentTimeMillis
        const hourMs = 3_600_000
        const within = (fromMs: number, toMs: number) =>
          Effect.map(Reconciliation.run({ period: { fromMs, toMs } }), ({ findings, orders }) => [
            orders > 0,
            findings.length
          ])
        assert.deepStrictEqual(yield* within(nowMs - hourMs, nowMs + hourMs), [true, 1])
        assert.deepStrictEqual(yield* within(nowMs + hourMs, nowMs + 2 * hourMs), [false, 0])
        const request = yield* ask("POST", "/operator/reconciliation?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z")
        assert.strictEqual(request.status, 400)
      })
    )
  }
)

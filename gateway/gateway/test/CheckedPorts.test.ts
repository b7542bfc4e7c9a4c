/** Each method of each port decodes what its adapter gives. A list of bookings is read row by row. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as PortShape from "../src/kernel/PortShape.ts"
import * as Acquirer from "../src/orders/bank/Acquirer.ts"
import * as BankBooks from "../src/orders/bank/BankBooks.ts"
import * as Notifications from "../src/orders/bank/Notifications.ts"
import type * as Booking from "../src/orders/record/Booking.ts"
import * as PayoutRail from "../src/payouts/PayoutRail.ts"
import * as ThreeDSServer from "../src/threeds/ThreeDSServer.ts"

type Shape = Readonly<Record<"methods" | "capabilities", Readonly<Record<string, PortShape.Part<unknown>>>>>

const capabilities = {
  ...{ deadlineMs: 1, longestProcessingMs: 1, transfers: true, eligibility: true },
  ...{ destinations: new Set(), lateRefusalAfterMs: [], paresRoots: [] }
}

/** Makes an adapter all of whose methods give this. */
const adapterOf = (shape: Shape, given: () => unknown): unknown => ({
  capabilities,
  ...Object.fromEntries(Object.keys(shape.methods).map((name) => [name, given]))
})

/** Makes the checked port of an adapter from outside, as `Adapters` does after it has looked at its shape. */
const checkedBy =
  <Adapter>(name: string, shape: Shape, checked: (adapter: Adapter) => object) =>
  (given: () => unknown): object => {
    const adapter = adapterOf(shape, given)
    const isAdapter = (value: unknown): value is Adapter => PortShape.problems(name, value, shape).length === 0
    return isAdapter(adapter) ? checked(adapter) : {}
  }

const ports: ReadonlyArray<readonly [string, Shape, (given: () => unknown) => object]> = [
  ["acquirer", Acquirer.shape, checkedBy("acquirer", Acquirer.shape, Acquirer.Acquirer.checked)],
  ["payoutRail", PayoutRail.shape, checkedBy("payoutRail", PayoutRail.shape, PayoutRail.PayoutRail.checked)],
  [
    "threeDSServer",
    ThreeDSServer.shape,
    checkedBy("threeDSServer", ThreeDSServer.shape, ThreeDSServer.ThreeDSServer.checked)
  ],
  [
    "notifications",
    Notifications.shape,
    checkedBy("notifications", Notifications.shape, Notifications.Notifications.checked)
  ],
  ["bankBooks", BankBooks.shape, checkedBy("bankBooks", BankBooks.shape, BankBooks.BankBooks.checked)],
  ["railBooks", BankBooks.railShape, checkedBy("railBooks", BankBooks.railShape, BankBooks.RailBooks.checked)]
]

const methods = ports.flatMap(([name, shape, make]) =>
  Object.keys(shape.methods).map((method) => [name, method, make] as const)
)

const isAnswer = (value: unknown): value is Effect.Effect<unknown, unknown> => Effect.isEffect(value)

const call = (port: object, method: string): Effect.Effect<unknown, unknown> => {
  const made: unknown = Reflect.get(port, method)
  const request = { reference: "7-sale-0" }
  const args = method === "followUp" ? ["capture", request] : [request]
  const answer: unknown = typeof made === "function" ? made(...args) : undefined
  return isAnswer(answer) ? answer : Effect.die(new Error(`${method} gave no effect`))
}

describe("what no port has", () => {
  it.effect.each(methods)("is a failure of %s.%s that names it", ([name, method, make]) =>
    Effect.gen(function* () {
      // A follow-up is named by its kind.
      const named = `${name}.${method === "followUp" ? "capture" : method}: `
      const nonsense = { _tag: "approved", bookings: 1, next: 2 }
      const failure = yield* Effect.flip(
        call(
          make(() => Effect.succeed(nonsense)),
          method
        )
      )
      assert.include(JSON.stringify(failure), named)
      assert.include(JSON.stringify(failure), "approved")
      const thrown = yield* Effect.flip(
        call(
          make(() => {
            throw "boom"
          }),
          method
        )
      )
      assert.include(JSON.stringify(thrown), `${named}it died: boom`)
    })
  )
})

const booking: Booking.Booking = {
  ...{ reference: "7-sale-0", clientOrderId: "order-7", merchantId: "shop", kind: "sale", amountMinor: 1042 },
  ...{ currency: "EUR", atMs: 1, result: "approved" }
}

const books = (given: () => unknown) => {
  const isAdapter = (value: unknown): value is BankBooks.BankBooksAdapter =>
    PortShape.problems("bankBooks", value, BankBooks.shape).length === 0
  const adapter: unknown = { bookings: given }
  return isAdapter(adapter)
    ? BankBooks.BankBooks.checked(adapter)
    : BankBooks.BankBooks.checked({ bookings: () => Effect.never })
}
const period = { fromMs: 0, toMs: 10 }
const page = (rows: ReadonlyArray<unknown>, next?: string) => () => Effect.succeed({ bookings: rows, next })

const wrongRows: ReadonlyArray<readonly [what: string, row: unknown, problem: string]> = [
  ["has an amount in text", { ...booking, amountMinor: "1042" }, "amountMinor: Expected number"],
  ["has a negative amount", { ...booking, amountMinor: -5 }, "amountMinor: Expected a whole number from 0"],
  ["has no time", { ...booking, atMs: Number.NaN }, "atMs: Expected a whole number from 0"],
  ["has a currency in small letters", { ...booking, currency: "eur" }, "currency: Expected three capital letters"],
  ["has an unknown kind", { ...booking, kind: "chargeback" }, "kind: Expected"],
  ["has an unknown result", { ...booking, result: "ok" }, "result: Expected"]
]

describe("a row of the bank's list", () => {
  it.effect.each(wrongRows)(
    "that %s is reported by its number and reference, and does not hide the others",
    ([, row, problem]) =>
      Effect.gen(function* () {
        const { bookings } = books(page([booking, row, booking], "2"))
        const { unreadable, ...read } = yield* bookings(period, undefined)
        assert.deepStrictEqual(read, { bookings: [booking, booking], next: "2" })
        assert.deepStrictEqual(
          unreadable.map(({ reference, row }) => [row, reference]),
          [[2, "7-sale-0"]]
        )
        assert.include(unreadable[0]?.problem, problem)
      })
  )

  it.effect("may lack what the bank does not keep", () =>
    Effect.gen(function* () {
      const { clientOrderId: _, merchantId: __, ...row } = booking
      const { bookings, unreadable } = yield* books(page([row, null])).bookings(period, undefined)
      assert.deepStrictEqual(bookings, [row])
      assert.deepStrictEqual(
        unreadable.map(({ reference, row }) => [row, reference]),
        [[2, undefined]]
      )
    })
  )
})

describe("the bank's list is not available if", () => {
  it.effect.each([
    ["a page has no bookings", () => Effect.succeed({ next: "2" }), "bookings: Missing key"],
    ["the position of a page is a number", () => Effect.succeed({ bookings: [], next: 2 }), "next: Expected string"]
  ] as const)("%s", ([, given, problem]) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(books(given).bookings(period, undefined))
      assert.include(message, problem)
    })
  )

  it.effect.each([
    ["itself", { first: "first" }, "first"],
    ["the page after it, which leads back", { first: "second", second: "first" }, "first"],
    ["a later page, which leads to itself", { first: "second", second: "third", third: "third" }, "third"]
  ] as const)("a page leads to %s", ([, next, again]) =>
    Effect.gen(function* () {
      const pages = new Map<string, string>(Object.entries(next))
      const { bookings } = BankBooks.BankBooks.checked({
        bookings: (_, after) => Effect.succeed({ bookings: [], next: after === undefined ? "first" : pages.get(after) })
      })
      const read = BankBooks.each({ bookings }, period, () => Effect.void)
      const { message } = yield* Effect.flip(read)
      assert.strictEqual(message, `the list leads back to the page after ${again}`)
    })
  )

  it.effect("it does not answer within a minute", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(books(() => Effect.never).bookings(period, undefined)))
      yield* TestClock.adjust("1 minute")
      assert.include((yield* Fiber.join(fiber)).message, "no answer within 60000 ms")
    })
  )
})

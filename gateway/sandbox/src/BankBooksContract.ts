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
import * as ContractBank from "./ContractBank.ts"

/** One promise: a program that fails if the list of bookings breaks it. */
export type Case = Contract.Case<AcquirerError | Booking.BooksUnavailable, Acquirer | BankBooks>

/** The facts about one bank that the cases need. */
export interface Options extends Partial<Contract.ContractOrder> {
  /** Cards that the bank's test system approves and declines. */
  readonly approved: BankCard
  readonly declined: BankCard
  /** The card that receives transfers. Undefined: transfers are left out. */
  readonly recipient?: BankCard["pan"] | undefined
  /** Waits for the outcome of a payment that the bank has accepted. By default the bank is inquired until it has one. */
  readonly outcome?: ContractBank.Outcome
  /** Largest difference between the bank's clock and the clock of the tests, in milliseconds. */
  readonly skewMs: number
}

type Terms = Contract.ContractOrder & Pick<Options, "outcome">

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

/** Lists the bookings of these orders, one on a line. */
const linesOf = (orderIds: ReadonlyArray<string>, skewMs: number) =>
  Effect.map(listed(skewMs), ({ all }) =>
    all
      .filter(({ reference }) => orderIds.some((orderId) => reference.startsWith(`${orderId}-`)))
      .map(({ amountMinor, kind, reference, result }) => `${reference} ${kind} ${amountMinor} ${result}`)
      .sort()
  )

/** Sends a payment: a sale, which is captured at once, a hold, or a transfer to the recipient. */
const sent = Effect.fnUntraced(function* (
  kind: "sale" | "authorize" | "transfer",
  card: BankCard,
  terms: Terms,
  recipient?: BankCard["pan"]
) {
  const acquirer = yield* Acquirer
  const orderId = `${yield* Random.nextIntBetween(1, Number.MAX_SAFE_INTEGER)}`
  const reference: AttemptReference = `${orderId}-${kind}-0`
  const names = Contract.namesOf(orderId, terms)
  const { amountMinor } = terms
  const capture = kind !== "authorize"
  const request = { reference, ...names, amountMinor, card, capture }
  const { final } = ContractBank.finalOf(acquirer, terms.outcome)
  const answer = yield* final(
    yield* acquirer.authorize(recipient === undefined ? request : { ...request, recipient }),
    {
      ...{ reference, kind, ...names, amountMinor },
      ...{ processorTxId: undefined, original: undefined }
    }
  )
  return { reference, ...names, answer }
})

/** Makes a payment that the bank must approve. */
const payment = (kind: "sale" | "authorize") =>
  Effect.fnUntraced(function* (card: BankCard, terms: Terms) {
    const { answer, ...made } = yield* sent(kind, card, terms)
    ContractBank.expectAnswer("Approved", `the ${kind} of ${terms.amountMinor}`, answer)
    assert.ok(answer._tag === "Approved")
    return { ...made, processorTxId: answer.processorTxId }
  })
const sale = payment("sale")
const hold = payment("authorize")

/** Returns all cases for one bank. */
export const cases = ({ approved, declined, recipient, skewMs, ...given }: Options): ReadonlyArray<Case> => {
  const terms = { ...Contract.anyOrder, ...given }
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
        const on = { ...captured, original: Contract.originalOf(captured.reference, terms, captured.processorTxId) }
        const capture: AttemptReference = `${orderId}-capture-1`
        const refund: AttemptReference = `${orderId}-refund-2`
        const release: AttemptReference = `${released.orderId}-void-1`
        yield* bank.followUp("capture", { ...on, reference: capture, amountMinor })
        yield* bank.followUp("refund", { ...on, reference: refund, amountMinor: part })
        yield* bank.followUp("void", {
          ...released,
          original: Contract.originalOf(released.reference, terms, released.processorTxId),
          reference: release,
          amountMinor
        })
        const expected = [
          `${captured.reference} authorize ${amountMinor} approved`,
          `${capture} capture ${amountMinor} approved`,
          `${refund} refund ${part} approved`,
          `${released.reference} authorize ${amountMinor} approved`,
          `${release} void ${amountMinor} approved`
        ]
        assert.deepEqual(yield* linesOf([orderId, released.orderId], skewMs), [...expected].sort())
      })
    },
    {
      name: "what the bank declines is listed as declined: a sale, a capture, a return and a release",
      advice:
        "List each booking with its result. A gateway on a copy of its store must not take a decline for a payment.",
      run: Effect.gen(function* () {
        const bank = yield* Acquirer
        const { amountMinor } = terms
        const refused = yield* sent("sale", declined, terms)
        ContractBank.expectAnswer("Declined", `the sale of ${amountMinor}`, refused.answer)
        const onHold = yield* hold(approved, terms)
        const { orderId } = onHold
        const on = { ...onHold, original: Contract.originalOf(onHold.reference, terms, onHold.processorTxId) }
        const capture: AttemptReference = `${orderId}-capture-1`
        const refund: AttemptReference = `${orderId}-refund-2`
        const release: AttemptReference = `${orderId}-void-3`
        const second: AttemptReference = `${orderId}-void-4`
        yield* bank.followUp("capture", { ...on, reference: capture, amountMinor: amountMinor + 1 })
        yield* bank.followUp("refund", { ...on, reference: refund, amountMinor })
        yield* bank.followUp("void", { ...on, reference: release, amountMinor })
        yield* bank.followUp("void", { ...on, reference: second, amountMinor })
        const expected = [
          `${refused.reference} sale ${amountMinor} declined`,
          `${onHold.reference} authorize ${amountMinor} approved`,
          `${capture} capture ${amountMinor + 1} declined`,
          `${refund} refund ${amountMinor} declined`,
          `${release} void ${amountMinor} approved`,
          `${second} void ${amountMinor} declined`
        ]
        assert.deepEqual(yield* linesOf([refused.orderId, orderId], skewMs), [...expected].sort())
      })
    },
    {
      name: "a transfer is listed as a transfer, and a request that was repeated is listed once",
      advice: "List what an inquiry finds, once for each reference, whatever its kind.",
      run: Effect.gen(function* () {
        const bank = yield* Acquirer
        const { amountMinor } = terms
        const { reference, orderId, processorTxId: _, ...names } = yield* sale(approved, terms)
        yield* bank.authorize({ ...names, orderId, reference, amountMinor, card: approved, capture: true })
        const isTransferred = bank.capabilities.transfers && recipient !== undefined
        const transfer = isTransferred ? yield* sent("transfer", approved, terms, recipient) : undefined
        const expected = [
          `${reference} sale ${amountMinor} approved`,
          ...(transfer === undefined ? [] : [`${transfer.reference} transfer ${amountMinor} approved`])
        ]
        const lines = yield* linesOf([orderId, transfer?.orderId ?? orderId], skewMs)
        assert.deepEqual(lines, [...expected].sort())
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
        // What a reconciliation without a period asks for: everything until an hour from now.
        const { unreadable } = yield* bookings({ fromMs: 0, toMs: period.toMs + 3_600_000 }, undefined)
        assert.deepEqual(unreadable, [])
        assert.deepEqual(yield* bookings({ fromMs: 0, toMs: 1 }, undefined), {
          bookings: [],
          unreadable: [],
          next: undefined
        })
      })
    }
  ]
}

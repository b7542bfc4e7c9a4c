import { readFileSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Schema } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import { ask } from "../harness/Operating.ts"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"
import * as Copies from "./Copies.ts"

const part = { amount: "4.00", currency: "USD" }

/** The follow-ups of an order that was adopted are registered. */
const registered = TestMerchant.pass("10 seconds")

const sale = (id: string) => TestMerchant.order("SALE", { client_orderid: id })

const deeds = {
  sale: (id: string) => Effect.flatMap(sale(id), TestMerchant.orderStatus),
  declined: (id: string) =>
    Effect.flatMap(TestMerchant.order("SALE", { client_orderid: id, cvv2: "116" }), (order) =>
      TestMerchant.orderStatus(order)
    ),
  refunded: (id: string) =>
    Effect.gen(function* () {
      const order = yield* sale(id)
      yield* registered
      yield* TestMerchant.done("RETURN", order, part)
      yield* TestMerchant.done("RETURN", order, { amount: "5.00", currency: "USD" })
      return yield* TestMerchant.orderStatus(order)
    }),
  captured: (id: string) =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH", { client_orderid: id })
      yield* registered
      yield* TestMerchant.done("CAPTURE", order, part)
      yield* TestMerchant.done("RETURN", order)
      return yield* TestMerchant.orderStatus(order)
    }),
  voided: (id: string) =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH", { client_orderid: id })
      yield* registered
      yield* TestMerchant.done("VOID", order)
      return yield* TestMerchant.orderStatus(order)
    }),
  payout: (id: string) =>
    Effect.flatMap(
      TestPayouts.made("PAYOUT_V4", { ...TestPayouts.plain, client_orderid: id }),
      TestPayouts.orderStatus
    ),
  checkedPayout: (id: string) =>
    Effect.gen(function* () {
      const order = yield* TestPayouts.made("PAYOUT_V4_CHECK", { ...TestPayouts.plain, client_orderid: id })
      yield* TestPayouts.pay(order)
      yield* TestMerchant.settled
      return yield* TestPayouts.orderStatus(order)
    })
}

/** A payment on the gateway's page, which is adopted when the page is requested again. */
const page = (id: string) =>
  Effect.gen(function* () {
    const { names, url } = yield* HostedPage.open(id)
    const { books } = yield* SandboxControl
    if ((yield* books.ofOrder(names.orderid)).length === 0) yield* HostedPage.pay(url)
    yield* TestMerchant.settled
    return yield* TestMerchant.orderStatus(names)
  })

const names = [
  ...Array.from({ length: 40 }, () => "sale" as const),
  ...(["declined", "refunded", "captured", "voided", "payout", "checkedPayout"] as const).flatMap((name) => [
    name,
    name
  ])
]

/** References at bank and rail with what they moved: each once. */
const booked = Effect.gen(function* () {
  const bank = yield* SandboxControl
  const rail = yield* RailControl
  assert.deepStrictEqual([yield* bank.violations, yield* rail.violations], [[], []])
  return [...(yield* bank.books.all), ...(yield* rail.books.all)]
    .map(({ answer, request }) => `${request.reference} ${request.kind} ${request.amountMinor} ${answer._tag}`)
    .filter((line) => !line.includes(" check "))
    .sort()
})

const Listed = Schema.decodeUnknownSync(
  Schema.Struct({
    bookings: Schema.Array(
      Schema.Struct({ source: Schema.String, reference: Schema.String, state: Schema.String, amount: Schema.String })
    )
  })
)

const open = Effect.map(ask("GET", "/operator/bookings?state=open"), ({ body }) => Listed(body).bookings)

/** A gateway on a copy that lacks everything done after it. */
const restored = <A, E, R, B, E2, R2>(
  forgotten: Effect.Effect<A, E, R>,
  after: (done: A) => Effect.Effect<B, E2, R2>
) => Copies.restored((backup) => Effect.andThen(backup, forgotten), after)

describe("a booking that a restored copy lacks", () => {
  it.live("is adopted by the merchant's repeat: nothing is booked twice, and the books are equal", () => {
    const all = names.map((name, index) => [name, `again-${name}-${index}`] as const)
    const play = Effect.zip(
      Effect.forEach(
        all,
        Effect.fnUntraced(function* ([name, id]) {
          return yield* deeds[name](id)
        })
      ),
      page("again-page")
    )
    return restored(
      Effect.all([play, booked]),
      Effect.fnUntraced(function* ([standings, before]) {
        yield* Copies.enumerated
        assert.isAbove((yield* open).length, names.length - 1)
        assert.deepStrictEqual(yield* play, standings)
        assert.deepStrictEqual(yield* booked, before)
        assert.deepStrictEqual(yield* open, [])
        yield* TestPayouts.assertClean
      })
    )
  })

  it.live.each<readonly [which: string, byMs: number]>([
    ["ahead of", 10 * 60_000],
    ["behind", -10 * 60_000]
  ])("is found where the bank's clock is %s ours", ([_which, byMs]) =>
    Effect.gen(function* () {
      const former = yield* temporaryFolder
      const folder = yield* temporaryFolder
      const done = yield* Effect.andThen(Copies.backup(former), sale("skewed")).pipe(TestGateway.running(former))
      yield* Copies.back(former, folder)
      const journal = Copies.withBankOf(former).journalPath
      const shifted = readFileSync(journal, "utf8").replace(
        /"bookedAtMs":(\d+)/g,
        (_whole, atMs) => `"bookedAtMs":${Number(atMs) + byMs}`
      )
      writeFileSync(journal, shifted)
      yield* Effect.gen(function* () {
        yield* Copies.enumerated
        assert.deepStrictEqual(yield* sale("skewed"), done)
        assert.lengthOf(yield* booked, 1)
      }).pipe(TestGateway.running(folder, { bank: Copies.withBankOf(former) }))
    })
  )

  it.live("has its returns again, before another one is made", () =>
    restored(
      Effect.gen(function* () {
        const order = yield* sale("returned")
        yield* TestMerchant.done("RETURN", order, { amount: "6.00", currency: "USD" })
      }),
      () =>
        Effect.gen(function* () {
          yield* Copies.enumerated
          const order = yield* sale("returned")
          yield* registered
          const more = yield* TestMerchant.act("RETURN", order, { amount: "5.00", currency: "USD" })
          assert.notStrictEqual(more.status, 200)
          yield* TestMerchant.done("RETURN", order, { amount: "4.42", currency: "USD" })
          assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved reversal 10.42 10.42 10.42 0.00")
          yield* TestMerchant.assertClean
        })
    )
  )

  it.live("stops orders and money until it is listed, and reads continue", () =>
    restored(sale("early"), ({ orderid }) =>
      Effect.gen(function* () {
        const refused = yield* TestMerchant.create("SALE", { client_orderid: "early" })
        assert.strictEqual(refused.status, 503)
        assert.match(String(refused.headers["retry-after"]), /^[1-9]\d*$/)
        assert.include(TestMerchant.text(refused, "error-message"), "restored")
        const capture = yield* TestMerchant.act("CAPTURE", { client_orderid: "early", orderid })
        assert.strictEqual(capture.status, 503)
        TestMerchant.assertRefused(
          yield* TestGateway.post(PayApi.operations.STATUS, { login: TestGateway.login, client_orderid: "early" }),
          "orderNotFound"
        )
        assert.deepInclude((yield* ask("GET", "/operator/restoration")).body, { enumerated: null })
        yield* Copies.enumerated
        assert.notStrictEqual((yield* ask("GET", "/operator/restoration")).body.enumerated, null)
        assert.strictEqual((yield* sale("early")).orderid, orderid)
      })
    )
  )

  it.live("is refused under another amount, stays visible, and is closed by an operator with a reason", () =>
    restored(sale("other"), ({ orderid }) =>
      Effect.gen(function* () {
        yield* Copies.enumerated
        const other = yield* TestMerchant.create("SALE", { client_orderid: "other", amount: "99.00" })
        TestMerchant.assertRefused(other, "contentDiffers", "client_orderid")
        const reference = `${orderid}-sale-0`
        assert.deepStrictEqual(yield* open, [{ source: "bank", reference, state: "open", amount: "10.42" }])
        const close = { note: "refunded by the bank, Ms Smith, 22 November" }
        assert.strictEqual((yield* ask("POST", `/operator/bookings/bank/${reference}/close`, {})).status, 400)
        assert.strictEqual((yield* ask("POST", `/operator/bookings/bank/${reference}/close`, close)).status, 200)
        assert.deepStrictEqual(yield* open, [])
        assert.strictEqual((yield* ask("POST", `/operator/bookings/bank/${reference}/close`, close)).status, 409)
        const { body } = yield* ask("GET", `/operator/audit?subject=booking:${reference}`)
        assert(Array.isArray(body.entries))
        assert.deepInclude(body.entries[0], { action: "booking.close" })
      })
    )
  )

  it.live("counts as charged for a recurring payment, and the next charge is made", () =>
    Copies.restored(
      Effect.fnUntraced(function* (backup) {
        const { id } = yield* Recurring.created({ period: "daily" })
        yield* backup
        yield* TestMerchant.pass("3 days")
        return id
      }),
      Effect.fnUntraced(function* (id) {
        yield* Copies.enumerated
        assert.strictEqual(yield* Recurring.summary(id), "active: charged charged charged charged")
        yield* TestMerchant.pass("1 day")
        assert.strictEqual(yield* Recurring.summary(id), "active: charged charged charged charged charged")
        yield* TestMerchant.assertClean
      })
    )
  )

  it.live("is not skipped by a pause of its recurring payment before it is listed", () =>
    Copies.restored(
      Effect.fnUntraced(function* (backup) {
        const { id } = yield* Recurring.created({ period: "daily" })
        yield* backup
        yield* TestMerchant.pass("3 days")
        return id
      }),
      Effect.fnUntraced(function* (id) {
        const early = yield* Recurring.update(id, { change: "pause" })
        TestMerchant.assertRefused(early, "unavailable")
        assert.isDefined(early.headers["retry-after"])
        yield* Copies.enumerated
        yield* Recurring.updated(id, { change: "pause" })
        assert.strictEqual(yield* Recurring.summary(id), "paused: charged charged charged charged")
        yield* TestMerchant.assertClean
      })
    )
  )
})

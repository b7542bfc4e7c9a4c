/**
 * Payouts with faults on the way to the rail: the order ends with the rail's outcome, its money moves once, and exactly the
 * amount of open orders is held.
 */
import { assert, describe, it } from "@effect/vitest"
import { Balance } from "@pay/gateway/Entities"
import { PayoutRail } from "@pay/gateway/PayoutRail"
import { Store } from "@pay/gateway/Store"
import { approve, decline } from "@pay/sandbox/Outcome"
import { RailControl } from "@pay/sandbox/RailControl"
import * as TestRecipients from "@pay/sandbox/TestRecipients"
import { declines } from "@pay/schema/Decline"
import { Context, Effect, Layer } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import { Inbox } from "../harness/InboxInMemory.ts"
import * as World from "../harness/World.ts"
import * as EveryWrite from "./EveryWrite.ts"
import * as Timeline from "./Timeline.ts"

const server_callback_url = "http://shop.example/callback"
const notify_url = "http://shop.example/notify"

let count = 0

const payOut = (
  name: "PAYOUT" | "PAYOUT_V4_CHECK",
  recipient: string,
  fields: Readonly<Record<string, string>> = {}
) => {
  count += 1
  const account_number = TestRecipients.byName(recipient)?.numbers.account ?? recipient
  const client_orderid = `payout-${count}`
  return ClientMerchant.send(name, { client_orderid, amount: "10.42", currency: "USD", account_number, ...fields })
}

const confirm = ({ client_orderid, orderid }: ClientMerchant.Order) =>
  ClientMerchant.send("PAYOUT_V4_PAY", { client_orderid, orderid })

const atRail = Effect.fnUntraced(function* ({ orderid }: ClientMerchant.Order) {
  const { books } = yield* RailControl
  const booked = yield* books.ofOrder(orderid)
  return booked.map(
    ({ answer, repeats, request }) => `${request.kind} ${answer._tag}${repeats === 0 ? "" : ` again ${repeats}`}`
  )
})

const heldOrder = Effect.gen(function* () {
  const store = yield* Store
  const row = yield* store.load(Balance, ["sandbox-merchant/1001/USD/payout_held"])
  return Number(row?.minor ?? 0)
})

const allIsWell = Effect.gen(function* () {
  yield* ClientMerchant.allIsWell
  const { violations } = yield* RailControl
  assert.deepStrictEqual(yield* violations, [])
})

const payments = [
  { to: "ordinary", rail: "pay Approved", observed: "0s approved, 8d approved" },
  { to: "pay-refused", rail: "pay Declined", observed: "0s declined, 8d declined" },
  { to: "arrives-twice", rail: "pay Approved again 1", observed: "0s approved" },
  { to: "answer-lost", rail: "pay Approved", observed: "0s unknown, 4s unknown, 5s approved" },
  { to: "undecided", rail: "pay Approved", observed: "0s unknown, 334s unknown, 335s approved" },
  { to: "arrives-late", rail: "pay Approved", observed: "0s unknown, 34s unknown, 35s approved" },
  { to: "lost-once", rail: "pay Approved", observed: "0s unknown, 59s unknown, 60s approved" },
  { to: "never-arrives", rail: "", observed: "0s unknown, 15min unknown, 16min error, 1d error" },
  { to: "not-sent-twice", rail: "pay Approved", observed: "0s processing, 2s processing, 3s approved" },
  { to: "not-sent", rail: "", observed: "0s processing, 15min processing, 16min error, 1d error" },
  { to: "never-decided", rail: "pay Approved", observed: "0s unknown, 1h unknown, 1d unknown, 30d unknown" },
  {
    to: "refused-after-hour",
    rail: "pay Approved",
    observed: "0s approved, 119min approved, 2h declined, 8d declined"
  },
  { to: "refused-after-days", rail: "pay Approved", observed: "0s approved, 1d approved, 71h approved, 3d declined" }
] as const

describe("a payout", () => {
  it.live.each(payments)("to the test recipient $to: $observed", ({ rail, observed, to }) =>
    Effect.gen(function* () {
      const order = yield* payOut("PAYOUT", to)
      const look = Effect.gen(function* () {
        const { status } = yield* ClientMerchant.status(order)
        assert.strictEqual(yield* heldOrder, status === "processing" || status === "unknown" ? 1042 : 0)
        return status
      })
      yield* Timeline.follow(observed, look)
      assert.deepStrictEqual((yield* atRail(order)).join(), rail)
      yield* allIsWell
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )

  it.live.each([
    ["paid", approve, "approved"],
    ["refused", decline(declines.noSuchAccount), "declined"]
  ] as const)("that the rail reports as %s later ends so", ([, verdict, status]) =>
    Effect.gen(function* () {
      const rail = yield* RailControl
      const order = yield* payOut("PAYOUT", "never-decided")
      yield* World.pass("2 days")
      yield* rail.settle(`${order.orderid}-pay-0`, verdict)
      yield* World.pass("1 day")
      assert.strictEqual((yield* ClientMerchant.status(order)).status, status)
      assert.strictEqual(yield* heldOrder, 0)
      yield* allIsWell
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )

  it.live("that is refused after it was paid causes one declined callback at each address", () =>
    Effect.gen(function* () {
      const order = yield* payOut("PAYOUT", "refused-after-hour", { server_callback_url, notify_url })
      yield* World.pass("8 days")
      const { arrived } = yield* Inbox
      const messages = arrived.map(
        ({ parameters }) => `${parameters.type} ${parameters.status} ${parameters.error_code ?? ""}`
      )
      assert.deepStrictEqual(messages, [
        "payout approved ",
        "payout approved ",
        "payout declined 114",
        "payout declined 114"
      ])
      assert.sameMembers(
        [...(yield* ClientMerchant.booked(order))],
        ["payoutHold 1042", "payout 1042", "payoutReturn 1042"]
      )
      assert.strictEqual((yield* ClientMerchant.statusOf(order)).status, "declined")
      yield* allIsWell
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )

  it.live("that may be refused late is inquired about until the rail answers", () =>
    Effect.gen(function* () {
      const rail = yield* RailControl
      const order = yield* payOut("PAYOUT", "refused-after-hour")
      for (const _ of [1, 2, 3]) yield* rail.next("inquire", { delivery: { _tag: "AnswerLost" } })
      yield* World.pass("2 hours")
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "approved")
      yield* World.pass("10 minutes")
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "declined")
      yield* allIsWell
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )

  it.live("never exceeds the balance with a hundred requests at the same time", () =>
    Effect.gen(function* () {
      const orders = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, n) => n),
        () => payOut("PAYOUT", "never-decided", { amount: "1500.00" }),
        { concurrency: "unbounded" }
      )
      yield* World.settled
      const statuses = yield* Effect.forEach(orders, (order) =>
        Effect.map(ClientMerchant.status(order), ({ status }) => status)
      )
      assert.strictEqual(statuses.filter((status) => status === "unknown").length, 6)
      assert.strictEqual(statuses.filter((status) => status === "declined").length, 94)
      assert.strictEqual(yield* heldOrder, 6 * 150_000)
      yield* allIsWell
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )
})

/** Everything but the rail. */
const withoutRail = Layer.effectContext(
  Effect.map(
    Effect.context<Layer.Success<ReturnType<typeof World.outside>>>(),
    (context): Context.Context<Exclude<Layer.Success<ReturnType<typeof World.outside>>, PayoutRail>> =>
      Context.omit(PayoutRail)(context)
  )
).pipe(Layer.provide(World.outside()))

describe("a gateway without a rail", () => {
  it.live("refuses payouts as not enabled, and accepts payments", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* Effect.flip(payOut("PAYOUT", "ordinary")), { errorCode: 50 })
      const sale = yield* ClientMerchant.create("SALE")
      yield* World.settled
      assert.strictEqual((yield* ClientMerchant.status(sale)).status, "approved")
    }).pipe(Effect.provide(Layer.provideMerge(World.gateway(), withoutRail), { local: true }))
  )
})

/** Asks again until there is an answer: as the same payout. */
const insist = <A, E, R>(ask: Effect.Effect<A, E, R>) => Effect.retry(ask, { times: 2 })

/** Long enough for a lease to end and for what never came to be sent again. */
const rest = World.pass("5 minutes")

const scenario = Effect.gen(function* () {
  const fields = { server_callback_url, client_orderid: "scenario" }
  const order = yield* insist(payOut("PAYOUT_V4_CHECK", "refused-after-hour", fields))
  yield* rest
  yield* insist(confirm(order))
  yield* rest
  yield* World.pass("2 hours")
  return order
})

const look = Effect.fnUntraced(function* (order: ClientMerchant.Asked) {
  yield* rest
  assert.strictEqual((yield* ClientMerchant.status(order)).status, "declined")
  assert.deepStrictEqual(yield* ClientMerchant.booked(order), ["payoutHold 1042", "payout 1042", "payoutReturn 1042"])
  const books = yield* atRail(order)
  assert.deepStrictEqual(
    books.map((line) => line.replace(/ again \d+/, "")),
    ["check Approved", "pay Approved"]
  )
  assert.notInclude(books[1], "again")
  const { arrived } = yield* Inbox
  const events = new Set(arrived.map(({ headers, parameters }) => `${headers["webhook-id"]} ${parameters.status}`))
  assert.deepStrictEqual([...events], [`${order.orderid}-1 approved`, `${order.orderid}-2 declined`])
  assert.strictEqual(yield* heldOrder, 0)
  yield* allIsWell
})

/** Check and payment: acceptance, the rail's answers and the callback. Late refusal: its claim, its record and the callback. */
EveryWrite.suite("a payout", 8, Effect.flatMap(scenario, look))

/**
 * A charge with a list of amounts: each is asked for once the one before is declined for certain, and the card pays one of
 * them at most, whatever goes wrong at whichever write.
 */
import { assert, describe, it } from "@effect/vitest"
import { Cvv, OrderRequest } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { approve, decline } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import { Inbox } from "../harness/InboxInMemory.ts"
import * as World from "../harness/World.ts"
import * as EveryWrite from "./EveryWrite.ts"

const server_callback_url = "http://shop.example/callback"

const insist = <A, E, R>(ask: Effect.Effect<A, E, R>) => Effect.retry(ask, { times: 2 })

/** The reference of this test card, once its holder has paid 1.00 with it. */
const stored = Effect.fnUntraced(function* (card: string) {
  const { client_orderid, orderid } = yield* insist(
    ClientMerchant.create("SALE", { card, amount: "1.00", client_orderid: `holder-${card}` })
  )
  yield* World.pass("5 minutes")
  const client = yield* PayClient.PayClient
  return (yield* insist(client.cardref({ client_orderid, orderid })))["card-ref-id"]
})

const charge = (cardrefid: string, amounts: string, fields: Readonly<Record<string, string>> = {}) => {
  const [amount = "", ...list] = amounts.split(",")
  return insist(
    ClientMerchant.send("REBILL", {
      client_orderid: "charge",
      cardrefid,
      amount,
      ...(list.length === 0 ? {} : { enumerate_amounts: list.join(",") }),
      currency: "USD",
      order_desc: "Monthly fee",
      ipaddress: "203.0.113.9",
      server_callback_url,
      ...fields
    })
  )
}

/** `operation minor progress` of every record, in order. */
const records = Effect.fnUntraced(function* ({ orderid }: ClientMerchant.Order) {
  const store = yield* Store
  const rows = yield* store.find(OrderRequest, "order", { equals: [orderid], limit: 100 })
  return rows
    .filter(({ operation }) => operation === "REBILL_ATTEMPT")
    .map(({ amountMinor, progress, sequence }) => `${sequence}: ${amountMinor} ${progress}`)
})

/** `status amount` of the merchant's callbacks, each event once. */
const report = Effect.fnUntraced(function* ({ orderid }: ClientMerchant.Order) {
  const { arrived } = yield* Inbox
  const own = arrived.filter(({ parameters }) => parameters.orderid === orderid)
  const events = new Map(own.map(({ headers, parameters }) => [headers["webhook-id"], parameters]))
  return [...events.values()].map(({ amount, status }) => `${status} ${amount}`)
})

const paysFive = Effect.fnUntraced(function* (order: ClientMerchant.Asked) {
  assert.deepInclude(yield* ClientMerchant.status(order), {
    status: "approved",
    amount: "4.00",
    "authorized-amount": "4.00",
    "captured-amount": "4.00"
  })
  assert.deepInclude(yield* ClientMerchant.statusOf(order), { status: "approved", amount: "4.00" })
  assert.deepStrictEqual(yield* ClientMerchant.booked(order), ["sale 400"])
  assert.deepStrictEqual(
    (yield* ClientMerchant.atBank(order)).map((booking) => booking.replace(/ again \d+$/, "")),
    ["authorize 900 Declined", "authorize 600 Declined", "authorize 400 Approved"]
  )
  assert.deepStrictEqual(yield* records(order), ["0: 900 declined", "1: 600 declined", "2: 400 approved"])
  assert.deepStrictEqual(yield* report(order), ["approved 4.00"])
  yield* ClientMerchant.allIsWell
})

const scenario = Effect.gen(function* () {
  const order = yield* charge(yield* stored("funds-five"), "9.00,6.00,4.00,2.00")
  yield* World.pass("10 minutes")
  return order
})

const alone = <A, E>(test: Effect.Effect<A, E, World.Services>) => Effect.provide(test, World.layer(), { local: true })

describe("a rebill with a list of amounts", () => {
  it.live("has the first approved amount, and is returned from it", () =>
    Effect.gen(function* () {
      const order = yield* scenario
      yield* paysFive(order)
      yield* ClientMerchant.act("RETURN", order)
      yield* World.pass("1 minute")
      assert.deepInclude(yield* ClientMerchant.status(order), { status: "approved", "returned-amount": "4.00" })
      yield* ClientMerchant.allIsWell
    }).pipe(alone)
  )

  const settled = [
    { verdict: approve, after: "2 minutes", observed: "approved 9.00", bank: ["authorize 900 Approved"] },
    {
      verdict: decline(declines.doNotHonour),
      after: "2 minutes",
      observed: "approved 4.00",
      bank: ["authorize 900 Declined", "authorize 400 Approved"]
    },
    {
      verdict: decline(declines.doNotHonour),
      after: "16 minutes",
      observed: "declined 9.00",
      bank: ["authorize 900 Declined"]
    }
  ] as const
  it.live.each(settled)(
    "waits while an amount is unknown; decided after $after: $observed",
    ({ after, bank, observed: snapshot, verdict }) =>
      Effect.gen(function* () {
        const card = yield* stored("ordinary")
        const control = yield* SandboxControl
        yield* control.next("authorize", { delivery: { _tag: "Undecided" } })
        const order = yield* charge(card, "9.00,4.00")
        yield* World.pass(after)
        assert.deepInclude(yield* ClientMerchant.status(order), { status: "unknown", amount: "9.00" })
        assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 900 Approved"])
        yield* control.settle(`${order.orderid}-sale-0`, verdict)
        yield* World.pass("2 hours")
        const { amount, status } = yield* ClientMerchant.status(order)
        assert.strictEqual(`${status} ${amount}`, snapshot)
        assert.deepStrictEqual(yield* ClientMerchant.atBank(order), [...bank])
        assert.deepStrictEqual(yield* report(order), [snapshot])
        yield* ClientMerchant.allIsWell
      }).pipe(alone)
  )

  it.live("sends the security code with each amount, and erases it at the end", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const order = yield* charge(yield* stored("funds-five"), "9.00,4.00", { cvv2: "123" })
      yield* World.pass("1 minute")
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "approved")
      assert.isUndefined(yield* store.load(Cvv, [order.orderid]))
      const other = yield* charge(yield* stored("ordinary"), "9.00,4.00", { cvv2: "116", client_orderid: "other" })
      yield* World.pass("1 minute")
      assert.deepStrictEqual(yield* ClientMerchant.atBank(other), ["authorize 900 Declined", "authorize 400 Declined"])
      assert.isUndefined(yield* store.load(Cvv, [other.orderid]))
    }).pipe(alone)
  )
})

/** The holder's payment with its stored card; then the charge: its acceptance, three answers of the bank, the callback. */
EveryWrite.suite("a rebill with a list of amounts", 8, Effect.flatMap(scenario, paysFive))

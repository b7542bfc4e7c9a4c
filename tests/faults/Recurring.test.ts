/**
 * Recurring payments when things go wrong: outages, clocks that go back, answers of the bank that are lost, and every write
 * of a billing run failing in every way. Nothing is charged twice and nothing is forgotten.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Acquirer } from "@pay/gateway/Acquirer"
import { Occurrence, Subscription } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import type { Scenario } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Clock, Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import { Inbox } from "../harness/InboxInMemory.ts"
import * as World from "../harness/World.ts"
import * as EveryWrite from "./EveryWrite.ts"

const dayMs = 86_400_000
/** The merchant signs in a time that stands still. */
const settings = { clockSkewMs: 100 * 365 * dayMs }

const fields = {
  ...Sample.request(PayApi.operations.CREATE_RP_V4),
  client_orderid: "club",
  cvv2: "123",
  server_callback_url: "http://shop.example/callback"
}

const create = (changes: Readonly<Record<string, string>> = {}) =>
  ClientMerchant.send("CREATE_RP_V4", { ...fields, ...changes })

/** `state: charged skipped …` of the only recurring payment. */
const summary = Effect.gen(function* () {
  const store = yield* Store
  const [row] = yield* store.find(Subscription, "key", { limit: 1 })
  assert.isDefined(row)
  const occurrences = yield* store.find(Occurrence, "key", { equals: [row.subscriptionId], limit: 1000 })
  return `${row.state}: ${occurrences.map(({ attempts, progress }) => (attempts > 1 ? `${progress}*${attempts}` : progress)).join(" ")}`
})

/** What the bank was asked for, and how often each was approved: `orders approved repeated`. */
const atBank = Effect.gen(function* () {
  const { books } = yield* SandboxControl
  const all = yield* books.all
  const approved = all.filter(({ answer }) => answer._tag === "Approved")
  return [new Set(approved.map(({ request }) => request.orderId)).size, approved.length, all.length] as const
})

const callbacks = Effect.map(Inbox, ({ arrived }) =>
  arrived.filter(({ parameters }) => parameters.type === "recurring").map(({ parameters }) => parameters.status)
)

describe("a recurring payment after an outage", () => {
  it.live("of three months is charged once, and the other occurrences are skipped with a callback each", () => {
    const wall = { nowMs: World.startMs }
    return Effect.gen(function* () {
      yield* create()
      yield* World.settled
      wall.nowMs += 100 * dayMs
      yield* World.settled
      assert.strictEqual(yield* summary, "active: charged skipped skipped charged")
      assert.deepStrictEqual(yield* callbacks, ["skipped", "skipped"])
      yield* World.pass("15 days")
      assert.strictEqual(yield* summary, "active: charged skipped skipped charged")
      assert.deepStrictEqual(yield* atBank, [2, 2, 2])
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer({ wall, settings }), { local: true }))
  })

  it.live("of years is continued in batches", () => {
    const wall = { nowMs: World.startMs }
    return Effect.gen(function* () {
      yield* create({ period: "daily", expire_year: "2090" })
      yield* World.settled
      wall.nowMs += 400 * dayMs
      yield* World.settled
      assert.strictEqual(yield* summary, `active: charged ${"skipped ".repeat(399)}charged`)
      assert.strictEqual((yield* callbacks).length, 399)
      assert.deepStrictEqual(yield* atBank, [2, 2, 2])
    }).pipe(Effect.provide(World.layer({ wall, settings }), { local: true }))
  })
})

describe("a recurring payment under a clock that is set back", () => {
  it.live("is charged neither twice nor early", () => {
    const wall = { nowMs: World.startMs }
    return Effect.gen(function* () {
      yield* create()
      yield* World.pass("31 days")
      assert.strictEqual(yield* summary, "active: charged charged")
      wall.nowMs -= 60 * dayMs
      yield* World.settled
      yield* World.pass("61 days")
      assert.strictEqual(yield* summary, "active: charged charged")
      assert.deepStrictEqual(yield* atBank, [2, 2, 2])
    }).pipe(Effect.provide(World.layer({ wall, settings }), { local: true }))
  })
})

describe("a charge of a recurring payment", () => {
  const deliveries: ReadonlyArray<readonly [string, Scenario, string]> = [
    [
      "whose answer is lost is inquired about and counted once",
      { delivery: { _tag: "AnswerLost" } },
      "active: charged charged"
    ],
    ["that never arrived is sent again", { delivery: { _tag: "NeverArrives", times: 1 } }, "active: charged charged"],
    [
      "that arrived late is counted once",
      { delivery: { _tag: "ArrivesLate", afterMs: 20_000 } },
      "active: charged charged"
    ],
    ["that arrived twice is counted once", { delivery: { _tag: "ArrivesTwice" } }, "active: charged charged"],
    ["that cannot be sent is tried again on another day", { delivery: { _tag: "NotSent" } }, "active: charged retrying"]
  ]
  it.live.each(deliveries)("%s", ([, plan, expected]) =>
    Effect.gen(function* () {
      yield* create()
      yield* World.settled
      const { next } = yield* SandboxControl
      yield* next("authorize", plan)
      yield* World.pass("30 days")
      yield* World.pass("1 hour")
      assert.strictEqual(yield* summary, expected)
      yield* World.pass("2 days")
      assert.match(yield* summary, /^active: charged charged(\*2)?$/)
      const [orders, approvals] = yield* atBank
      assert.deepStrictEqual([orders, approvals], [2, 2])
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer({ settings }), { local: true }))
  )
})

/** The second order's first try is declined, as often as it is asked for. */
const decliningOnce = () => {
  const orders: Array<string> = []
  return (bank: Acquirer["Service"]): Acquirer["Service"] => ({
    ...bank,
    authorize: (request) => {
      if (!orders.includes(request.orderId)) orders.push(request.orderId)
      const { code, message } = declines.notSufficientFunds
      return request.reference === `${orders[1]}-sale-0`
        ? Effect.succeed({ _tag: "Declined", code, message })
        : bank.authorize(request)
    }
  })
}

const until = (days: number) =>
  Effect.flatMap(Clock.currentTimeMillis, (nowMs) => World.pass(Math.max(0, World.startMs + days * dayMs - nowMs)))

/** A first charge, one that is declined once and tried again, and a third. */
const billingRuns = Effect.gen(function* () {
  yield* Effect.retry(create(), { times: 2 })
  yield* until(62)
})

const view = Effect.gen(function* () {
  assert.strictEqual(yield* summary, "active: charged charged*2 charged")
  assert.deepStrictEqual(yield* atBank, [3, 3, 3])
  const { arrived } = yield* Inbox
  const outcomes = new Set(arrived.map(({ headers, parameters }) => `${headers["webhook-id"]} ${parameters.status}`))
  assert.strictEqual(outcomes.size, 3)
  yield* ClientMerchant.allIsWell
})

/** A charge is two writes, and two with its callback; another try adds three. */
EveryWrite.suite("a billing run", 16, Effect.andThen(billingRuns, view), {
  settings,
  outside: () => ({ spoilBank: decliningOnce() })
})

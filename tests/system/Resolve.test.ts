import { assert, layer } from "@effect/vitest"
import { Job, LedgerEntry, OrderRequest } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { approve, decline } from "@pay/sandbox/Outcome"
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import { Effect, Redacted } from "effect"
import * as Operating from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const tokens = { alice: "the token of alice", bob: "the token of bob" }
const alice = Operating.as(tokens.alice)
const bob = Operating.as(tokens.bob)
const operators = Object.entries(tokens).map(([name, token]) => ({ name, token: Redacted.make(token) }))

const evidence = "Ms Smith of the bank, by telephone"
const stated = { as: "approved", evidence, approvalCode: "831000" }

type Person = typeof alice
const propose = (who: Person, order: TestMerchant.Order, statement: object = stated) =>
  who("POST", `/operator/orders/${order.orderid}/resolve`, statement)
/** Confirms what the order shows as proposed. */
const confirm = (who: Person, order: TestMerchant.Order, textOf: object = { as: "approved" }) =>
  Operating.confirm(who, order.orderid, textOf)

/** A sale of which the bank cannot say what became of it, old enough that it is only asked about. */
const lost = Effect.gen(function* () {
  const order = yield* TestMerchant.order("SALE", { cvv2: "217" })
  yield* TestMerchant.pass("1 hour")
  assert.include(yield* TestMerchant.orderStatus(order), "unknown sale")
  return order
})

const settledAtBank = Effect.fnUntraced(function* (order: TestMerchant.Order, verdict = approve) {
  yield* (yield* SandboxControl).settle(`${order.orderid}-sale-0`, verdict)
})

const job = Effect.fnUntraced(function* (order: TestMerchant.Order) {
  const store = yield* Store
  const [request] = yield* store.find(OrderRequest, "order", { equals: [order.orderid], limit: 1 })
  return yield* store.load(Job, [`bank:${request?.requestId}`])
})

const world = TestGateway.layer({ operators })

layer(world, { excludeTestServices: true })("an order with an unknown outcome at the bank", (it) => {
  it.effect("is resolved by two operators, booked like the bank's answer, and the bank is not asked again", () =>
    Effect.gen(function* () {
      const order = yield* lost
      yield* settledAtBank(order)
      const proposed = yield* propose(alice, order)
      assert.strictEqual(proposed.status, 202, proposed.text)
      assert.deepInclude(proposed.body, {
        state: "proposed",
        as: "approved",
        proposedBy: "operator:alice",
        confirmedBy: null
      })
      assert.include(yield* TestMerchant.orderStatus(order), "unknown sale")
      const confirmed = yield* confirm(bob, order)
      assert.strictEqual(confirmed.status, 200, confirmed.text)
      assert.deepInclude(confirmed.body, { state: "resolved", confirmedBy: "operator:bob" })
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved sale 10.42 10.42 0.00 0.00")
      assert.strictEqual((yield* TestMerchant.status(order))["approval-code"], "831000")
      assert.isUndefined(yield* job(order))
      yield* TestMerchant.assertClean
      const displayed = yield* alice("GET", `/operator/orders/${order.orderid}`)
      for (const text of ["order.resolve.propose", "order.resolve.confirm", evidence])
        assert.include(displayed.text, text)
    })
  )

  it.effect("needs a second operator who states the same, and each attempt is audited", () =>
    Effect.gen(function* () {
      const order = yield* lost
      assert.strictEqual((yield* confirm(bob, order)).status, 409)
      yield* propose(alice, order)
      const own = yield* confirm(alice, order)
      assert.strictEqual(own.status, 409)
      assert.include(own.text, "a second person must")
      const other = yield* confirm(bob, order, { as: "declined" })
      assert.strictEqual(other.status, 409)
      assert.include(yield* TestMerchant.orderStatus(order), "unknown sale")
      const { text } = yield* alice("GET", `/operator/audit?subject=order:${order.orderid}`)
      assert.strictEqual(text.split('"refused"').length - 1, 2)
      // A new proposal needs another person, too. Here that is the first proposer.
      yield* propose(bob, order, { as: "declined", evidence })
      assert.strictEqual((yield* confirm(bob, order, { as: "declined" })).status, 409)
      assert.strictEqual((yield* confirm(alice, order, { as: "declined" })).status, 200)
      assert.include(yield* TestMerchant.orderStatus(order), "declined sale")
    })
  )
})

layer(world, { excludeTestServices: true })("a proposed outcome", (it) => {
  const withdraw = (who: Person, { orderid }: TestMerchant.Order, digest: unknown) =>
    who("POST", `/operator/orders/${orderid}/withdraw`, { digest })

  it.effect.each([
    ["who proposed it", alice],
    ["another person", bob]
  ] as const)("is withdrawn by %s, confirmed by nobody, and proposed again", ([, who]) =>
    Effect.gen(function* () {
      const order = yield* lost
      const { body } = yield* propose(alice, order)
      const { digest } = body
      assert.strictEqual((yield* withdraw(who, order, "0".repeat(32))).status, 409, "another proposal")
      const withdrawn = yield* withdraw(who, order, digest)
      assert.deepInclude(withdrawn.body, { state: "withdrawn", proposedBy: "operator:alice", confirmedBy: null })
      assert.strictEqual((yield* withdraw(who, order, digest)).status, 409, "withdrawn before")
      const confirmation = { as: "approved", digest }
      assert.strictEqual((yield* bob("POST", `/operator/orders/${order.orderid}/confirm`, confirmation)).status, 409)
      const listed = yield* alice("GET", "/operator/unknown?limit=1000")
      assert.notInclude(listed.text, `${digest}`)
      const { text } = yield* alice("GET", `/operator/audit?subject=order:${order.orderid}`)
      assert.include(text, "order.resolve.withdraw")
      assert.include(yield* TestMerchant.orderStatus(order), "unknown sale")
      assert.strictEqual((yield* propose(alice, order)).status, 202)
      assert.strictEqual((yield* confirm(bob, order)).status, 200)
      assert.strictEqual((yield* withdraw(who, order, digest)).status, 409, "confirmed before")
    })
  )
})

/** A payout of which the rail cannot say whether it was paid, old enough that it is only asked about. */
const lostPayout = Effect.gen(function* () {
  const order = yield* TestPayouts.made("PAYOUT", TestPayouts.toCard("never-decided"))
  yield* TestMerchant.pass("1 hour")
  assert.strictEqual((yield* TestMerchant.status(order)).status, "unknown")
  return order
})

const saidByRail = (order: TestMerchant.Order, verdict = approve) =>
  Effect.flatMap(RailControl, ({ settle }) => settle(`${order.orderid}-pay-0`, verdict))

const dueAtRail = Effect.fnUntraced(function* (order: TestMerchant.Order) {
  const store = yield* Store
  const [request] = yield* store.find(OrderRequest, "order", { equals: [order.orderid], limit: 1 })
  return yield* store.load(Job, [`rail:${request?.requestId}`])
})

layer(world, { excludeTestServices: true })("a payout with an unknown outcome at the rail", (it) => {
  it.effect.each([
    {
      as: "approved",
      verdict: approve,
      stands: "approved payout_approved",
      left: 0,
      gone: 1042,
      causes: "payout payoutHold"
    },
    {
      as: "declined",
      verdict: decline(declines.doNotHonour),
      stands: "declined payout_declined",
      left: 1042,
      gone: 0,
      causes: "payoutHold payoutRelease"
    }
  ])("is resolved as $as by two operators, with the rail's bookings", ({ as, causes, gone, left, stands, verdict }) =>
    Effect.gen(function* () {
      const store = yield* Store
      const [before = 0, nothing = 0, was = 0] = yield* TestPayouts.balances()
      const order = yield* lostPayout
      assert.deepStrictEqual(yield* TestPayouts.balances(), [before - 1042, nothing + 1042, was])
      yield* saidByRail(order, verdict)
      const proposed = yield* propose(alice, order, { as, evidence })
      assert.strictEqual(proposed.status, 202, proposed.text)
      assert.strictEqual((yield* TestMerchant.status(order)).status, "unknown")
      assert.strictEqual((yield* confirm(alice, order, { as })).status, 409)
      const confirmed = yield* confirm(bob, order, { as })
      assert.strictEqual(confirmed.status, 200, confirmed.text)
      assert.strictEqual(yield* TestPayouts.orderStatus(order), stands)
      assert.deepStrictEqual(yield* TestPayouts.balances(), [before - 1042 + left, nothing, was + gone])
      const entries = yield* store.find(LedgerEntry, "order", { equals: [order.orderid], limit: 100 })
      assert.strictEqual([...new Set(entries.map(({ cause }) => cause))].sort().join(" "), causes)
      assert.lengthOf(yield* TestPayouts.events(order), 0)
      yield* TestPayouts.assertClean
      // The gateway still asks whether an approved payout holds. It asks nothing about a declined one.
      assert.strictEqual((yield* dueAtRail(order)) !== undefined, as === "approved")
      yield* TestMerchant.pass("8 days")
      assert.isUndefined(yield* dueAtRail(order))
      assert.strictEqual(yield* TestPayouts.orderStatus(order), stands)
      yield* TestPayouts.assertClean
    })
  )
})

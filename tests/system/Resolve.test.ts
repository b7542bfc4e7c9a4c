import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Evidence, Job, LedgerEntry, OrderRequest } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { approve, decline } from "@pay/sandbox/Outcome"
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import { Clock, Effect, Redacted } from "effect"
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

const item = Effect.fnUntraced(function* (order: TestMerchant.Order) {
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
      assert.isUndefined(yield* item(order))
      yield* TestMerchant.assertClean
      const displayed = yield* alice("GET", `/operator/orders/${order.orderid}`)
      for (const text of ["order.resolve.propose", "order.resolve.confirm", evidence])
        assert.include(displayed.text, text)
    })
  )

  it.effect.each([
    ["declined", "declined sale"],
    ["error", "error sale"]
  ] as const)("can be resolved as %s", ([as, stands]) =>
    Effect.gen(function* () {
      const order = yield* lost
      yield* settledAtBank(order, decline(declines.doNotHonour))
      assert.strictEqual((yield* propose(alice, order, { as, evidence })).status, 202)
      assert.strictEqual((yield* confirm(bob, order, { as })).status, 200)
      assert.include(yield* TestMerchant.orderStatus(order), stands)
      yield* TestMerchant.assertClean
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

  it.effect("records each step once if it is repeated", () =>
    Effect.gen(function* () {
      const order = yield* lost
      yield* settledAtBank(order)
      const first = yield* propose(alice, order)
      assert.deepStrictEqual((yield* propose(alice, order)).body, first.body)
      const [one, two] = yield* Effect.all([confirm(bob, order), confirm(bob, order)], { concurrency: "unbounded" })
      assert.deepStrictEqual([one.status, two.status], [200, 200])
      assert.strictEqual((yield* confirm(bob, order)).status, 200)
      assert.strictEqual((yield* propose(alice, order)).status, 409)
      yield* TestMerchant.assertClean
      const { text } = yield* alice("GET", `/operator/audit?subject=order:${order.orderid}`)
      assert.strictEqual(text.split("order.resolve.propose").length - 1, 1)
      assert.strictEqual(text.split("order.resolve.confirm").length - 1, 1)
    })
  )

  it.effect("cannot be resolved if nothing is unknown, if it may still be sent or if a field is missing", () =>
    Effect.gen(function* () {
      const paid = yield* TestMerchant.order("SALE")
      assert.include((yield* propose(alice, paid)).text, "nothing of this order is unknown")
      const young = yield* TestMerchant.order("SALE", { cvv2: "217" })
      assert.include((yield* propose(alice, young)).text, "may still be sent")
      const order = yield* lost
      assert.include((yield* propose(alice, order, { as: "approved", evidence })).text, "approval code")
      assert.strictEqual((yield* propose(alice, order, { as: "approved" })).status, 400)
      assert.strictEqual((yield* propose(alice, order, { ...stated, as: "perhaps" })).status, 400)
      assert.strictEqual((yield* propose(alice, { client_orderid: "", orderid: "1" })).status, 404)
    })
  )

  it.effect("ends with the bank's answer if it arrives between proposal and confirmation", () =>
    Effect.gen(function* () {
      const order = yield* lost
      yield* propose(alice, order, { as: "declined", evidence })
      yield* settledAtBank(order)
      yield* TestMerchant.pass("2 days")
      assert.include(yield* TestMerchant.orderStatus(order), "approved sale")
      assert.strictEqual((yield* confirm(bob, order, { as: "declined" })).status, 409)
      yield* TestMerchant.assertClean
    })
  )

  it.effect("is not resolved by a confirmation after its request has changed", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const order = yield* lost
      yield* propose(alice, order)
      const [request] = yield* store.find(OrderRequest, "order", { equals: [order.orderid], limit: 1 })
      assert.isDefined(request)
      yield* store.commit({ guards: [], writes: [Decision.put(OrderRequest, { ...request, sequence: 7 })] })
      assert.include((yield* confirm(bob, order)).text, "has changed meanwhile")
    })
  )
})

layer(world, { excludeTestServices: true })("a bank's different answer after the order was resolved", (it) => {
  it.effect("is stored as evidence, which reconciliation reports", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const order = yield* lost
      yield* propose(alice, order, { as: "declined", evidence })
      yield* confirm(bob, order, { as: "declined" })
      yield* TestMerchant.assertClean
      yield* store.commit({
        guards: [],
        writes: [
          Decision.append(Evidence, {
            evidenceId: "late",
            reference: `${order.orderid}-sale-0`,
            orderId: order.orderid,
            answer: JSON.stringify({ _tag: "Approved", approvalCode: "1", processorTxId: "2" }),
            atMs: 1
          })
        ]
      })
      const { findings } = yield* Reconciliation.check
      assert.deepStrictEqual(
        findings.map(({ expected, actual, where }) => [where, expected, actual]),
        [[`order ${order.orderid}: what the bank said of ${order.orderid}-sale-0`, "declined", "approved"]]
      )
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

layer(world, { excludeTestServices: true })("a rail's different answer after the payout was resolved", (it) => {
  it.effect("is stored as evidence, which reconciliation reports, and books nothing", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const order = yield* lostPayout
      yield* propose(alice, order, { as: "declined", evidence })
      yield* confirm(bob, order, { as: "declined" })
      yield* TestPayouts.assertClean
      const balances = yield* TestPayouts.balances()
      yield* store.commit({
        guards: [],
        writes: [
          Decision.append(Evidence, {
            evidenceId: "late payout",
            reference: `${order.orderid}-pay-0`,
            orderId: order.orderid,
            answer: JSON.stringify({ _tag: "Approved", approvalCode: "", processorTxId: "2" }),
            atMs: yield* Clock.currentTimeMillis
          })
        ]
      })
      yield* saidByRail(order)
      yield* TestMerchant.pass("2 days")
      assert.strictEqual(yield* TestPayouts.orderStatus(order), "declined payout_declined")
      assert.deepStrictEqual(yield* TestPayouts.balances(), balances)
      const { findings } = yield* Reconciliation.check
      const where = `order ${order.orderid}`
      assert.deepInclude(findings, {
        where: `${where}: what the bank said of ${order.orderid}-pay-0`,
        expected: "declined",
        actual: "approved"
      })
      assert.isAbove(findings.filter((finding) => finding.where.includes("rail")).length, 0)
    })
  )
})

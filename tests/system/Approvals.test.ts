import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { assert, it, layer } from "@effect/vitest"
import { AuditEntry } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect, Redacted } from "effect"
import * as Approver from "../harness/Approver.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as Operating from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const { endpoints } = TestGateway
const options = { endpointId: endpoints.approval }
const opening = 1_000_000
const balances = TestPayouts.balances(endpoints.approval)
const orderStatus = (order: TestMerchant.Order) => TestPayouts.orderStatus(order, options)
const waits = "processing payout_waiting_approval"

/** A payout on the endpoint where a second person has to agree. */
const payout = TestPayouts.made("PAYOUT", TestPayouts.plain, options)

layer(TestGateway.layer(), { excludeTestServices: true })("a payout that needs a second approver", (it) => {
  it.effect("holds its money until the approver agrees, and is paid then", () =>
    Effect.gen(function* () {
      const order = yield* payout
      assert.strictEqual(yield* orderStatus(order), waits)
      assert.deepStrictEqual(yield* balances, [opening - 1042, 1042, 0])
      const { body } = yield* Approver.look(order.orderid)
      assert.deepInclude(body, {
        order: order.orderid,
        amount: "10.42 USD",
        recipientKind: "account",
        recipientShown: "DE****************3000",
        state: "waiting",
        approver: null
      })
      const done = yield* Approver.decide(order.orderid, "approve")
      assert.deepInclude(done.body, { state: "approved", approver: Approver.name })
      yield* TestMerchant.settled
      assert.strictEqual(yield* orderStatus(order), "approved payout_approved")
      assert.deepStrictEqual(yield* balances, [opening - 1042, 0, 1042])
      const store = yield* Store
      const [entry] = yield* store.find(AuditEntry, "subject", { equals: ["order", order.orderid], limit: 1 })
      assert.deepInclude(entry, { actor: `approver:${Approver.name}`, action: "payout.approve" })
      yield* TestPayouts.assertClean
    })
  )

  it.effect("is declined if the approver rejects it, and its money is available again", () =>
    Effect.gen(function* () {
      const before = yield* balances
      const order = yield* payout
      const { status } = yield* Approver.decide(order.orderid, "reject")
      assert.strictEqual(status, 200)
      assert.deepInclude(yield* TestMerchant.status(order, options), { status: "declined", "error-code": "97" })
      assert.deepStrictEqual(yield* balances, before)
      yield* TestPayouts.assertClean
    })
  )

  it.effect("waits for the approver after payout-pay in two steps, and a repeated payout-pay is a replay", () =>
    Effect.gen(function* () {
      const before = yield* balances
      const order = yield* TestPayouts.made("PAYOUT_V4_CHECK", TestPayouts.plain, options)
      assert.strictEqual(yield* orderStatus(order), "processing payout_checked")
      assert.deepInclude(yield* Approver.look(order.orderid), { status: 401 }, "nobody has to agree to a check")
      for (const times of [1, 2]) {
        TestMerchant.assertAccepted(yield* TestPayouts.pay(order, options))
        yield* TestMerchant.settled
        assert.strictEqual(yield* orderStatus(order), waits, `payout-pay ${times}`)
      }
      assert.deepStrictEqual(yield* balances, [(before[0] ?? 0) - 1042, 1042, before[2] ?? 0])
      yield* Approver.decide(order.orderid, "approve")
      yield* TestMerchant.settled
      assert.strictEqual(yield* orderStatus(order), "approved payout_approved")
      yield* TestPayouts.assertClean
    })
  )

  it.effect("lapses a day after payout-pay in two steps, not a day after the check", () =>
    Effect.gen(function* () {
      const before = yield* balances
      const order = yield* TestPayouts.made("PAYOUT_V4_CHECK", TestPayouts.plain, options)
      yield* TestMerchant.pass("20 hours")
      yield* TestPayouts.pay(order, options)
      yield* TestMerchant.pass("23 hours")
      assert.strictEqual(yield* orderStatus(order), waits)
      yield* TestMerchant.pass("2 hours")
      assert.strictEqual(yield* orderStatus(order), "declined payout_declined")
      assert.deepStrictEqual(yield* balances, before)
      yield* TestPayouts.assertClean
    })
  )

  const otherKey: KeyObject = generateKeyPairSync("ed25519").privateKey
  const refusals: ReadonlyArray<readonly [what: string, changes: Approver.Changes, status: number]> = [
    ["for another amount", { statement: { amount: "1000.00 USD" } }, 409],
    ["with another person's key", { key: otherKey }, 401],
    ["with a decision other than approve or reject", { sent: { decision: "maybe" } }, 400]
  ]
  for (const [what, changes, status] of refusals) {
    it.effect(`is not paid by an approval ${what}`, () =>
      Effect.gen(function* () {
        const order = yield* payout
        const reply = yield* Approver.decide(order.orderid, "approve", changes)
        assert.strictEqual(reply.status, status, JSON.stringify(reply.body))
        yield* TestMerchant.settled
        assert.strictEqual(yield* orderStatus(order), waits)
        yield* Approver.decide(order.orderid, "reject")
      })
    )
  }

  it.effect("is not shown to an approver with an old signature or a wrong key", () =>
    Effect.gen(function* () {
      const order = yield* payout
      const old = yield* Approver.look(order.orderid, { timestampSeconds: Math.floor(Date.UTC(2026, 0) / 1000) })
      assert.strictEqual(old.status, 401)
      assert.match(String(old.body.error), /signed \d+ s ago/)
      const forged = yield* Approver.look(order.orderid, {}, otherKey)
      const unknown = yield* Approver.look("4711")
      assert.deepStrictEqual([forged.status, forged.body], [unknown.status, unknown.body])
      yield* Approver.decide(order.orderid, "reject")
    })
  )
})

it.live("a checked payout whose endpoint was removed from the configuration still needs a second approver", () => {
  let config = Merchants.both()
  const merchantsSource = Effect.sync(() => config)
  return Effect.gen(function* () {
    const order = yield* TestPayouts.made("PAYOUT_V4_CHECK", TestPayouts.plain, options)
    config = Merchants.without(endpoints.approval)
    assert.strictEqual((yield* Operating.as("t")("POST", "/operator/merchants/reload")).status, 200)
    TestMerchant.assertAccepted(yield* TestPayouts.pay(order))
    yield* TestMerchant.settled
    assert.strictEqual(yield* TestPayouts.orderStatus(order), waits)
  }).pipe(
    Effect.provide(
      TestGateway.layer({
        operators: [{ name: "alice", token: Redacted.make("t") }],
        merchants: config,
        merchantsSource
      }),
      { local: true }
    )
  )
})

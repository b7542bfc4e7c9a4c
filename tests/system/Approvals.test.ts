import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto"
import { assert, it, layer } from "@effect/vitest"
import { AuditEntry } from "@pay/gateway/Audit"
import { Store } from "@pay/gateway/Store"
import * as Approval from "@pay/signing/Approval"
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
const standing = (order: TestMerchant.Order) => TestPayouts.standing(order, options)
const waits = "processing payout_waiting_approval"

/** A payout on the endpoint where a second person has to agree. */
const payout = TestPayouts.made("PAYOUT", TestPayouts.plain, options)

layer(TestGateway.layer(), { excludeTestServices: true })("a payout that a second person has to agree to", (it) => {
  it.effect("waits with its money held, and is paid once they do", () =>
    Effect.gen(function* () {
      const order = yield* payout
      assert.strictEqual(yield* standing(order), waits)
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
      assert.strictEqual(yield* standing(order), "approved payout_approved")
      assert.deepStrictEqual(yield* balances, [opening - 1042, 0, 1042])
      const store = yield* Store
      const [entry] = yield* store.find(AuditEntry, "subject", { equals: ["order", order.orderid], limit: 1 })
      assert.deepInclude(entry, { actor: `approver:${Approver.name}`, action: "payout.approve" })
      yield* TestPayouts.assertClean
    })
  )

  it.effect("is declined when they reject it, and its money is payable again", () =>
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

  it.effect("is declined when nobody decides within a day; a late decision changes nothing", () =>
    Effect.gen(function* () {
      const before = yield* balances
      const order = yield* payout
      yield* TestMerchant.pass("23 hours")
      assert.strictEqual(yield* standing(order), waits)
      yield* TestMerchant.pass("2 hours")
      assert.deepInclude(yield* TestMerchant.status(order, options), { status: "declined", "error-code": "98" })
      assert.deepStrictEqual(yield* balances, before)
      assert.deepInclude(yield* Approver.decide(order.orderid, "approve"), { status: 409 })
      yield* TestPayouts.assertClean
    })
  )

  it.effect("is paid also when they agree long after it was asked for", () =>
    Effect.gen(function* () {
      const order = yield* payout
      yield* TestMerchant.pass("20 hours")
      yield* Approver.decide(order.orderid, "approve")
      yield* TestMerchant.settled
      assert.strictEqual(yield* standing(order), "approved payout_approved")
      yield* TestMerchant.pass("2 days")
      assert.strictEqual(yield* standing(order), "approved payout_approved")
      yield* TestPayouts.assertClean
    })
  )

  it.effect("in two steps waits after payout-pay, which is a replay however often it comes", () =>
    Effect.gen(function* () {
      const before = yield* balances
      const order = yield* TestPayouts.made("PAYOUT_V4_CHECK", TestPayouts.plain, options)
      assert.strictEqual(yield* standing(order), "processing payout_checked")
      assert.deepInclude(yield* Approver.look(order.orderid), { status: 401 }, "nobody has to agree to a check")
      for (const times of [1, 2]) {
        TestMerchant.assertAccepted(yield* TestPayouts.pay(order, options))
        yield* TestMerchant.settled
        assert.strictEqual(yield* standing(order), waits, `payout-pay ${times}`)
      }
      assert.deepStrictEqual(yield* balances, [(before[0] ?? 0) - 1042, 1042, before[2] ?? 0])
      yield* Approver.decide(order.orderid, "approve")
      yield* TestMerchant.settled
      assert.strictEqual(yield* standing(order), "approved payout_approved")
      yield* TestPayouts.assertClean
    })
  )

  it.effect("in two steps lapses while it waits, and not before its day is over", () =>
    Effect.gen(function* () {
      const before = yield* balances
      const order = yield* TestPayouts.made("PAYOUT_V4_CHECK", TestPayouts.plain, options)
      yield* TestMerchant.pass("20 hours")
      yield* TestPayouts.pay(order, options)
      yield* TestMerchant.pass("23 hours")
      assert.strictEqual(yield* standing(order), waits)
      yield* TestMerchant.pass("2 hours")
      assert.strictEqual(yield* standing(order), "declined payout_declined")
      assert.deepStrictEqual(yield* balances, before)
      yield* TestPayouts.assertClean
    })
  )

  it.effect("is decided once, by however many at once, and the first decision stands", () =>
    Effect.gen(function* () {
      const order = yield* payout
      const replies = yield* Effect.all(
        Array.from({ length: 20 }, () => Approver.decide(order.orderid, "approve")),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
      assert.deepInclude(yield* Approver.decide(order.orderid, "reject"), { status: 409 })
      yield* TestMerchant.settled
      assert.strictEqual(yield* standing(order), "approved payout_approved")
      const store = yield* Store
      const entries = yield* store.find(AuditEntry, "subject", { equals: ["order", order.orderid], limit: 50 })
      assert.strictEqual(entries.length, 1)
      yield* TestPayouts.assertClean
    })
  )

  const stranger: KeyObject = generateKeyPairSync("ed25519").privateKey
  const refusals: ReadonlyArray<readonly [what: string, changes: Approver.Changes, status: number]> = [
    ["for another amount", { statement: { amount: "1000.00 USD" } }, 409],
    ["for the amount in another currency", { statement: { amount: "10.42 EUR" } }, 409],
    ["for another recipient", { statement: { recipient: "1:0000" } }, 409],
    ["by somebody unknown", { statement: { approver: "nobody" } }, 401],
    ["with somebody else's key", { key: stranger }, 401],
    [
      "with the signature of a look",
      { signed: { decision: "look", approver: Approver.name, timestampSeconds: 0 } },
      401
    ],
    ["with the signature of the other decision", { signed: { decision: "reject" } }, 401],
    ["of another order", { orderId: "4711" }, 401],
    ["without signature", { signature: "" }, 401],
    ["that is neither yes nor no", { sent: { decision: "maybe" } }, 400]
  ]
  for (const [what, changes, status] of refusals) {
    it.effect(`is not paid by an approval ${what}`, () =>
      Effect.gen(function* () {
        const order = yield* payout
        const reply = yield* Approver.decide(order.orderid, "approve", changes)
        assert.strictEqual(reply.status, status, JSON.stringify(reply.body))
        yield* TestMerchant.settled
        assert.strictEqual(yield* standing(order), waits)
        yield* Approver.decide(order.orderid, "reject")
      })
    )
  }

  it.effect("tells an approver nothing under an old signature, and nobody else anything", () =>
    Effect.gen(function* () {
      const order = yield* payout
      const old = yield* Approver.look(order.orderid, { timestampSeconds: Math.floor(Date.UTC(2026, 0) / 1000) })
      assert.strictEqual(old.status, 401)
      assert.match(String(old.body.error), /signed \d+ s ago/)
      const forged = yield* Approver.look(order.orderid, {}, stranger)
      const unknown = yield* Approver.look("4711")
      assert.deepStrictEqual([forged.status, forged.body], [unknown.status, unknown.body])
      yield* Approver.decide(order.orderid, "reject")
    })
  )

  it.effect("elsewhere nobody has to agree", () =>
    Effect.gen(function* () {
      const order = yield* TestPayouts.made("PAYOUT")
      assert.strictEqual(yield* TestPayouts.standing(order), "approved payout_approved")
      assert.strictEqual((yield* Approver.look(order.orderid)).status, 401)
    })
  )

  it("the sandbox's approver has a key that can sign nothing else", () =>
    assert.strictEqual(createPrivateKey(TestGateway.approver.privateKeyPem).asymmetricKeyType, "ed25519"))

  it("a statement is text that a person can read", () =>
    assert.include(
      Approval.text({ decision: "approve", orderId: "1", amount: "1.00 USD", recipient: "1:ab", approver: "ada" }),
      "amount: 1.00 USD"
    ))
})

it.live("money that waited on an endpoint which is gone still needs a second person", () => {
  let config = Merchants.both()
  const merchantsSource = Effect.sync(() => config)
  return Effect.gen(function* () {
    const order = yield* TestPayouts.made("PAYOUT_V4_CHECK", TestPayouts.plain, options)
    config = Merchants.without(endpoints.approval)
    assert.strictEqual((yield* Operating.as("t")("POST", "/operator/merchants/reload")).status, 200)
    TestMerchant.assertAccepted(yield* TestPayouts.pay(order))
    yield* TestMerchant.settled
    assert.strictEqual(yield* TestPayouts.standing(order), waits)
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

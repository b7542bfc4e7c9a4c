import { assert, layer } from "@effect/vitest"
import { RailControl } from "@pay/sandbox/RailControl"
import * as TestRecipients from "@pay/sandbox/TestRecipients"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const opening = 1_000_000

layer(TestGateway.layer(), { excludeTestServices: true })("a payout in one step", (it) => {
  it.effect("is paid by the rail and leaves the balance", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* TestPayouts.balances(), [opening, 0, 0])
      const reply = yield* TestPayouts.send("PAYOUT", TestPayouts.plain)
      TestMerchant.assertAccepted(reply)
      assert.strictEqual(reply.body.type, "async-response")
      assert.strictEqual(reply.body["payout-id"], reply.body["paynet-order-id"])
      yield* TestMerchant.settled
      const order = TestMerchant.nameOf(reply)
      assert.deepInclude(yield* TestMerchant.status(order), {
        status: "approved",
        "transaction-type": "payout",
        "order-stage": "payout_approved",
        amount: "10.42",
        currency: "USD",
        destination: "DE****************3000",
        "payout-id": order.orderid
      })
      assert.deepStrictEqual(yield* TestPayouts.balances(), [opening - 1042, 0, 1042])
      yield* TestPayouts.assertClean
    })
  )

  it.effect("is signed with RSA in version 4 and reaches each kind of recipient", () =>
    Effect.gen(function* () {
      const recipients: ReadonlyArray<readonly [TestMerchant.Fields, string]> = [
        [{ credit_card_number: "4444333322221111" }, "444433******1111"],
        [{ account_number: "DE89370400440532013000" }, "DE****************3000"],
        [{ ewallet_id: "wallet-4711" }, "*******4711"],
        [{ phone: "+1 (202) 555-0199" }, "********0199"]
      ]
      const rail = yield* RailControl
      for (const [recipient, destination] of recipients) {
        const order = yield* TestPayouts.made("PAYOUT_V4", { amount: "1.00", currency: "USD", ...recipient })
        assert.deepInclude(yield* TestMerchant.status(order), { status: "approved", destination })
        assert.deepStrictEqual(yield* rail.books.totals(order.orderid), { paidMinor: 100, refusedLateMinor: 0 })
      }
      yield* TestPayouts.assertClean
    })
  )

  for (const { name } of TestRecipients.recipients.filter(({ name }) => name !== "slow")) {
    it.effect(`keeps the books in balance for the test recipient ${name}`, () =>
      Effect.gen(function* () {
        const order = yield* TestPayouts.made("PAYOUT", TestPayouts.toCard(name))
        yield* TestMerchant.pass("8 days")
        assert.match(String((yield* TestMerchant.status(order)).status), /^(approved|declined|error|unknown)$/)
        yield* TestPayouts.assertClean
      })
    )
  }
})

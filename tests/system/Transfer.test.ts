import { assert, layer } from "@effect/vitest"
import { Card, Order, Payout } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import type * as ErrorCode from "@pay/schema/ErrorCode"
import { Effect } from "effect"
import * as OAuth from "../harness/OAuth.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Transfers from "../harness/Transfers.ts"

const { cards } = Transfers
const { endpoints } = TestGateway

layer(TestGateway.layer(), { excludeTestServices: true })("a transfer", (it) => {
  it.effect("from card to card is one movement at the bank and none in the merchant's balance", () =>
    Effect.gen(function* () {
      const order = yield* Transfers.done(Transfers.transfer())
      assert.deepInclude(yield* TestMerchant.status(order), {
        status: "approved",
        "transaction-type": "transfer",
        "transaction-id": order.orderid,
        "order-stage": "transfer_approved",
        amount: "10.42",
        "captured-amount": "10.42",
        "remaining-amount": "0.00",
        "gate-partial-reversal": "disabled",
        bin: "444433",
        "last-four-digits": "1111",
        "dest-bin": "444455",
        "dest-last-four-digits": "1111",
        "dest-card-type": "VISA"
      })
      const requests = yield* Transfers.booked(order.orderid)
      assert.lengthOf(requests, 1)
      assert.deepInclude(requests[0], {
        kind: "authorize",
        reference: `${order.orderid}-transfer-0`,
        capture: true,
        recipient: { kind: "card", lastFour: "1111" }
      })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("stores both cards encrypted, under the hash that a sale has", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const sale = yield* TestMerchant.order("SALE")
      const { orderid } = yield* Transfers.done(Transfers.transfer())
      const [payer, sold] = [yield* store.load(Card, [orderid]), yield* store.load(Card, [sale.orderid])]
      assert.isDefined(payer)
      assert.strictEqual(payer?.panHash, sold?.panHash)
      const recipient = yield* store.load(Payout, [orderid])
      assert.deepInclude(recipient, { destinationKind: "card", masked: "444455******1111" })
      assert.notInclude(Buffer.from(recipient?.encryptedDestination ?? []).toString("latin1"), cards.ordinary)
    })
  )

  it.effect("is inquired about after a lost answer, and done once", () =>
    Effect.gen(function* () {
      const order = yield* Transfers.done(Transfers.transfer({ "destination-card-no": cards.receiveLost }))
      yield* TestMerchant.pass("10 seconds")
      assert.deepInclude(yield* TestMerchant.status(order), { status: "approved" })
      assert.lengthOf(yield* Transfers.booked(order.orderid), 1)
      yield* TestMerchant.assertClean
    })
  )

  it.effect("is subject to the endpoint's limit and the card's velocity rule", () =>
    Effect.gen(function* () {
      const { limited: endpointId } = endpoints
      const order = yield* Transfers.done(Transfers.transfer({ amount: "100.01" }, { endpointId }))
      assert.deepInclude(yield* TestMerchant.status(order, { endpointId }), { status: "filtered", "error-code": "92" })
      assert.lengthOf(yield* Transfers.booked(order.orderid), 0)
      yield* TestMerchant.assertClean
    })
  )

  it.effect("spends its nonce, also if it is refused", () =>
    Effect.gen(function* () {
      for (const fields of [{}, { expire_year: "2020" }]) {
        const nonce = OAuth.freshNonce()
        yield* Transfers.transfer(fields, { nonce })
        TestMerchant.assertRefused(yield* Transfers.transfer({}, { nonce }), "nonceUsed")
      }
    })
  )

  const refusals: ReadonlyArray<readonly [string, Transfers.Fields, ErrorCode.Name, string]> = [
    [
      "an unknown recurring payment as payer",
      { ...Transfers.noCard, card_recurring_payment_id: "1" },
      "subscriptionNotFound",
      "card_recurring_payment_id"
    ],
    [
      "an unknown recurring payment as recipient",
      { "destination-card-no": undefined, destination_card_recurring_payment_id: "1" },
      "subscriptionNotFound",
      "destination_card_recurring_payment_id"
    ]
  ]
  for (const [name, fields, error, field] of refusals) {
    it.effect(`is refused with ${name}, and the client_orderid stays free`, () =>
      Effect.gen(function* () {
        const client_orderid = TestMerchant.freshId()
        TestMerchant.assertRefused(yield* Transfers.transfer({ client_orderid, ...fields }), error, field)
        yield* TestMerchant.assertFree(client_orderid)
      })
    )
  }

  for (const payer of ["PAN", "RPI"]) {
    for (const recipient of ["PAN", "RPI"]) {
      it.effect(`is made from ${payer} to ${recipient}`, () =>
        Effect.gen(function* () {
          const order = yield* Transfers.done(
            Transfers.transfer({
              ...(payer === "PAN" ? {} : { ...Transfers.noCard, card_recurring_payment_id: yield* Transfers.stored() }),
              ...(recipient === "PAN"
                ? {}
                : {
                    "destination-card-no": undefined,
                    destination_card_recurring_payment_id: yield* Transfers.storedUnpaid(cards.ordinary)
                  })
            })
          )
          assert.deepInclude(yield* TestMerchant.status(order), {
            status: "approved",
            bin: "444433",
            "dest-last-four-digits": "1111"
          })
          const row = yield* (yield* Store).load(Order, [order.orderid])
          assert.strictEqual(row?.initiator, payer === "PAN" ? "cardholder" : "merchant")
        })
      )
    }
  }

  it.effect("from a stored card that its holder never paid with is refused", () =>
    Effect.gen(function* () {
      const id = yield* Transfers.storedUnpaid("4444010100000004")
      const recurring = yield* Transfers.transfer({ ...Transfers.noCard, card_recurring_payment_id: id })
      TestMerchant.assertRefused(recurring, "orderState", "card_recurring_payment_id")
      TestMerchant.assertRefused(
        yield* Transfers.byRef({ "source-card-ref-id": id }),
        "orderState",
        "source-card-ref-id"
      )
    })
  )
})

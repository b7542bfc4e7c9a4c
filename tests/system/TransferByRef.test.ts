import { assert, layer } from "@effect/vitest"
import { Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Transfers from "../harness/Transfers.ts"

const { cards } = Transfers
const { endpoints } = TestGateway

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })("transfer-by-ref", (it) => {
  it.effect("moves money between stored cards without the holder", () =>
    Effect.gen(function* () {
      const source = yield* Transfers.stored()
      const destination = yield* Transfers.storedUnpaid(cards.ordinary)
      const order = yield* Transfers.done(
        Transfers.byRef({
          "source-card-ref-id": source,
          "destination-card-no": undefined,
          "destination-card-ref-id": destination
        })
      )
      assert.deepInclude(yield* TestMerchant.status(order), { status: "approved", "transaction-type": "transfer" })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("skips 3-D Secure, also on an endpoint that requires it", () =>
    Effect.gen(function* () {
      const { threedsMerchant: endpointId } = endpoints
      const source = yield* Transfers.stored()
      const order = yield* Transfers.done(Transfers.byRef({ "source-card-ref-id": source }, { endpointId }))
      assert.deepInclude(yield* TestMerchant.status(order), { status: "approved" })
    })
  )

  it.effect("gets one refusal for another merchant's card and an unknown one", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const source = yield* Transfers.stored()
      const paid = yield* Transfers.done(Transfers.byRef({ "source-card-ref-id": source }))
      for (const field of ["source-card-ref-id", "destination-card-ref-id"]) {
        const fields = {
          "source-card-ref-id": source,
          "destination-card-no": undefined,
          "destination-card-ref-id": source
        }
        const unknown = yield* Transfers.byRef({ ...fields, [field]: paid.orderid })
        TestMerchant.assertRefused(unknown, "cardNotFound", field)
      }
      assert.isDefined(yield* store.load(Order, [paid.orderid]))
    })
  )

  it.effect("accepts both spellings of client_orderid as one name", () =>
    Effect.gen(function* () {
      const source = yield* Transfers.stored()
      const name = TestMerchant.freshId()
      const first = yield* Transfers.byRef({ "client-order-id": name, "source-card-ref-id": source })
      const again = yield* Transfers.byRef({
        "client-order-id": undefined,
        client_orderid: name,
        "source-card-ref-id": source
      })
      assert.strictEqual(again.body["paynet-order-id"], first.body["paynet-order-id"])
      const other = yield* Transfers.byRef({ "client-order-id": name, "source-card-ref-id": source, amount: "1.00" })
      TestMerchant.assertRefused(other, "contentDiffers", "client-order-id")
    })
  )
})

import { assert, layer } from "@effect/vitest"
import { CardInfoAsyncResponse, CardRefAsyncResponse, CardRefV4AsyncResponse } from "@pay/schema/CardResponse"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as OAuth from "../harness/OAuth.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { ACCOUNT_VERIFICATION, CARDINFO, CARDREF, CARDREF_V4, REBILL } = PayApi.operations

layer(TestGateway.layer(), { excludeTestServices: true })("responses about stored cards", (it) => {
  it.effect("have every declared field and no other", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE")
      const fields = { login: TestGateway.login, ...order }
      const stored = yield* TestGateway.post(CARDREF, fields)
      assert.sameMembers(Object.keys(stored.body), Object.keys(CardRefAsyncResponse.fields))
      const storedByV4 = yield* OAuth.sendOnly(CARDREF_V4, { ...order })
      assert.sameMembers(Object.keys(storedByV4.body), Object.keys(CardRefV4AsyncResponse.fields))
      const request = { login: TestGateway.login, cardrefid: TestMerchant.text(stored, "card-ref-id") }
      const info = yield* TestGateway.post(CARDINFO, request)
      assert.sameMembers(Object.keys(info.body), Object.keys(CardInfoAsyncResponse.fields))
    })
  )
})

layer(TestGateway.layer(), { excludeTestServices: true })("a card stored by number through version 4", (it) => {
  it.effect("has the merchant's own name, and can be charged after an account verification", () =>
    Effect.gen(function* () {
      const card = { credit_card_number: "4444333322221111", expire_month: "12", expire_year: "2030" }
      const kept = yield* OAuth.sendOnly(CARDREF_V4, { client_orderid: "keep-1", ...card })
      assert.deepInclude(kept.body, { type: "create-card-ref-response", "merchant-order-id": "keep-1" })
      const cardrefid = TestMerchant.text(kept, "card-ref-id")
      const charge = () =>
        TestGateway.post(REBILL, {
          ...Sample.request(REBILL),
          login: TestGateway.login,
          client_orderid: TestMerchant.freshId(),
          cardrefid
        })
      const refused = yield* charge()
      TestMerchant.assertRefused(refused, "orderState", "cardrefid")
      const remedy = "verify it first: take an account-verification (or a sale) with this card, send create-card-ref"
      assert.include(String(refused.body["error-message"]), remedy)

      const fields = {
        ...Sample.request(ACCOUNT_VERIFICATION),
        client_orderid: TestMerchant.freshId(),
        ...card,
        cvv2: "123"
      }
      const verified = yield* TestGateway.post(ACCOUNT_VERIFICATION, fields)
      TestMerchant.assertAccepted(verified)
      yield* TestMerchant.settled
      const stored = yield* TestGateway.post(CARDREF, { login: TestGateway.login, ...TestMerchant.nameOf(verified) })
      assert.strictEqual(TestMerchant.text(stored, "card-ref-id"), cardrefid)
      TestMerchant.assertAccepted(yield* charge())
    })
  )
})

/** Reports about declined orders (docs/decisions/public-reports-inputs.md), where no other test has the same input. */
import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as OlderClient from "../older/OlderClient.ts"

const advice = (field: string) =>
  `Parameter ${field} was already used with other content; its order is declined and is final: use a new ${field} for another payment`

const declined = { cvv2: "116" }

layer(TestGateway.layer(), { excludeTestServices: true })("a declined client_orderid that is sent again", (it) => {
  it.effect("is the same order with the same card, and is refused with another card, amount or form", () =>
    Effect.gen(function* () {
      const client_orderid = TestMerchant.freshId()
      const order = yield* TestMerchant.order("SALE", { client_orderid, ...declined })
      const again = yield* TestMerchant.create("SALE", { client_orderid, ...declined })
      TestMerchant.assertReplay(again, order)
      const others = [
        yield* TestMerchant.create("SALE", { client_orderid, credit_card_number: "4444555566661111" }),
        yield* TestMerchant.create("SALE", { client_orderid, amount: "10.43" }),
        yield* TestMerchant.create("PREAUTH", { client_orderid }),
        (yield* HostedPage.open(client_orderid)).reply
      ]
      for (const reply of others) {
        TestMerchant.assertRefused(reply, "contentDiffers", "client_orderid")
        assert.deepInclude(reply.body, {
          "error-message": advice("client_orderid"),
          "paynet-order-id": order.orderid
        })
      }
      yield* TestMerchant.settled
      assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Declined"])
      assert.deepInclude(yield* TestMerchant.status(order), { status: "declined" })
      assert.deepInclude(yield* TestMerchant.status(yield* TestMerchant.order("SALE")), { status: "approved" })
    })
  )

  it.effect("is not called final while its order is under way", () =>
    Effect.gen(function* () {
      const { names } = yield* HostedPage.open(TestMerchant.freshId())
      const { client_orderid } = names
      const reply = yield* TestMerchant.create("SALE", { client_orderid })
      const message = "Parameter client_orderid was already used with other content; its order is processing"
      assert.strictEqual(reply.body["error-message"], message)
    })
  )

  it.effect("on a hosted page is paid at once with another card", () =>
    Effect.gen(function* () {
      const { names, url } = yield* HostedPage.open(TestMerchant.freshId(), {}, PayApi.operations.SALEFORM)
      yield* HostedPage.pay(url, { code: "116" })
      yield* TestMerchant.settled
      yield* HostedPage.pay(url, { number: "4444 5555 6666 1111", attempts: "1" })
      yield* TestMerchant.settled
      assert.deepInclude(yield* TestMerchant.status(names), { status: "approved", "last-four-digits": "1111" })
    })
  )
})

layer(OlderClient.gateway, { excludeTestServices: true })("a declined client_orderid in the older dialect", (it) => {
  it.effect("is refused with another card, and the message says that a new one is needed", () =>
    Effect.gen(function* () {
      const path = `sale/${OlderClient.endpoints.usd}`
      const id = OlderClient.freshId()
      const sale = (changes: OlderClient.Fields) =>
        OlderClient.post(path, OlderClient.signedPayment(OlderClient.endpoints.usd, OlderClient.payment(id, changes)))
      const first = yield* sale(declined)
      yield* TestMerchant.settled
      assert.strictEqual((yield* sale(declined)).fields["paynet-order-id"], first.fields["paynet-order-id"])
      const other = yield* sale({ credit_card_number: "4444555566661111" })
      OlderClient.assertRefused(other, 51)
      assert.strictEqual(other.fields["error-message"], advice("client_orderid"))
    })
  )
})

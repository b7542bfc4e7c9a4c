/** Programs that sign with OAuth or send transfers as they are deployed, on the wire only. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Exchange from "./Exchange.ts"
import * as Older from "./OlderClient.ts"
import * as Shop from "./Shop.ts"

const { accepted, pay, orderStatus, world } = Exchange
const { controlKey, endpoints, login, sha1 } = Older
const { usd } = endpoints

describe("existing clients with OAuth", () => {
  const read = (reply: Older.Reply, name: string): string =>
    new RegExp(`"${name}":"([^"]*)"`).exec(reply.text)?.[1] ?? ""

  layer(world, { excludeTestServices: true })((it) => {
    it.effect("tmhOAuth signs a payout over the prefix", () =>
      Effect.gen(function* () {
        const id = Older.freshId()
        const fields = { client_orderid: id, amount: "7.00", currency: "USD", account_number: "DE89370400440532013000" }
        const reply = yield* Older.oauth("HMAC-SHA1", `/paynet/api/v2/payout/${usd}`, fields)
        const order = accepted(reply, id)
        assert.strictEqual(reply.fields["payout-id"], order.orderid)
        yield* TestMerchant.settled
        assert.strictEqual(yield* orderStatus(order), "payout/approved")
        const refused = yield* Older.oauth("RSA-SHA256", `/paynet/api/v2/payout/${usd}`, fields)
        Older.assertRefused(refused, 42)
      })
    )

    it.effect("each charge of a recurring payment has its amount as the merchant wrote it", () =>
      Effect.gen(function* () {
        const { callbackUrl, callbacks } = yield* Shop.Shop
        const sign = (name: string, fields: Older.Fields) =>
          Older.oauth("RSA-SHA256", `/paynet/api/v4/${name}/${usd}`, fields)
        const calledBack = (orderid: string) =>
          callbacks(orderid).map(({ amount, status, type }) => `${type} ${status} ${amount}`)
        const begun = yield* sign("create-recurring-payment", {
          ...Older.payment(Older.freshId(), { amount: "5.5", server_callback_url: callbackUrl }),
          period: "monthly",
          interval: "1"
        })
        assert.strictEqual(begun.status, 200, begun.text)
        const id = read(begun, "recurring-payment-id")
        yield* TestMerchant.settled
        assert.deepStrictEqual(calledBack(read(begun, "paynet-order-id")), ["sale approved 5.5"])

        const charged = Effect.fnUntraced(function* (n: number) {
          yield* TestMerchant.pass("31 days")
          return calledBack((yield* Exchange.status({ id: `${id}:${n}`, orderid: "" }))["paynet-order-id"] ?? "")
        })
        assert.deepStrictEqual(yield* charged(1), ["sale approved 5.5"])
        const now = (amount: Older.Fields) =>
          Effect.gen(function* () {
            const fields = {
              client_orderid: Older.freshId(),
              "recurring-payment-id": id,
              server_callback_url: callbackUrl
            }
            const reply = yield* sign("process-recurring-payment", { ...fields, ...amount })
            yield* TestMerchant.settled
            return calledBack(read(reply, "paynet-order-id"))
          })
        assert.deepStrictEqual(yield* now({}), ["sale approved 5.5"])
        assert.deepStrictEqual(yield* now({ amount: "7.1", currency: "USD" }), ["sale approved 7.1"])
        const changed = yield* sign("update-recurring-payment", {
          "recurring-payment-id": id,
          amount: "6.5",
          currency: "USD"
        })
        assert.strictEqual(changed.status, 200, changed.text)
        assert.deepStrictEqual(yield* charged(2), ["sale approved 6.50"])
      })
    )

    it.effect("a stored card without a holder's name is answered with a name that is not empty", () =>
      Effect.gen(function* () {
        const card = { credit_card_number: "4444555566661111", expire_month: "12", expire_year: "2030" }
        const stored = yield* Older.oauth("RSA-SHA256", `/paynet/api/v4/create-card-ref/${usd}`, {
          client_orderid: Older.freshId(),
          ...card
        })
        const cardrefid = read(stored, "card-ref-id")
        const control = sha1(login, cardrefid, controlKey)
        const info = yield* Older.post(`get-card-info/${usd}`, { login, cardrefid, control })
        Older.assertHas(info, "get-card-info-response", "card-printed-name")
      })
    )

    it.effect("Node and PHP clients transfer between stored cards and from the balance", () =>
      Effect.gen(function* () {
        const store = Effect.gen(function* () {
          const order = yield* pay("sale/", usd)
          yield* TestMerchant.settled
          const stored = yield* Older.post(`create-card-ref/${usd}`, Older.signedOrder(order.id, order.orderid))
          return stored.fields["card-ref-id"] ?? ""
        })
        const card = yield* store
        for (const source of [card, ""]) {
          const id = Older.freshId()
          const reply = yield* Older.post(`transfer-by-ref/${usd}`, {
            login,
            client_orderid: id,
            "source-card-ref-id": source,
            "destination-card-ref-id": card,
            amount: "2.00",
            currency: "USD",
            control: sha1(login, id, source, card, "200", "USD", controlKey)
          })
          const order = accepted(reply, id)
          yield* TestMerchant.settled
          assert.strictEqual(yield* orderStatus(order), "transfer/approved")
        }
      })
    )
  })
})

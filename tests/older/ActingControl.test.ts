/**
 * At an endpoint whose `actingControl` is `amount`, the control of a status request does nothing. The captures of the PHP and Ruby
 * libraries name no amount and sign the order's: they are taken where that is all there is.
 */
import { assert, layer } from "@effect/vitest"
import * as Sandbox from "@pay/server/Sandbox"
import { Array as Arr, Effect, Layer } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Exchange from "./Exchange.ts"
import * as Older from "./OlderClient.ts"
import * as Shop from "./Shop.ts"

const { login, sha1 } = Older
const { usd } = Older.endpoints

const merchants = Sandbox.merchants.map((merchant) => ({
  ...merchant,
  endpoints: Arr.map(merchant.endpoints, (endpoint) => ({ ...endpoint, actingControl: "amount" as const }))
}))
const settings = { publicBaseUrl: Older.publicBaseUrl }

/** Sends no amount; `signed` is what the control covers of it. */
const capture = ({ id, orderid }: Exchange.Order, ...signed: ReadonlyArray<string>) =>
  Older.post(`capture/${usd}`, {
    login,
    client_orderid: id,
    orderid,
    control: sha1(login, id, orderid, ...signed, Older.controlKey)
  })

const preauth = Effect.tap(Exchange.pay("preauth/", usd), () => TestMerchant.settled)

layer(Layer.provideMerge(Shop.layer, TestGateway.layer({ merchants, settings })), { excludeTestServices: true })(
  "an endpoint of the older dialect with actingControl=amount",
  (it) => {
    it.effect("accepts a capture signed over the order's amount, once", () =>
      Effect.gen(function* () {
        const order = yield* preauth
        Exchange.accepted(yield* capture(order, "1042", "USD"), order.id)
        yield* TestMerchant.settled
        Exchange.accepted(yield* capture(order, "1042", "USD"), order.id)
        yield* TestMerchant.settled
        const fields = yield* Exchange.status(order)
        assert.deepStrictEqual([fields["transaction-type"], fields["captured-amount"]], ["capture", "10.42"])
        yield* TestMerchant.assertClean
      })
    )

    it.effect("refuses the control of a status request as a capture", () =>
      Effect.gen(function* () {
        const order = yield* preauth
        Older.assertRefused(yield* capture(order), 1)
        Older.assertRefused(yield* capture(order, "1043", "USD"), 40)
        assert.strictEqual((yield* Exchange.status(order))["captured-amount"], "0.00")
      })
    )

    it.effect("refuses a capture signed over another amount", () =>
      Effect.gen(function* () {
        const order = yield* preauth
        const { id, orderid } = order
        const part = { login, client_orderid: id, orderid, amount: "4.00", currency: "USD" }
        const control = sha1(login, id, orderid, "400", "USD", Older.controlKey)
        Exchange.accepted(yield* Older.post(`capture/${usd}`, { ...part, control }), id)
        yield* TestMerchant.settled
        Older.assertRefused(yield* capture(order, "1042", "USD"), 1)
        assert.strictEqual((yield* Exchange.status(order))["captured-amount"], "4.00")
      })
    )
  }
)

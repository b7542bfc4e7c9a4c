/** Short numbers of orders: they rise over restarts, and to know one gives no right. */
import { assert, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Operating from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Older from "./OlderClient.ts"

const { usd } = Older.endpoints

const sale = Effect.gen(function* () {
  const fields = Older.signedPayment(usd, Older.payment(Older.freshId()))
  const reply = yield* Older.post(`sale/${usd}`, fields)
  Older.assertHas(reply, "async-response", "paynet-order-id")
  yield* TestMerchant.settled
  return reply.fields["paynet-order-id"] ?? ""
})

it.live("short order numbers rise, also over a restart, and other merchants keep long ones", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const options = { settings: { publicBaseUrl: Older.publicBaseUrl } }
    const first = yield* TestGateway.running(folder, options)(Effect.all([sale, sale]))
    assert.deepStrictEqual(first, ["1", "2"])
    yield* TestGateway.running(
      folder,
      options
    )(
      Effect.gen(function* () {
        assert.strictEqual(yield* sale, "1001")
        const numbers = yield* Operating.ask("GET", "/metrics")
        assert.match(numbers.text, /^pay_short_numbers_left 2147481647$/m)
        const other = yield* TestMerchant.order("SALE")
        assert.match(other.orderid, /^\d{17,19}$/)
      })
    )
  })
)

it.live("a guessed order number gives no access to the order", () =>
  Effect.gen(function* () {
    const orderid = yield* sale
    const ask = (orderid: string) =>
      TestGateway.post(PayApi.operations.STATUS, { login: TestGateway.login, orderid }, {})
    const neighbour = yield* ask(orderid)
    TestMerchant.assertRefused(neighbour, "orderNotFound")
    const unknown = yield* ask("2147483000")
    assert.strictEqual(neighbour.body["error-message"], unknown.body["error-message"])
    assert.sameMembers(Object.keys(neighbour.body), Object.keys(unknown.body))
  }).pipe(Effect.provide(Older.gateway))
)

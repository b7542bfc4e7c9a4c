import { assert, layer } from "@effect/vitest"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const { PREAUTH, SALE } = PayApi.operations
const comment = "The customer called: the parcel never came"

/** Makes an order of 10.42 whose callbacks nobody takes, and returns its identifier. */
const made = Effect.fnUntraced(function* (operation: typeof SALE | typeof PREAUTH, name: string) {
  const { body } = yield* TestGateway.post(operation, {
    ...TestGateway.saleFields,
    client_orderid: name,
    server_callback_url: "http://127.0.0.1:9/callback"
  })
  const scheduler = yield* Scheduler
  yield* scheduler.settled
  return String(body["paynet-order-id"])
})

const shown = (order: string) =>
  Effect.gen(function* () {
    const scheduler = yield* Scheduler
    yield* scheduler.settled
    return (yield* ask("GET", `/operator/orders/${order}`)).body
  })

layer(TestGateway.layer(), { excludeTestServices: true })("an operator", (it) => {
  it.effect("returns money once for each key, audited, and the merchant gets a callback", () =>
    Effect.gen(function* () {
      const order = yield* made(SALE, "refunded-by-hand")
      const refund = (input: object) => ask("POST", `/operator/orders/${order}/refund`, { comment, ...input })
      const replies = [
        yield* refund({ amount: "4.00", key: "form-1" }),
        yield* refund({ amount: "4.00", key: "form-1" }),
        yield* refund({ amount: "4.00" }),
        yield* refund({ amount: "4.00" }),
        yield* refund({ amount: "5.00", key: "form-1" }),
        yield* refund({ amount: "5.00", key: "form-2" }),
        yield* refund({}),
        yield* refund({})
      ]
      assert.deepStrictEqual(
        replies.map(({ status }) => status),
        [202, 202, 409, 409, 400, 202, 202, 202]
      )
      const { audit, callbacks, refundedMinor } = yield* shown(order)
      assert.strictEqual(refundedMinor, 1042)
      const { length } = Array.isArray(audit) ? audit.filter(({ action }) => action === "order.refund") : []
      assert.strictEqual(length, 3, "a repeat changes nothing, so it has no entry")
      assert.strictEqual(Array.isArray(callbacks) ? callbacks.length : 0, 4)
    })
  )

  it.effect("releases a hold, and returns nothing that was not taken", () =>
    Effect.gen(function* () {
      const order = yield* made(PREAUTH, "released-by-hand")
      const release = ask("POST", `/operator/orders/${order}/void`, { comment })
      assert.deepStrictEqual([(yield* release).status, (yield* release).status], [202, 202])
      assert.deepInclude(yield* shown(order), { state: "voided" })
      assert.strictEqual((yield* ask("POST", `/operator/orders/${order}/refund`, { comment })).status, 400)
      const { status } = yield* ask("POST", "/operator/orders/1/void", { comment })
      assert.strictEqual(status, 404)
    })
  )

  it.effect.each([
    ["no reason", {}],
    ["a blank reason", { comment: " \n" }],
    ["a reason that merchants' requests cannot have", { comment: "x".repeat(51) }],
    ["an amount with three digits", { comment, amount: "1.001" }],
    ["more than was paid", { comment, amount: "10.43" }],
    ["nothing", { comment, amount: "0.00" }],
    ["a key with a blank", { comment, key: "form 1" }]
  ] as ReadonlyArray<readonly [string, object]>)("is refused by 400 for %s", ([, input]) =>
    Effect.gen(function* () {
      const order = yield* made(SALE, `not-refunded-${Object.values(input).join("").length}`)
      assert.strictEqual((yield* ask("POST", `/operator/orders/${order}/refund`, input)).status, 400)
    })
  )
})

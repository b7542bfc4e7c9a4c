import { assert, describe, layer } from "@effect/vitest"
import * as Dialect from "@pay/schema/Dialect"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Effect, Layer, Redacted } from "effect"
import type { FaultAt } from "../src/plan/Payment.ts"
import * as MerchantKeys from "../src/world/MerchantKeys.ts"
import { type Together, World } from "../src/world/World.ts"
import * as WorldLive from "../src/world/WorldLive.ts"
import * as WorldShop from "./WorldShop.ts"

const alone: Together = { reached: () => Effect.void }
const lost: FaultAt = { fault: "lostAnswer", moment: { of: "request", index: 1 } }

describe.each(Dialect.all)("a gateway in %s without replays", (dialect) => {
  const { controlKey } = MerchantKeys.of(dialect)
  const world = Layer.provideMerge(
    WorldShop.layer(dialect),
    WorldLive.layer({ dialect, replays: false, callbackBehindMs: 1, settling: "4 hours" })
  )
  layer(world, { excludeTestServices: true })((it) => {
    it.effect("charges twice if a sale is repeated, and both orders have the name that the shop gave", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = WorldShop.order([lost])
        yield* world.open(order, alone)
        const sale = shop.send("SALE", WorldShop.saleOf(shop, order))
        assert.strictEqual((yield* sale).text, "reset")
        const second = yield* sale
        assert.strictEqual(second.text, "200 accepted")
        assert.strictEqual(second.fields["merchant-order-id"], order.name)
        const { profile } = GatewayProfile.parse(String(second.headers[GatewayProfile.header]))
        assert.deepStrictEqual(
          { ...GatewayProfile.specification, ...profile },
          { ...GatewayProfile.ours, replaysClientOrderId: false }
        )
        yield* WorldShop.until(() => shop.callbacks(order).length === 2)
        const { charges } = yield* world.booked(order)
        assert.deepStrictEqual(
          charges.map(({ capturedMinor, clientOrderId }) => [clientOrderId, capturedMinor]),
          [
            [order.name, order.amountMinor],
            [order.name, order.amountMinor]
          ]
        )
        const callbacks = yield* Effect.forEach(shop.callbacks(order), ({ headers, url }) =>
          CallbackReceiver.verify(
            { url, headers },
            { controlKeys: [Redacted.make(controlKey)], requireWebhookHeaders: true }
          )
        )
        assert.deepStrictEqual(
          callbacks.map(({ client_orderid, orderid, status }) => [client_orderid, orderid, status]).toSorted(),
          charges.map(({ orderId }) => [order.name, orderId, "approved"]).toSorted()
        )
      })
    )

    it.effect("knows the second order by its number, and returns its money", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = WorldShop.order([])
        yield* world.open(order, alone)
        const [first, second] = yield* Effect.forEach([1, 2], () => shop.send("SALE", WorldShop.saleOf(shop, order)))
        yield* WorldShop.untilCallbacks(order, 2)
        const numbers = [first, second].map((sale) => sale?.fields["paynet-order-id"] ?? "")
        assert.notStrictEqual(numbers[0], numbers[1])
        const named = { client_orderid: order.name, orderid: numbers[1] ?? "" }
        assert.strictEqual((yield* shop.send("STATUS", named)).text, "200 approved")
        assert.strictEqual((yield* shop.send("RETURN", named)).text, "200 accepted")
        yield* world.settle
        const { charges } = yield* world.booked(order)
        assert.deepStrictEqual(
          charges.map(({ orderId, refundsMinor }) => ({ orderId, refundsMinor })),
          [
            { orderId: numbers[0] ?? "", refundsMinor: [] },
            { orderId: numbers[1] ?? "", refundsMinor: [order.amountMinor] }
          ]
        )
      })
    )

    it.effect.each([
      ["one", "one", 1],
      ["one", "two", 2]
    ] as const)("creates, under the keys %s and %s, %i orders", ([one, two, count]) =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = WorldShop.order([])
        yield* world.open(order, alone)
        const sales = yield* Effect.forEach([one, two], (key) =>
          shop.send("SALE", WorldShop.saleOf(shop, order), { headers: { "idempotency-key": key } })
        )
        assert.deepStrictEqual(new Set(sales.map(({ text }) => text)), new Set(["200 accepted"]))
        assert.lengthOf(new Set(sales.map(({ fields }) => fields["paynet-order-id"])), count)
      })
    )

    it.effect("takes the same name again after a refusal", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = WorldShop.order([])
        yield* world.open(order, alone)
        const fields = WorldShop.saleOf(shop, order)
        assert.include((yield* shop.send("SALE", { ...fields, email: "nobody" })).text, "validation-error")
        assert.strictEqual((yield* shop.send("SALE", fields)).text, "200 accepted")
        yield* WorldShop.untilCallbacks(order, 1)
        assert.strictEqual((yield* shop.send("STATUS", { client_orderid: order.name })).text, "200 approved")
        assert.lengthOf((yield* world.booked(order)).charges, 1)
      })
    )
  })
})

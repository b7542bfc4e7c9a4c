import { assert, describe, layer } from "@effect/vitest"
import * as Dialect from "@pay/schema/Dialect"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Effect, Layer, Redacted, Result } from "effect"
import type { Fault } from "../src/Faults.ts"
import * as MerchantKeys from "../src/MerchantKeys.ts"
import type { FaultAt, Order } from "../src/Payment.ts"
import { type Together, World } from "../src/World.ts"
import * as WorldLive from "../src/WorldLive.ts"
import * as WorldShop from "./WorldShop.ts"

const alone: Together = { reached: () => Effect.void }
const at = (fault: Fault, index = 1): FaultAt => ({ fault, moment: { of: "callback", index } })

/** The status and type of each callback that arrived, in order. */
const arrived = (shop: WorldShop.WorldShop["Service"], order: Order): string =>
  shop
    .callbacks(order)
    .map(({ parameters }) => `${parameters.get("type")} ${parameters.getAll("status").join(",")}`)
    .join(", ")

const sold = Effect.fnUntraced(function* (order: Order, together = alone) {
  const world = yield* World
  const shop = yield* WorldShop.WorldShop
  yield* world.open(order, together)
  return yield* shop.send("SALE", WorldShop.saleOf(shop, order))
})

/** Returns what the shop gets before and after everything is settled. */
const rows: ReadonlyArray<readonly [fault: Fault, before: string, after: string]> = [
  ["lateCallback", "", "sale approved"],
  ["repeatedCallback", "sale approved, sale approved, sale approved", "sale approved, sale approved, sale approved"],
  ["lostCallback", "", ""],
  ["killedByCallback", "sale approved", "sale approved, sale approved"]
]

describe.each(Dialect.all)("a callback in %s that meets a fault", (dialect) => {
  const { controlKey } = MerchantKeys.of(dialect)
  const isGenuine = ({ headers, url }: WorldShop.Received) =>
    Effect.map(
      Effect.result(CallbackReceiver.verify({ url, headers }, { controlKeys: [Redacted.make(controlKey)] })),
      Result.isSuccess
    )

  const world = Layer.provideMerge(
    WorldShop.layer(dialect),
    WorldLive.layer({ dialect, callbackBehindMs: 1, settling: "1 day" })
  )
  layer(world, { excludeTestServices: true })((it) => {
    it.effect.each(rows)("%s: at first [%s] arrives, and at last [%s]", ([fault, before, after]) =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = WorldShop.order([at(fault)])
        let killed = 0
        yield* sold(order, { reached: () => Effect.sync(() => (killed += 1)) })
        yield* WorldShop.untilCallbacks(order, 1)
        yield* WorldShop.until(() => arrived(shop, order).length >= before.length)
        if (fault === "killedByCallback") yield* WorldShop.until(() => killed === 1)
        assert.strictEqual(arrived(shop, order), before)
        yield* world.settle
        assert.strictEqual(arrived(shop, order), after)
        const { callbacks, met } = yield* world.observation(order)
        assert.deepStrictEqual([callbacks, met], [1, order.case.faults])
        assert.lengthOf((yield* world.booked(order)).charges, 1)
        assert.strictEqual(killed, fault === "killedByCallback" ? 1 : 0)
        yield* world.close(order)
      })
    )

    it.effect("earlyCallback: the callback arrives before the answer", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = WorldShop.order([at("earlyCallback")])
        const sale = yield* sold(order)
        assert.strictEqual(arrived(shop, order), "sale approved")
        assert.strictEqual(sale.text, "200 accepted")
        assert.deepStrictEqual((yield* world.observation(order)).met, order.case.faults)
      })
    )

    it.effect("without a fault the callback arrives after the answer, and is repeated until it is acknowledged", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = WorldShop.order([])
        yield* sold(order)
        assert.strictEqual(arrived(shop, order), "")
        shop.answerWith(503)
        yield* WorldShop.until(() => shop.callbacks(order).length === 1)
        shop.answerWith(200)
        yield* world.settle
        assert.strictEqual(arrived(shop, order), "sale approved, sale approved")
        assert.strictEqual((yield* world.observation(order)).callbacks, 1)
      })
    )

    it.effect("disorderedCallback: that of the sale arrives again after that of the return", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = WorldShop.order([at("disorderedCallback", 2)], "refund")
        const { fields } = yield* sold(order)
        yield* WorldShop.until(() => shop.callbacks(order).length === 1)
        yield* shop.send("RETURN", {
          client_orderid: order.name,
          orderid: fields["paynet-order-id"] ?? "",
          server_callback_url: shop.callbackUrl(order)
        })
        yield* world.settle
        assert.strictEqual(arrived(shop, order), "sale approved, reversal approved, sale approved")
        const { met, requests } = yield* world.observation(order)
        assert.deepStrictEqual([met, requests], [order.case.faults, ["sale", "return"]])
        assert.deepStrictEqual(
          (yield* world.booked(order)).charges.map(({ refundsMinor }) => refundsMinor),
          [[order.amountMinor]]
        )
      })
    )

    it.effect.each([1, 2, 3, 4, 5])(
      "forgedCallback %i: the bank declined, and a wrong signature says approved",
      (way) =>
        Effect.gen(function* () {
          const world = yield* World
          const shop = yield* WorldShop.WorldShop
          const order = { ...WorldShop.order([at("forgedCallback")]) }
          yield* sold({ ...order, case: { ...order.case, number: way } })
          yield* WorldShop.until(() => shop.callbacks(order).length === 2)
          yield* world.settle
          const genuine = yield* Effect.forEach(shop.callbacks(order), (received) =>
            Effect.map(isGenuine(received), (isTrue) => [isTrue, received.parameters.getAll("status").at(-1)] as const)
          )
          assert.deepStrictEqual(genuine.toSorted(), [
            [false, "approved"],
            [true, "declined"]
          ])
          assert.deepStrictEqual(yield* world.booked(order), { charges: [], payoutsMinor: [] })
          assert.deepStrictEqual((yield* world.observation(order)).met, order.case.faults)
        })
    )
  })
})

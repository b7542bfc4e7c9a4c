import { assert, describe, layer } from "@effect/vitest"
import * as Dialect from "@pay/schema/Dialect"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Effect, Layer, Redacted, Result } from "effect"
import type { Fault } from "../src/plan/Faults.ts"
import type { FaultAt, Order } from "../src/plan/Payment.ts"
import * as MerchantKeys from "../src/world/MerchantKeys.ts"
import { type Together, World } from "../src/world/World.ts"
import * as WorldLive from "../src/world/WorldLive.ts"
import * as WorldShop from "./WorldShop.ts"

/** How long after an answer a callback comes, in milliseconds. */
const callbackBehindMs = 50

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

const thrice = (text: string) => [text, text, text] as const

/** What has arrived at the shop at first, after half a day, and after a day. */
const rows: ReadonlyArray<readonly [fault: Fault, first: string, half: string, day: string]> = [
  ["lateCallback", "", "", "sale approved"],
  ["repeatedCallback", ...thrice("sale approved, sale approved, sale approved")],
  ["lostCallback", ...thrice("")],
  ["killedByCallback", ...thrice("sale approved")]
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
    WorldLive.layer({ dialect, callbackBehindMs, settling: "12 hours" })
  )
  layer(world, { excludeTestServices: true })((it) => {
    it.effect.each(rows)(
      "%s: at first [%s] has arrived, then [%s], and after a day [%s]",
      ([fault, first, half, day]) =>
        Effect.gen(function* () {
          const world = yield* World
          const shop = yield* WorldShop.WorldShop
          const order = WorldShop.order([at(fault)])
          let killed = 0
          yield* sold(order, {
            reached: () =>
              Effect.sync(() => {
                killed += 1
              })
          })
          yield* WorldShop.untilCallbacks(order, 1)
          yield* WorldShop.until(() => arrived(shop, order).length >= first.length)
          if (fault === "killedByCallback") yield* WorldShop.until(() => killed === 1)
          assert.strictEqual(arrived(shop, order), first)
          yield* world.settle
          assert.strictEqual(arrived(shop, order), half)
          yield* world.settle
          assert.strictEqual(arrived(shop, order), day)
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
        const { callbacks, timeline } = yield* world.observation(order)
        assert.strictEqual(callbacks, 1)
        const [sale, callback] = ["sale", "callback"].map((what) => timeline.find(({ text }) => text.startsWith(what)))
        assert.isAtLeast((callback?.atMs ?? 0) - (sale?.atMs ?? 0), callbackBehindMs - 5)
      })
    )

    it.effect("is not sent to another machine", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = WorldShop.order([])
        yield* world.open(order, alone)
        const fields = { ...WorldShop.saleOf(shop, order), server_callback_url: "http://shop.example/callback" }
        yield* shop.send("SALE", fields)
        yield* WorldShop.untilCallbacks(order, 1)
        yield* world.settle
        const { timeline } = yield* world.observation(order)
        assert.isTrue(timeline.some(({ text }) => text.endsWith("address is not of this machine")))
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

    it.effect("forgedCallback: nothing is forged where the bank approves", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = WorldShop.order([at("forgedCallback", 2)], "refund")
        yield* sold(order)
        yield* WorldShop.until(() => shop.callbacks(order).length === 1)
        yield* shop.send("SALE", { ...WorldShop.saleOf(shop, order), client_orderid: `${order.name}again` })
        yield* world.settle
        assert.strictEqual(arrived(shop, order), "sale approved, sale approved")
        assert.deepStrictEqual((yield* world.observation(order)).met, [])
      })
    )
  })
})

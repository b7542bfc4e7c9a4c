import { assert, describe, layer } from "@effect/vitest"
import * as Dialect from "@pay/schema/Dialect"
import * as Money from "@pay/schema/Money"
import { Deferred, Effect, Fiber, Layer } from "effect"
import type { Fault } from "../src/plan/Faults.ts"
import type { FaultAt, Order } from "../src/plan/Payment.ts"
import { type Together, World } from "../src/world/World.ts"
import * as WorldLive from "../src/world/WorldLive.ts"
import * as WorldShop from "./WorldShop.ts"

const alone: Together = { reached: () => Effect.void }
const at = (fault: Fault, index = 1): FaultAt => ({ fault, moment: { of: "request", index } })

const opened = Effect.fnUntraced(function* (order: Order, together = alone) {
  const world = yield* World
  yield* world.open(order, together)
  return order
})

const observed = Effect.fnUntraced(function* (order: Order) {
  const world = yield* World
  const { met, requests } = yield* world.observation(order)
  return [requests, met.map(({ fault }) => fault)] as const
})

/** Spellings of 10.50 that the gateway reads. */
const spellings = ["10.50", "10.5", "010.50", " 10.50 ", "10.500"]

describe.each(Dialect.all)("requests in %s belong to an order", (dialect) => {
  const world = Layer.provideMerge(
    WorldShop.layer(dialect),
    WorldLive.layer({ dialect, lateMs: 60_000, callbackBehindMs: 1, settling: "1 hour" })
  )
  layer(world, { excludeTestServices: true })((it) => {
    it.effect.each(spellings)("by its amount, written as '%s'", (amount) =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = yield* opened({ ...WorldShop.order([at("errorAfter")]), amountMinor: 1050 })
        const sale = yield* shop.send("SALE", { ...WorldShop.saleOf(shop, order), amount })
        assert.strictEqual(sale.text, "500 error")
        assert.deepStrictEqual(yield* observed(order), [["sale"], ["errorAfter"]])
        assert.lengthOf((yield* world.booked(order)).charges, 1)
        yield* world.close(order)
      })
    )

    it.effect("also under a second name, so that both charges are its own", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = yield* opened(WorldShop.order([at("lostAnswer")]))
        const fields = WorldShop.saleOf(shop, order)
        const names = [`${order.name}first`, `${order.name}second`]
        yield* Effect.forEach(names, (client_orderid) => shop.send("SALE", { ...fields, client_orderid }))
        yield* world.settle
        const { charges } = yield* world.booked(order)
        assert.deepStrictEqual(
          charges.map(({ capturedMinor, clientOrderId }) => [clientOrderId, capturedMinor]),
          names.map((name) => [name, order.amountMinor])
        )
        assert.deepStrictEqual(yield* observed(order), [["sale", "sale"], ["lostAnswer"]])
      })
    )

    it.effect("by its name and by its number, whatever amount is returned", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = yield* opened(WorldShop.order([]))
        const other = yield* opened({ ...WorldShop.order([at("lostRequest")]), amountMinor: 100 })
        const sale = yield* shop.send("SALE", WorldShop.saleOf(shop, order))
        yield* WorldShop.untilCallbacks(order, 1)
        const orderid = sale.fields["paynet-order-id"] ?? ""
        const part = { client_orderid: order.name, orderid, amount: "1.00", currency: "USD" }
        assert.strictEqual((yield* shop.send("RETURN", part)).text, "200 accepted")
        yield* shop.send("STATUS", { orderid })
        yield* shop.send("STATUS", { client_orderid: order.name })
        yield* world.settle
        assert.deepStrictEqual(yield* observed(order), [["sale", "return", "status", "status"], []])
        assert.deepStrictEqual(yield* observed(other), [[], []])
        assert.deepStrictEqual((yield* world.booked(order)).charges[0]?.refundsMinor, [100])
      })
    )

    it.effect("and no fault meets those of orders that are closed, or that are not watched", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const closed = yield* opened(WorldShop.order([at("lostRequest")]))
        yield* world.close(closed)
        assert.strictEqual((yield* shop.send("SALE", WorldShop.saleOf(shop, closed))).text, "200 accepted")
        assert.deepStrictEqual(yield* observed(closed), [[], []])
        assert.deepStrictEqual(yield* world.booked(closed), { charges: [], payoutsMinor: [] })
      })
    )

    it.effect("and a late answer to one does not hold up the others", () =>
      Effect.gen(function* () {
        const shop = yield* WorldShop.WorldShop
        const slow = yield* opened(WorldShop.order([at("lateAnswer")]))
        const waiting = yield* Effect.forkChild(shop.send("SALE", WorldShop.saleOf(shop, slow), { timeoutMs: 1000 }))
        const orders = yield* Effect.forEach(Array.from({ length: 20 }), () => opened(WorldShop.order([])))
        const sales = yield* Effect.forEach(orders, (order) => shop.send("SALE", WorldShop.saleOf(shop, order)), {
          concurrency: 10
        })
        assert.deepStrictEqual(new Set(sales.map(({ text }) => text)), new Set(["200 accepted"]))
        assert.strictEqual((yield* Fiber.join(waiting)).text, "no answer in time")
      })
    )

    it.effect("and one gets the answer to another, if connections are mixed up", () =>
      Effect.gen(function* () {
        const shop = yield* WorldShop.WorldShop
        const victim = yield* opened(WorldShop.order([at("otherAnswer")]))
        const other = yield* opened(WorldShop.order([]))
        const right = yield* shop.send("SALE", WorldShop.saleOf(shop, other))
        const wrong = yield* shop.send("SALE", WorldShop.saleOf(shop, victim))
        assert.deepStrictEqual(wrong.fields, right.fields)
      })
    )

    it.effect("and a request with a shared fault waits until the fault has happened", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const reached = yield* Deferred.make<FaultAt>()
        const happened = yield* Deferred.make<void>()
        const together: Together = {
          reached: (_, fault) => Effect.andThen(Deferred.succeed(reached, fault), Deferred.await(happened))
        }
        const order = yield* opened(WorldShop.order([at("killedBefore")]), together)
        const sale = yield* Effect.forkChild(shop.send("SALE", WorldShop.saleOf(shop, order)))
        assert.deepStrictEqual(yield* Deferred.await(reached), order.case.faults[0])
        assert.isUndefined(sale.pollUnsafe())
        yield* Deferred.succeed(happened, undefined)
        assert.strictEqual((yield* Fiber.join(sale)).text, "reset")
        assert.deepStrictEqual(yield* world.booked(order), { charges: [], payoutsMinor: [] })
      })
    )

    it.effect.each([
      [1, "before the first request"],
      [2, "after the answer to the request before it"]
    ] as const)("and connections are refused for request %i %s", ([index]) =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const reached = yield* Deferred.make<void>()
        const order = yield* opened(WorldShop.order([at("refused", index)]), {
          reached: () => Effect.asVoid(Deferred.succeed(reached, undefined))
        })
        if (index === 2) yield* shop.send("SALE", WorldShop.saleOf(shop, order))
        yield* Deferred.await(reached)
        const status = shop.send("STATUS", { client_orderid: order.name })
        assert.strictEqual((yield* world.refusing(status)).text, "refused")
        assert.include((yield* status).text, index === 1 ? "validation-error" : "200")
        assert.deepStrictEqual((yield* observed(order))[1], ["refused"])
      })
    )

    it.effect("and its timeline says what was asked and answered", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = yield* opened(WorldShop.order([at("lostAnswer")]))
        const amount = Money.fromMinor(order.amountMinor, "USD")
        yield* world.tell(order, "customer", "pays with 4444 5555 6666 1111")
        yield* shop.send("SALE", WorldShop.saleOf(shop, order))
        yield* WorldShop.until(() => shop.callbacks(order).length === 1)
        const again = yield* shop.send("SALE", WorldShop.saleOf(shop, order))
        const number = again.fields["paynet-order-id"]
        const { timeline } = yield* world.observation(order)
        const lines = timeline.map(({ from, isFault, text }) => `${isFault ? "!" : ""}${from}: ${text}`)
        assert.sameMembers(lines, [
          "customer: pays with [number]",
          `bank: authorize ${amount} USD, order ${number}`,
          `shop: sale ${amount} USD client_orderid=${order.name} -> accepted, order ${number}`,
          "!crash test: The gateway executes the request, and the connection breaks before the answer arrives.",
          `gateway: callback sale approved, order ${number} -> 200`,
          `shop: sale ${amount} USD client_orderid=${order.name} -> accepted, order ${number}`
        ])
      })
    )

    it.effect("whose shop has a clock that is ahead", () =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const clock: FaultAt = { fault: "clockAhead", moment: { of: "whole" } }
        const order = yield* opened(WorldShop.order([clock]))
        const sold = Effect.andThen(
          shop.send("SALE", WorldShop.saleOf(shop, order)),
          WorldShop.until(() => shop.callbacks(order).length === 1)
        )
        yield* world.shopAhead(sold)
        const late = yield* opened(WorldShop.order([]))
        yield* shop.send("SALE", WorldShop.saleOf(shop, late))
        yield* WorldShop.until(() => shop.callbacks(late).length === 1)
        const [first, second] = [order, late].map((one) => Number(shop.callbacks(one)[0]?.headers["webhook-timestamp"]))
        assert.approximately((second ?? 0) - (first ?? 0), 600, 5)
        assert.deepStrictEqual((yield* observed(order))[1], ["clockAhead"])
      })
    )
  })
})

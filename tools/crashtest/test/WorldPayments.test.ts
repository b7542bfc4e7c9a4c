/** Payments of other kinds than a sale by card: holds, pages, 3-D Secure, recurring payments. */
import { assert, layer } from "@effect/vitest"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Layer } from "effect"
import * as Charges from "../src/judgement/Charges.ts"
import type { Action, FaultAt, Order } from "../src/plan/Payment.ts"
import { type Together, World } from "../src/world/World.ts"
import * as WorldLive from "../src/world/WorldLive.ts"
import * as WorldShop from "./WorldShop.ts"

const alone: Together = { reached: () => Effect.void }
const lostAnswer: FaultAt = { fault: "lostAnswer", moment: { of: "request", index: 1 } }

const opened = Effect.fnUntraced(function* (faults: ReadonlyArray<FaultAt>, action?: Action) {
  const world = yield* World
  const order = WorldShop.order(faults, action)
  yield* world.open(order, alone)
  return order
})

const amounts = Effect.fnUntraced(function* (order: Order) {
  const world = yield* World
  return (yield* world.booked(order)).charges.map(({ capturedMinor, heldMinor }) => [capturedMinor, heldMinor])
})

const world = Layer.provideMerge(WorldShop.layer("json"), WorldLive.layer({ callbackBehindMs: 1 }))

layer(world, { excludeTestServices: true })("a crash test watches", (it) => {
  it.effect("a hold, until it is captured in part and the rest is released", () =>
    Effect.gen(function* () {
      const shop = yield* WorldShop.WorldShop
      const order = yield* opened([])
      const { fields } = yield* shop.send("PREAUTH", WorldShop.saleOf(shop, order))
      yield* WorldShop.untilCallbacks(order, 1)
      assert.deepStrictEqual(yield* amounts(order), [[0, order.amountMinor]])
      const named = { client_orderid: order.name, orderid: fields["paynet-order-id"] ?? "" }
      const capture = { ...named, amount: "1.00", currency: "USD", server_callback_url: shop.callbackUrl(order) }
      assert.strictEqual((yield* shop.send("CAPTURE", capture)).text, "200 accepted")
      yield* WorldShop.untilCallbacks(order, 2)
      assert.strictEqual((yield* amounts(order))[0]?.[0], 100)
    })
  )

  it.effect("a hold that is released: it was given back", () =>
    Effect.gen(function* () {
      const world = yield* World
      const shop = yield* WorldShop.WorldShop
      const order = yield* opened([])
      const { fields } = yield* shop.send("PREAUTH", WorldShop.saleOf(shop, order))
      yield* WorldShop.untilCallbacks(order, 1)
      const named = { client_orderid: order.name, orderid: fields["paynet-order-id"] ?? "" }
      const release = { ...named, server_callback_url: shop.callbackUrl(order) }
      assert.strictEqual((yield* shop.send("VOID", release)).text, "200 accepted")
      yield* WorldShop.untilCallbacks(order, 2)
      const { charges } = yield* world.booked(order)
      assert.deepStrictEqual(
        charges.map((charge) => [charge.heldMinor, charge.releasedMinor, Charges.isGivenBack(charge)]),
        [[0, order.amountMinor, true]]
      )
    })
  )

  it.effect("a payment on the gateway's page, which is reached through the proxy whatever happens to requests", () =>
    Effect.gen(function* () {
      const world = yield* World
      const shop = yield* WorldShop.WorldShop
      const order = yield* opened([{ fault: "repeatedRequest", moment: { of: "request", index: 1 } }])
      const { amount, client_orderid, server_callback_url } = WorldShop.saleOf(shop, order)
      const form = yield* shop.send("SALEFORM", {
        ...Sample.request(PayApi.operations.SALEFORM),
        amount,
        client_orderid,
        server_callback_url
      })
      const page = form.fields["redirect-url"] ?? ""
      assert.isTrue(page.startsWith(`${world.baseUrl}/`), JSON.stringify(form.fields))
      const text = yield* WorldShop.visit(page)
      assert.include(text, "<form")
      assert.deepStrictEqual((yield* world.observation(order)).requests, ["sale-form"])
    })
  )

  it.effect("a payment with 3-D Secure, whose addresses lead through the proxy", () =>
    Effect.gen(function* () {
      const world = yield* World
      const shop = yield* WorldShop.WorldShop
      const order = yield* opened([lostAnswer])
      const fields = { ...WorldShop.saleOf(shop, order), ...Sample.browser, redirect_url: "http://127.0.0.1:1/back" }
      const endpointId = Sandbox.endpoints.threeds3dsGateway
      assert.strictEqual((yield* shop.send("SALE", fields, { endpointId })).text, "reset")
      const status = yield* shop.send("STATUS", { client_orderid: order.name }, { endpointId })
      const page = status.fields["redirect-to"] ?? ""
      assert.isTrue(page.startsWith(`${world.baseUrl}/`), JSON.stringify(status.fields))
      const text = yield* WorldShop.visit(page)
      const addresses = [...text.matchAll(/https?:\/\/[^"'<>\s]+/g)].map(([address]) => address)
      assert.deepStrictEqual(
        addresses.filter((address) => !address.startsWith(world.baseUrl)),
        []
      )
    })
  )

  it.effect("a recurring payment with its later charges, and none of an order that is closed", () =>
    Effect.gen(function* () {
      const world = yield* World
      const shop = yield* WorldShop.WorldShop
      const order = yield* opened([], "subscribe")
      const { amount, client_orderid, server_callback_url } = WorldShop.saleOf(shop, order)
      const fields = { ...Sample.request(PayApi.operations.CREATE_RP_V4), period: "daily", interval: "1", cvv2: "123" }
      const created = yield* shop.send("CREATE_RP_V4", { ...fields, amount, client_orderid, server_callback_url })
      assert.include(created.text, "200", JSON.stringify(created.fields))
      yield* WorldShop.untilCallbacks(order, 1)
      assert.lengthOf(yield* amounts(order), 1)
      yield* world.settle
      const charged = yield* amounts(order)
      assert.isAtLeast(charged.length, 3)
      assert.deepStrictEqual(new Set(charged.map(([captured]) => captured)), new Set([order.amountMinor]))
      assert.lengthOf(Charges.counted(yield* world.booked(order), undefined), 1)
      const approvals = () =>
        shop.callbacks(order).filter(({ parameters }) => parameters.get("status") === "approved").length
      const before = approvals()
      yield* world.close(order)
      const next = { ...WorldShop.order([]), amountMinor: order.amountMinor }
      yield* world.open(next, alone)
      yield* world.settle
      assert.deepStrictEqual([yield* amounts(next), approvals()], [[], before])
    })
  )

  it.effect("payouts of more than a sandbox has at its start", () =>
    Effect.gen(function* () {
      const world = yield* World
      const shop = yield* WorldShop.WorldShop
      for (const amountMinor of [900_000, 900_001]) {
        const order = { ...WorldShop.order([], "payout"), amountMinor }
        yield* world.open(order, alone)
        const { amount, client_orderid, server_callback_url } = WorldShop.saleOf(shop, order)
        const fields = { client_orderid, server_callback_url, amount, currency: "USD" }
        yield* shop.send("PAYOUT", { ...fields, account_number: "DE89370400440532013000" })
        yield* WorldShop.untilCallbacks(order, 1)
        assert.deepStrictEqual((yield* world.booked(order)).payoutsMinor, [amountMinor])
        yield* world.close(order)
      }
    })
  )

  it.effect("payments at a gateway that took over from another, whose orders it does not have", () =>
    Effect.gen(function* () {
      const world = yield* World
      const shop = yield* WorldShop.WorldShop
      const former = yield* opened([])
      yield* shop.send("SALE", WorldShop.saleOf(shop, former))
      yield* world.settle
      yield* world.close(former)
      yield* world.renewGateway
      const inquiry = yield* shop.send("STATUS", { client_orderid: former.name })
      assert.strictEqual(inquiry.fields["error-code"], "54")
      const order = yield* opened([lostAnswer])
      assert.strictEqual((yield* shop.send("SALE", WorldShop.saleOf(shop, order))).text, "reset")
      yield* WorldShop.untilCallbacks(order, 1)
      assert.deepStrictEqual(yield* amounts(order), [[order.amountMinor, 0]])
    })
  )
})

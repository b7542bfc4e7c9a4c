import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Layer } from "effect"
import type { Fault } from "../src/plan/Faults.ts"
import type { Action, FaultAt, Order } from "../src/plan/Payment.ts"
import { type Together, World } from "../src/world/World.ts"
import * as WorldLive from "../src/world/WorldLive.ts"
import * as WorldShop from "./WorldShop.ts"

const alone: Together = { reached: () => Effect.void }
const whole = (fault: Fault): FaultAt => ({ fault, moment: { of: "whole" } })

/** Says what happened in each action, and what `status` says at once and after everything is settled. */
const rows: ReadonlyArray<
  readonly [action: Action, fault: Fault | "none", before: string, after: string, books: string]
> = [
  ["buy", "none", "approved", "approved", "captured 1"],
  ["buy", "declined", "declined", "declined", ""],
  ["buy", "approvedLate", "unknown", "approved", "captured 1"],
  ["buy", "declinedLate", "unknown", "declined", ""],
  ["refund", "none", "approved", "approved", "captured 1 refunded 1"],
  ["refund", "declined", "approved", "approved", "captured 1"],
  ["refund", "approvedLate", "unknown", "approved", "captured 1 refunded 1"],
  ["refund", "declinedLate", "unknown", "approved", "captured 1"],
  ["payout", "none", "approved", "approved", "paid out 1"],
  ["payout", "declined", "declined", "declined", ""],
  ["payout", "approvedLate", "unknown", "approved", "paid out 1"],
  ["payout", "declinedLate", "unknown", "declined", ""]
]

/** Writes what is booked, in amounts of the order. */
const bookedOf = (order: Order) =>
  Effect.gen(function* () {
    const world = yield* World
    const { charges, payoutsMinor } = yield* world.booked(order)
    const part = (says: string, amounts: ReadonlyArray<number>) => {
      const sum = amounts.reduce((total, amountMinor) => total + amountMinor, 0)
      return sum === 0 ? [] : [`${says} ${sum / order.amountMinor}`]
    }
    return [
      ...part(
        "captured",
        charges.map(({ capturedMinor }) => capturedMinor)
      ),
      ...part(
        "held",
        charges.map(({ heldMinor }) => heldMinor)
      ),
      ...part(
        "refunded",
        charges.flatMap(({ refundsMinor }) => refundsMinor)
      ),
      ...part("paid out", payoutsMinor)
    ].join(" ")
  })

const act = Effect.fnUntraced(function* (order: Order) {
  const shop = yield* WorldShop.WorldShop
  const { amount, client_orderid, server_callback_url } = WorldShop.saleOf(shop, order)
  if (order.case.action === "payout") {
    const fields = { ...Sample.request(PayApi.operations.PAYOUT), amount, currency: "USD", client_orderid }
    return yield* shop.send("PAYOUT", { ...fields, server_callback_url })
  }
  const sale = yield* shop.send("SALE", WorldShop.saleOf(shop, order))
  if (order.case.action !== "refund") return sale
  yield* WorldShop.untilCallbacks(order, 1)
  return yield* shop.send("RETURN", {
    client_orderid,
    orderid: sale.fields["paynet-order-id"] ?? "",
    server_callback_url
  })
})

const status = Effect.fnUntraced(function* ({ name }: Order) {
  const shop = yield* WorldShop.WorldShop
  return (yield* shop.send("STATUS", { client_orderid: name })).fields.status
})

const world = Layer.provideMerge(WorldShop.layer("json"), WorldLive.layer({ callbackBehindMs: 1 }))

layer(world, { excludeTestServices: true })("the bank", (it) => {
  it.effect.each(rows)(
    "%s, %s: status is %s, then %s, and the books say [%s]",
    ([action, fault, before, after, books]) =>
      Effect.gen(function* () {
        const world = yield* World
        const order = WorldShop.order(fault === "none" ? [] : [whole(fault)], action)
        yield* world.open(order, alone)
        const answer = yield* act(order)
        assert.strictEqual(answer.text, "200 accepted", JSON.stringify(answer.fields))
        if (before !== "unknown") yield* WorldShop.untilCallbacks(order, action === "refund" ? 2 : 1)
        assert.strictEqual(yield* status(order), before)
        yield* world.settle
        assert.strictEqual(yield* status(order), after)
        assert.strictEqual(yield* bookedOf(order), books)
        assert.deepStrictEqual((yield* world.observation(order)).met, order.case.faults)
      })
  )
})

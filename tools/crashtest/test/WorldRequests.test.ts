import { assert, describe, layer } from "@effect/vitest"
import * as Dialect from "@pay/schema/Dialect"
import { Effect, Layer } from "effect"
import type { Fault } from "../src/plan/Faults.ts"
import type { FaultAt } from "../src/plan/Payment.ts"
import { type Together, World } from "../src/world/World.ts"
import * as WorldLive from "../src/world/WorldLive.ts"
import * as WorldShop from "./WorldShop.ts"

/** What a shop sees of a sale that meets the fault, and the charges that the bank has. */
const rows: ReadonlyArray<readonly [fault: Fault, result: string, charges: number]> = [
  ["lostRequest", "reset", 0],
  ["cutRequest", "reset", 0],
  ["lostAnswer", "reset", 1],
  ["cutAnswer", "cut", 1],
  ["lateAnswer", "no answer in time", 1],
  ["repeatedRequest", "200 accepted", 1],
  ["otherAnswer", "200 accepted", 1],
  ["errorAfter", "500 error", 1],
  ["tooMany", "429 validation-error", 0],
  ["htmlBefore", "502 text/html", 0],
  ["htmlAfter", "504 text/html", 1],
  ["gatewayRestarts", "reset", 1],
  ["killedBefore", "reset", 0],
  ["killedWaiting", "reset", 1],
  ["killedAfter", "200 accepted", 1]
]

const alone: Together = { reached: () => Effect.void }
const first = (fault: Fault): FaultAt => ({ fault, moment: { of: "request", index: 1 } })

describe.each(Dialect.all)("a request in %s that meets a fault", (dialect) => {
  const world = Layer.provideMerge(
    WorldShop.layer(dialect),
    WorldLive.layer({ dialect, lateMs: 400, callbackBehindMs: 1, settling: "4 hours" })
  )
  layer(world, { excludeTestServices: true })((it) => {
    it.effect.each(rows)("%s: the shop sees %s, the bank has %i", ([fault, result, charges]) =>
      Effect.gen(function* () {
        const world = yield* World
        const shop = yield* WorldShop.WorldShop
        const order = WorldShop.order([first(fault)])
        const restarting: Together = { reached: (_, at) => (at.fault === fault ? world.restartGateway : Effect.void) }
        yield* world.open(order, fault === "gatewayRestarts" ? restarting : alone)
        const sale = yield* shop.send(
          "SALE",
          WorldShop.saleOf(shop, order),
          fault === "lateAnswer" ? { timeoutMs: 150 } : {}
        )
        yield* world.settle
        const { callbacks, met, requests, timeline } = yield* world.observation(order)
        const booked = yield* world.booked(order)
        assert.strictEqual(sale.text, dialect === "json" ? result : result.replace("429", "200"))
        assert.deepStrictEqual(
          booked.charges.map(({ capturedMinor }) => capturedMinor),
          Array.from({ length: charges }, () => order.amountMinor)
        )
        assert.deepStrictEqual(requests, ["sale"])
        assert.deepStrictEqual(met, order.case.faults)
        assert.strictEqual(callbacks, charges)
        assert.lengthOf(shop.callbacks(order), charges)
        assert.isTrue(timeline.some(({ isFault }) => isFault))
        yield* world.close(order)
      })
    )
  })
})

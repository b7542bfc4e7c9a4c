/** What a restored copy forgot of an order that is asked for again. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { Write } from "../../src/kernel/Decision.ts"
import * as AdoptBooking from "../../src/orders/restored/AdoptBooking.ts"
import { booked } from "./Creating.ts"
import * as Rail from "./Rail.ts"
import * as World from "./World.ts"

const startedAtMs = World.nowMs - 1_000
const request = { action: "sale", amountsMinor: [1_000], currency: "USD" } as const

const use = <A, E>(
  rows: ReadonlyArray<Write>,
  ask: (bookings: Effect.Success<typeof AdoptBooking.make>) => Effect.Effect<A, E>
) => {
  const did = World.nothing()
  return Effect.gen(function* () {
    yield* World.given(rows, did)
    return yield* ask(yield* AdoptBooking.make)
  }).pipe(Effect.provide(World.layer({}, did)))
}

describe("a creation finds", () => {
  const nobodys = booked("sale", { merchantId: "" })
  const cases: ReadonlyArray<readonly [what: string, rows: ReadonlyArray<Write>, expected: string]> = [
    ["its booking", [Rail.copy, booked("sale")], "8"],
    ["nothing where there was no restore", [booked("sale")], "nothing"],
    ["nothing that was not booked", [Rail.copy], "nothing"],
    ["what may be another merchant's", [Rail.copy, nobodys], "differs"],
    [
      "nothing that may be another merchant's and is a follow-up",
      [Rail.copy, booked("capture", { merchantId: "" })],
      "nothing"
    ],
    [
      "its own booking, whatever may be another merchant's",
      [Rail.copy, booked("sale"), booked("sale", { reference: "9-sale-0", merchantId: "" })],
      "8"
    ],
    ["another amount", [Rail.copy, booked("sale", { amountMinor: 1 })], "differs"]
  ]
  it.effect.each(cases)("%s", ([, rows, expected]) =>
    Effect.gen(function* () {
      const result = yield* use(rows, ({ find }) => find("shop", "INV-8", request))
      assert.strictEqual(result === undefined ? "nothing" : result === "differs" ? result : result.orderId, expected)
      const exit = yield* Effect.exit(use(rows, ({ orRefuse }) => orRefuse("shop", "INV-8", request)))
      assert.strictEqual(Exit.isFailure(exit), expected === "differs")
    })
  )
})

describe("a follow-up finds", () => {
  const order = { orderId: "8", createdAtMs: startedAtMs }
  it.effect.each([
    ["the bookings of an older order", [Rail.copy, booked("sale")], order, 1],
    ["none of a younger order", [Rail.copy, booked("sale")], { ...order, createdAtMs: startedAtMs + 1 }, 0],
    ["none where there was no restore", [booked("sale")], order, 0]
  ] as const)("%s", ([, rows, of, count]) =>
    Effect.gen(function* () {
      assert.lengthOf(yield* use(rows, ({ ofOrder }) => ofOrder(of)), count)
    })
  )
})

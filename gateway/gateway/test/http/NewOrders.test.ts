import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import * as NewOrders from "../../src/http/NewOrders.ts"
import { Ids } from "../../src/kernel/Ids.ts"
import { OrderGate } from "../../src/kernel/OrderGate.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"

const rows: ReadonlyArray<{
  readonly hasNumber: boolean
  readonly restoringForMs: number | undefined
  readonly isShort?: boolean
  readonly closed: NewOrders.Closed | undefined
}> = [
  { hasNumber: true, restoringForMs: undefined, closed: undefined },
  { hasNumber: true, restoringForMs: undefined, isShort: true, closed: { reason: "space", retryAfterMs: 10_000 } },
  { hasNumber: true, restoringForMs: 60_000, closed: { reason: "restoring", retryAfterMs: 60_000 } },
  { hasNumber: false, restoringForMs: undefined, closed: { reason: "number", retryAfterMs: 1000 } },
  { hasNumber: false, restoringForMs: 60_000, closed: { reason: "number", retryAfterMs: 1000 } }
]

/** New orders of a gateway in this state, which a test may change. */
const layerOf = (state: {
  readonly hasNumber: boolean
  readonly restoringForMs: number | undefined
  isShort: boolean
}) =>
  NewOrders.NewOrders.layer.pipe(
    Layer.provide(
      Layer.mock(Ids, {
        isReady: () => state.hasNumber,
        next: unused,
        nextOrRandom: unused,
        salt: unused,
        token: unused
      })
    ),
    Layer.provide(
      Layer.effect(
        Store,
        Effect.map(Store, (store) => ({ ...store, isShort: () => state.isShort }))
      )
    ),
    Layer.provide(StoreMemory.layer),
    Layer.provide(
      Layer.succeed(OrderGate, { closedForMs: () => Effect.succeed(state.restoringForMs), mayBeOfAnother: () => false })
    )
  )

const unused = () => assert.fail("no identifier is made")

describe("new orders", () => {
  it.effect.each(rows)(
    "are refused without a process number, on a restored copy and on a full disk: $hasNumber, $restoringForMs, $isShort",
    ({ closed, hasNumber, isShort = false, restoringForMs }) =>
      Effect.gen(function* () {
        const newOrders = yield* NewOrders.NewOrders
        assert.deepStrictEqual(yield* newOrders.closed, closed)
        assert.match(NewOrders.describe(closed), closed === undefined ? /^ready\n$/ : /^not ready: (\w+): .+\n$/)
      }).pipe(Effect.provide(layerOf({ hasNumber, isShort, restoringForMs })))
  )

  it.effect("log once that they are refused, and why, and once that they are taken again", () => {
    const state = { hasNumber: true, restoringForMs: undefined, isShort: false }
    const lines: Array<unknown> = []
    return Effect.gen(function* () {
      const { closed } = yield* NewOrders.NewOrders
      for (const isShort of [false, true, true, false, false]) {
        state.isShort = isShort
        yield* closed
      }
      assert.strictEqual(lines.length, 2)
      assert.match(`${lines[0]}`, /^New orders are refused: space: the disk/)
      assert.strictEqual(`${lines[1]}`, "New orders are taken again")
    }).pipe(
      Effect.provide(
        Layer.merge(layerOf(state), Logger.layer([Logger.make(({ message }) => void lines.push(message))]))
      )
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as NewOrders from "../../src/http/NewOrders.ts"
import { Ids } from "../../src/kernel/Ids.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"
import { RestoreCheck } from "../../src/restore/RestoreCheck.ts"

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

const unused = () => assert.fail("no identifier is made")

describe("new orders", () => {
  it.effect.each(rows)(
    "are refused without a process number, on a restored copy and on a full disk: $hasNumber, $restoringForMs, $isShort",
    ({ closed, hasNumber, isShort = false, restoringForMs }) =>
      Effect.gen(function* () {
        const newOrders = yield* NewOrders.NewOrders
        assert.deepStrictEqual(yield* newOrders.closed, closed)
        assert.match(NewOrders.describe(closed), closed === undefined ? /^ready\n$/ : /^not ready: (\w+): .+\n$/)
      }).pipe(
        Effect.provide(
          NewOrders.NewOrders.layer.pipe(
            Layer.provide(
              Layer.mock(Ids, {
                isReady: () => hasNumber,
                next: unused,
                nextOrRandom: unused,
                salt: unused,
                token: unused
              })
            ),
            Layer.provide(
              Layer.effect(
                Store,
                Effect.map(Store, (store) => ({ ...store, isShort: () => isShort }))
              )
            ),
            Layer.provide(StoreMemory.layer),
            Layer.provide(Layer.mock(RestoreCheck, { waitMs: Effect.succeed(restoringForMs) }))
          )
        )
      )
  )
})

/** What operators read, they read beside the connections of payments. */
import { assert, describe, it } from "@effect/vitest"
import { Store, StoreUnavailable } from "@pay/gateway/Store"
import { Effect, Layer } from "effect"
import * as OperatorServices from "../harness/OperatorServices.ts"

/** What the sign-in itself reads: one row by its key. */
const ofSignIn: ReadonlySet<string> = new Set(["operators", "secondFactors"])

/** A store whose own reads are refused, so that only those beside them are left. */
const onlyAside = Layer.effect(
  Store,
  Effect.map(Store, (store) => {
    const refused = Effect.fail(
      new StoreUnavailable({ outcomeUnknown: false, cause: "this is a payment's connection" })
    )
    return Store.of({
      ...store,
      load: (entity, values, unique) => (ofSignIn.has(entity.name) ? store.load(entity, values, unique) : refused),
      find: (entity, index, range) => (ofSignIn.has(entity.name) ? store.find(entity, index, range) : refused),
      aside: { load: store.load, find: store.find }
    })
  })
)

describe("an operator's question", () => {
  it.effect.each([
    ["/operator/now", undefined, 200],
    ["/operator/unknown", undefined, 200],
    ["/operator/audit", undefined, 200],
    ["/operator/orders/1", undefined, 404],
    ["/operator/orders/search", {}, 200],
    ["/operator/orders/search", { email: "ada@shop.example" }, 200]
  ] as const)("%s %o does not read on the connections of payments", ([target, input, expected]) =>
    Effect.gen(function* () {
      const ask = yield* OperatorServices.process
      const { body, status } = yield* ask(undefined, target, input)
      assert.strictEqual(status, expected, body)
    }).pipe(Effect.provide(Layer.provideMerge(onlyAside, OperatorServices.layer)))
  )
})

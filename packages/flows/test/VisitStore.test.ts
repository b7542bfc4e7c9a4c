/** A store of visits that fails for some time: the flow neither ends nor loses its visit. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as VisitStore from "../src/browser/VisitStore.ts"
import * as WebCustomerBrowser from "../src/browser/WebCustomerBrowser.ts"
import * as Engine from "./Engine.ts"

const visit = {
  clientOrderId: "INV 1",
  orderId: "1",
  nextAction: { _tag: "Redirect", url: "https://gateway.example/pay/1" }
} as const

describe("a visit whose store fails", () => {
  it.effect("is stored when the store works again", () =>
    Effect.gen(function* () {
      const store = VisitStore.makeMemory()
      const fail = Effect.fail(new VisitStore.VisitStoreError({ cause: new Error("disk full") }))
      let failures = 0
      const put: VisitStore.VisitStore["put"] = (visit) =>
        Effect.suspend(() => (failures++ < 2 ? fail : store.put(visit)))
      const options = { url: "https://shop.example/pay", secret: Redacted.make("s"), ended: () => Effect.undefined }
      const { customerBrowser } = yield* WebCustomerBrowser.make({ ...options, store: { ...store, put } })
      const sending = yield* Effect.forkChild(customerBrowser.send(visit))
      yield* TestClock.adjust("1 second")
      assert.isUndefined(yield* store.find("INV 1"))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(sending)
      assert.deepStrictEqual(yield* store.find("INV 1"), visit)
    }).pipe(Effect.provide(Layer.merge(Engine.layer(), Logger.layer([]))))
  )
})

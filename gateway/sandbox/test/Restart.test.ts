import { assert, it } from "@effect/vitest"
import { Front, HostedPages } from "@pay/gateway/Gateway"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"
import * as StoreMemory from "@pay/gateway/StoreMemory"
import { Effect, Exit, Layer } from "effect"
import { around, Restart } from "../src/Restart.ts"

it.effect("a killed gateway writes nothing while it shuts down, and the restarted gateway writes again", () => {
  const ends: Array<string> = []
  const orderly = Layer.effectDiscard(
    Effect.gen(function* () {
      const { commit } = yield* Store
      const write = Effect.exit(commit({ guards: [], writes: [] }))
      ends.push(`began, and ${Exit.isSuccess(yield* write) ? "wrote" : "could not write"}`)
      yield* Effect.addFinalizer(() =>
        Effect.map(write, (exit) => {
          ends.push(`ended, and ${Exit.isSuccess(exit) ? "wrote" : "could not write"}`)
        })
      )
    })
  )
  const gateway = Layer.mergeAll(
    orderly,
    Layer.mock(Front, {
      closed: Effect.undefined,
      storeFailures: () => 0,
      refusal: () => assert.fail("nothing is asked")
    }),
    Layer.mock(Scheduler, { claim: () => undefined, load: () => 0, stop: Effect.void }),
    Layer.succeed(HostedPages, () => Effect.succeed(undefined))
  )
  return Effect.gen(function* () {
    yield* (yield* Restart).now
    assert.deepStrictEqual(ends, ["began, and wrote", "ended, and could not write", "began, and wrote"])
  }).pipe(Effect.provide(Layer.provide(around(gateway), StoreMemory.layer)))
})

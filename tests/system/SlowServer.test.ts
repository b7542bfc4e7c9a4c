/** A merchant's server that does not answer, and does not delay the callbacks of other merchants. */
import { assert, it } from "@effect/vitest"
import { CallbackFailure, CallbackSender, TimedOut } from "@pay/gateway/CallbackSender"
import { Effect, Latch, Layer } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"

const dead = "http://dead.example/callback"
const alive = "http://alive.example/callback"
const timedOut = Effect.fail(new CallbackFailure({ reason: new TimedOut({ message: "no answer in time" }) }))

it.live(
  "a slow callback server gets a limited number of calls at once, and the others wait without a counted try",
  () => {
    const called: Array<string> = []
    const answer = Latch.makeUnsafe(true)
    const callbacks = Layer.succeed(
      CallbackSender,
      CallbackSender.of({
        send: ({ url }) =>
          Effect.gen(function* () {
            const host = new URL(url).hostname
            called.push(host)
            if (host === "alive.example") return { status: 200 }
            wall.nowMs += 10_000
            yield* answer.await
            return yield* timedOut
          })
      })
    )
    const wall = { nowMs: World.startMs }
    const calls = (host: string): number => called.filter((each) => each === host).length
    return Effect.gen(function* () {
      yield* ClientMerchant.create("SALE", { server_callback_url: dead })
      yield* World.settled
      assert.strictEqual(calls("dead.example"), 1)

      yield* answer.close
      for (let n = 0; n < 12; n += 1) yield* ClientMerchant.create("SALE", { server_callback_url: dead })
      yield* ClientMerchant.create("SALE", { server_callback_url: alive })
      while (calls("alive.example") === 0) yield* Effect.yieldNow
      assert.strictEqual(calls("dead.example"), 1 + 1)

      yield* answer.open
      yield* World.settled
      yield* World.pass("2 minutes")
      assert.isAtLeast(calls("dead.example"), 1 + 12, "each had its first try in the end")
    }).pipe(Effect.provide(World.layer({ wall, callbacks, settings: { callbackConcurrency: 8 } }), { local: true }))
  }
)

it.live("250 servers of a merchant that do not answer delay no callback to another server of the merchant", () => {
  const called = new Set<string>()
  const answer = Latch.makeUnsafe(false)
  const callbacks = Layer.succeed(
    CallbackSender,
    CallbackSender.of({
      send: ({ url }) =>
        Effect.gen(function* () {
          const host = new URL(url).hostname
          called.add(host)
          if (host === "alive.example") return { status: 200 }
          yield* answer.await
          return yield* timedOut
        })
    })
  )
  return Effect.gen(function* () {
    for (let n = 0; n < 250; n += 1)
      yield* ClientMerchant.create("SALE", { server_callback_url: `http://dead${n}.example/callback` })
    yield* ClientMerchant.create("SALE", { server_callback_url: alive })
    for (let turns = 0; turns < 10_000 && !called.has("alive.example"); turns += 1) yield* Effect.yieldNow
    assert.include([...called], "alive.example", "none of the others has ended")
    yield* answer.open
    yield* World.settled
  }).pipe(Effect.provide(World.layer({ callbacks }), { local: true }))
})

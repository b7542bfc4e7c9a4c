/** A request that waits for its lock, and is decided again if other requests change its order first. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ok } from "../src/kernel/Answer.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { KeyedLock } from "../src/kernel/KeyedLock.ts"
import { GuardFailed } from "../src/kernel/Store.ts"
import { Nonce, settled } from "../src/merchants/Call.ts"
import { Order } from "../src/orders/record/Order.ts"

const answer = ok({})
const moved = Decision.versionIs(Order, ["1"], 1)

/** An attempt that loses this guard so many times, and how often it was made. */
const losing = (times: number, guard: Decision.Guard = moved) => {
  const made = { attempts: 0, atOnce: 0, mostAtOnce: 0 }
  const attempt = Effect.gen(function* () {
    made.attempts += 1
    made.atOnce += 1
    made.mostAtOnce = Math.max(made.mostAtOnce, made.atOnce)
    yield* Effect.yieldNow
    made.atOnce -= 1
    if (made.attempts <= times) return yield* new GuardFailed({ guard })
    return answer
  })
  return { made, attempt }
}

const inLine = Effect.provide(
  Effect.map(KeyedLock, (locks) => locks("one")),
  KeyedLock.layer
)

describe("a request that conflicts with other requests", () => {
  it.effect("is answered 503 only after it lost against other processes fifty times", () =>
    Effect.gen(function* () {
      const line = yield* inLine
      const often = losing(49)
      assert.strictEqual(yield* settled(line, often.attempt), answer)
      const always = losing(1000)
      assert.deepInclude(yield* Effect.flip(settled(line, always.attempt)), { status: 503 })
      assert.strictEqual(always.made.attempts, 50)
    })
  )

  it.effect("is refused at once if its nonce was used", () =>
    Effect.gen(function* () {
      const { attempt, made } = losing(1, Decision.absent(Nonce, "key", ["shop", "1"]))
      assert.deepInclude(yield* Effect.flip(settled(yield* inLine, attempt)), { status: 401 })
      assert.strictEqual(made.attempts, 1)
    })
  )

  it.effect("waits for the earlier requests of its process", () =>
    Effect.gen(function* () {
      const { attempt, made } = losing(0)
      const line = yield* inLine
      yield* Effect.all([settled(line, attempt), settled(line, attempt)], { concurrency: "unbounded" })
      assert.deepInclude(made, { attempts: 2, mostAtOnce: 1 })
    })
  )
})

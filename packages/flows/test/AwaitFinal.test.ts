import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { AwaitFinal } from "../src/AwaitFinal.ts"
import * as Flow from "../src/Flow.ts"
import * as Steps from "../src/Steps.ts"
import * as Script from "./Script.ts"

const { refuses, stands } = Script

describe("waiting for the outcome", () => {
  const wait = Flow.run(AwaitFinal, { client_orderid: "o-1", orderid: "7" })

  it.effect("asks as often as is advised, for an hour", () =>
    Effect.gen(function* () {
      const { asked, end, seconds } = yield* Script.play({ status: [stands("processing")] }, wait)
      assert.strictEqual(end, "StillUnknown")
      assert.strictEqual(seconds, 3600)
      assert.lengthOf(asked, 84)
    })
  )

  it.effect("news makes it ask at once, a hundred times at most, and shortens no waiting", () =>
    Effect.gen(function* () {
      let wakes = 0
      const memory = Steps.makeMemory()
      const noisy: Steps.Shape = {
        ...memory,
        awaitSignal: (name, awaited) => {
          wakes += 1
          return wakes <= 300 ? Effect.succeedSome("callback") : memory.awaitSignal(name, awaited)
        }
      }
      const waiting = Effect.provideService(wait, Steps.Steps, noisy)
      const { asked, end, seconds } = yield* Script.play({ status: [stands("processing")] }, waiting)
      assert.strictEqual(end, "StillUnknown")
      assert.strictEqual(seconds, 3600)
      assert.lengthOf(asked, 184)
    })
  )

  it.effect("goes on through questions that get lost", () =>
    Effect.gen(function* () {
      const says = ["lost", "notSent", stands("unknown"), refuses(83, 429), stands("approved")] as const
      const { end } = yield* Script.play({ status: says }, wait)
      assert.strictEqual(end, "approved")
    })
  )

  it.effect("stops where every question is refused", () =>
    Effect.gen(function* () {
      const { asked, end } = yield* Script.play({ status: [refuses(40)] }, wait)
      assert.strictEqual(end, "StillUnknown")
      assert.lengthOf(asked, 5)
    })
  )

  it.effect("a status that nobody knows is not the end", () =>
    Effect.gen(function* () {
      const { end } = yield* Script.play({ status: [stands("pondering"), stands("approved")] }, wait)
      assert.strictEqual(end, "approved")
    })
  )
})

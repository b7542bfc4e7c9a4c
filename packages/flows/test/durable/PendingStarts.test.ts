import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as PendingStarts from "../../src/durable/PendingStarts.ts"

const one = { cvv2: "one" }
const two = { cvv2: "two" }

describe("the first run of a flow takes the fields of the call that began it", () => {
  it.effect.each([
    { name: "the first one", begun: [true, false], fields: one },
    { name: "the second one", begun: [false, true], fields: two },
    { name: "none: an earlier process", begun: [false, false], fields: undefined }
  ])("$name", ({ begun, fields }) =>
    Effect.gen(function* () {
      const starts = PendingStarts.make()
      const calls = [starts.hold("1", one), starts.hold("1", two)]
      const taking = yield* Effect.forkChild(starts.take("1"), { startImmediately: true })
      assert.isUndefined(taking.pollUnsafe(), "it waits for the calls")
      for (const [index, call] of calls.entries()) call.settle(begun[index] === true)
      assert.strictEqual(yield* Fiber.join(taking), fields)
      assert.isUndefined(yield* starts.take("1"))
    })
  )
})

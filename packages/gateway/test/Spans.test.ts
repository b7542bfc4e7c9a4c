import { assert, describe, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import * as Spans from "../src/kernel/Spans.ts"

const commit = Effect.succeed("committed")

describe("spans of the path of money", () => {
  it.effect("cost nothing where nobody has provided a tracer", () =>
    Effect.map(Spans.make, (spanned) => assert.strictEqual(spanned(commit, "store.commit"), commit))
  )
  it.effect("are told to the tracer that a program provides, with their attributes", () => {
    const names: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        names.push(options.name)
        return new Tracer.NativeSpan(options)
      }
    })
    const play = Effect.flatMap(Spans.make, (spanned) =>
      spanned(commit, "store.commit", () => ({ "pay.order_id": "7" }))
    )
    return Effect.map(Effect.provideService(play, Tracer.Tracer, tracer), (answer) => {
      assert.strictEqual(answer, "committed")
      assert.deepStrictEqual(names, ["store.commit"])
    })
  })
})

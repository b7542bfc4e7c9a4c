import { assert, describe, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import * as Spans from "../src/kernel/Spans.ts"

const commit = Effect.succeed("committed")

describe("the spans of a payment", () => {
  it.effect("cost nothing without a tracer", () =>
    Effect.map(Spans.make, (spanned) => assert.strictEqual(spanned(commit, "store.commit"), commit))
  )
  it.effect.each([
    [true, ["store.commit"]],
    [false, []]
  ] as const)("reach the tracer of the program if their trace is exported: %s", ([sampled, expected]) => {
    const names: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        names.push(options.name)
        return new Tracer.NativeSpan(options)
      }
    })
    const traced = Effect.flatMap(Spans.make, (spanned) =>
      spanned(commit, "store.commit", () => ({ "pay.order_id": "7" }))
    )
    const parent = Tracer.externalSpan({ traceId: "1".repeat(32), spanId: "1".repeat(16), sampled })
    const within = Effect.provideService(traced, Tracer.ParentSpan, parent)
    return Effect.map(Effect.provideService(within, Tracer.Tracer, tracer), (answer) => {
      assert.strictEqual(answer, "committed")
      assert.deepStrictEqual(names, [...expected])
    })
  })
})

/** Which traces are exported, by the standard names of samplers. */
import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import * as Sampler from "../src/Sampler.ts"

const traceIds = Array.from({ length: 1000 }, (_, n) => createHash("md5").update(`sale ${n}`).digest("hex"))

const countOf = (name: string | undefined, share: string | undefined, parent: boolean | undefined) => {
  const sampler = Sampler.make(name, share)
  return sampler === undefined ? "refused" : traceIds.filter((traceId) => sampler(traceId, parent)).length
}

describe("of 1,000 sales, a sampler exports", () => {
  it.each([
    [undefined, undefined, undefined, 1000],
    ["always_on", undefined, false, 1000],
    ["always_off", undefined, true, 0],
    ["traceidratio", "0.01", undefined, 10],
    ["traceidratio", "0.01", true, 10],
    ["traceidratio", "0", undefined, 0],
    ["traceidratio", "1", undefined, 1000],
    ["parentbased_always_on", undefined, false, 0],
    ["parentbased_always_off", undefined, undefined, 0],
    ["parentbased_always_off", undefined, true, 1000],
    ["parentbased_traceidratio", "0.01", undefined, 10],
    ["parentbased_traceidratio", "0.01", true, 1000],
    ["parentbased_traceidratio", "0.01", false, 0],
    ["traceidratio", "1.5", undefined, "refused"],
    ["traceidratio", "one percent", undefined, "refused"],
    ["jaeger_remote", undefined, undefined, "refused"]
  ] as const)("%s %s with a parent that is %s: %s", (name, share, parent, count) => {
    const counted = countOf(name, share, parent)
    if (count === 10) expect(counted).toBeOneOf([5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    else expect(counted).toBe(count)
  })
})

it.effect("the spans of one trace are exported all, or none", () => {
  const half = Sampler.make("traceidratio", "0.5")
  if (half === undefined) throw new Error("there is no sampler")
  const native = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
  const sale = Effect.gen(function* () {
    const request = yield* Effect.currentSpan
    const job = yield* Effect.withSpan(Effect.orDie(Effect.currentSpan), "job", { kind: "consumer", parent: request })
    expect(job.sampled).toBe(request.sampled)
    return request.sampled
  }).pipe(Effect.orDie, Effect.withSpan("request", { kind: "server", root: true }))
  return Effect.replicateEffect(sale, 200).pipe(
    Effect.provideService(Tracer.Tracer, Sampler.around(native, half)),
    Effect.map((sampled) => expect(new Set(sampled)).toEqual(new Set([true, false])))
  )
})

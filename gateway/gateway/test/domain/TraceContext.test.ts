import { assert, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import * as TraceContext from "../../src/kernel/TraceContext.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const spanId = "00f067aa0ba902b7"

it.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  [`00-${traceId}-${spanId}-03`, true],
  [`cc-${traceId}-${spanId}-01-what-comes-later`, true],
  [`00-${traceId}-${spanId}-01-more`, undefined],
  [`ff-${traceId}-${spanId}-01`, undefined],
  [`00-${"0".repeat(32)}-${spanId}-01`, undefined],
  [`00-${traceId}-${"0".repeat(16)}-01`, undefined],
  [`00-${traceId.toUpperCase()}-${spanId}-01`, undefined],
  [`00-${traceId}-${spanId}-01,00-${traceId}-${spanId}-01`, undefined],
  [`00-${traceId}-${spanId}`, undefined],
  ["", undefined]
] as const)("the header traceparent %s says %s", (header, sampled) => {
  const parent = TraceContext.parse(header)
  assert.strictEqual(parent?.sampled, sampled)
  if (sampled !== undefined) assert.deepStrictEqual([parent?.traceId, parent?.spanId], [traceId, spanId])
})

it.effect.each([
  [true, { traceparent: `00-${traceId}-${spanId}-01` }],
  [false, {}]
] as const)("a request inside of a span whose trace is exported (%s) has the header", ([sampled, headers]) =>
  TraceContext.headers.pipe(
    Effect.provideService(Tracer.ParentSpan, Tracer.externalSpan({ traceId, spanId, sampled })),
    Effect.map((sent) => assert.deepStrictEqual(sent, headers))
  )
)

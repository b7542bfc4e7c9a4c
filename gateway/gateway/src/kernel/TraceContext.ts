/** The header `traceparent` (W3C Trace Context, level 1), by which programs of several owners take part in one trace. */
import * as KeptText from "@pay/schema/KeptText"
import { Effect, Tracer } from "effect"

/** Version, trace, parent, flags. Later versions may add parts; `ff` is no version. */
const form = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/
const zeros = /^0+$/

/** Returns the span of the sender. Undefined: there is none, or the header is not right, and then a new trace begins. */
export const parse = (header: string): Tracer.AnySpan | undefined => {
  const [, version, traceId = "", spanId = "", flags = "", rest] = form.exec(header) ?? []
  if (version === undefined || zeros.test(traceId) || zeros.test(spanId)) return undefined
  if (version === "00" && rest !== undefined) return undefined
  const [trace, span] = [KeptText.of(traceId), KeptText.of(spanId)]
  return Tracer.externalSpan({ traceId: trace, spanId: span, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}

/** Returns the header for a request that is sent inside of the current span; none if the trace is not exported. */
export const headers: Effect.Effect<Readonly<Record<string, string>>> = Effect.withFiber((fiber) => {
  const { span } = fiber.cache
  return Effect.succeed(span?.sampled === true ? { traceparent: `00-${span.traceId}-${span.spanId}-01` } : {})
})

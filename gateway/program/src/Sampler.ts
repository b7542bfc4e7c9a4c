/** The samplers of OpenTelemetry, by the names of `OTEL_TRACES_SAMPLER`. */
import { Option, Tracer } from "effect"

/** Whether a trace is exported. `parent`: what the sender of a request has decided; undefined for a trace that begins here. */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean

const always: Sampler = () => true
const never: Sampler = () => false

/** The part of the trace's number that is random in every version of the standard: its last 56 bits. */
const randomDigits = 14
const numbers = 16 ** randomDigits

/** Exports this share of all traces. Every program decides in the same way about one trace. */
const ratio =
  (share: number): Sampler =>
  (traceId) =>
    Number.parseInt(traceId.slice(-randomDigits), 16) < share * numbers

const parentBased =
  (root: Sampler): Sampler =>
  (traceId, parent) =>
    parent ?? root(traceId, undefined)

/** Returns the sampler of this name. Undefined: there is none, or the share is no number from 0 to 1. */
export const make = (name = "parentbased_always_on", share = "1"): Sampler | undefined => {
  const number = /^\d{1,9}(\.\d{1,18})?$/.test(share) ? Number(share) : Number.NaN
  const ofShare = number <= 1 ? ratio(number) : undefined
  switch (name) {
    case "always_on":
      return always
    case "always_off":
      return never
    case "traceidratio":
      return ofShare
    case "parentbased_always_on":
      return parentBased(always)
    case "parentbased_always_off":
      return parentBased(never)
    case "parentbased_traceidratio":
      return ofShare === undefined ? undefined : parentBased(ofShare)
    default:
      return undefined
  }
}

/** Makes a tracer that decides where a trace begins, or enters the gateway with a request. Spans below follow their parent. */
export const around = (tracer: Tracer.Tracer, sampler: Sampler): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const parent = Option.getOrUndefined(options.parent)
      if (parent !== undefined && options.kind !== "server") return tracer.span(options)
      const span = tracer.span({ ...options, sampled: true })
      return sampler(span.traceId, parent?.sampled) ? span : tracer.span({ ...options, sampled: false })
    }
  })

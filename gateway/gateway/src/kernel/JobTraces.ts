/** The traces of jobs: a job belongs to the trace of the request or job whose commit made it. They are in memory only. */
import { Effect, Tracer } from "effect"
import type { Job } from "./Job.ts"

/** Most jobs whose trace is remembered. The oldest are forgotten first: their later tries begin traces of their own. */
const most = 10_000

/** The parent of every job whose trace is not exported. */
const unsampled = Tracer.externalSpan({
  traceId: "0".repeat(31).concat("1"),
  spanId: "0".repeat(15).concat("1"),
  sampled: false
})

export interface JobTraces {
  /** Remembers that the current span has made the jobs. */
  readonly add: (jobs: ReadonlyArray<Job>) => Effect.Effect<void>
  readonly parentOf: (job: Job) => Tracer.AnySpan | undefined
}

export const make = (): JobTraces => {
  const parents = new Map<string, Tracer.AnySpan>()
  return {
    add: (jobs) =>
      Effect.withFiber((fiber) => {
        const { span } = fiber.cache
        if (span === undefined) return Effect.void
        const { sampled, spanId, traceId } = span
        const parent = sampled ? Tracer.externalSpan({ traceId, spanId, sampled }) : unsampled
        for (const { jobId } of jobs) {
          parents.delete(jobId)
          parents.set(jobId, parent)
          const [oldest] = parents.keys()
          if (parents.size > most && oldest !== undefined) parents.delete(oldest)
        }
        return Effect.void
      }),
    parentOf: ({ jobId }) => parents.get(jobId)
  }
}

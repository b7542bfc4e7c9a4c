/**
 * The last hour of the process's requests: to bank, rail, 3-D Secure server and callback hosts, and of merchants. The counters of the metrics
 * are copied each minute, so nothing is done for a request.
 */
import { Clock, Effect, Metric } from "effect"
import * as MetricSeries from "../../kernel/MetricSeries.ts"

/** One counter, summed over what is not told apart here. */
export interface Count {
  readonly of: "call" | "latency" | "request"
  /** The counterparty, or the merchant. */
  readonly name: string
  /** The host of callbacks; empty for all others. */
  readonly host: string
  /** The outcome, the upper bound of a bucket in seconds, or the HTTP status. */
  readonly detail: string
  readonly value: number
}

export interface Sample {
  readonly atMs: number
  readonly counts: ReadonlyArray<Count>
}

const keyOf = ({ detail, host, name, of }: Count): string => `${of} ${name} ${host} ${detail}`

const unbounded = "Infinity"

const countsOf = (metric: Metric.Metric.Snapshot): ReadonlyArray<Count> => {
  const { counterparty = "", host = "", merchant = "", outcome = "", status = "" } = metric.attributes ?? {}
  if (metric.id === "pay_counterparty_requests_total" && metric.type === "Counter")
    return [{ of: "call", name: counterparty, host, detail: outcome, value: Number(metric.state.count) }]
  if (metric.id === "pay_requests_total" && metric.type === "Counter")
    return [{ of: "request", name: merchant, host: "", detail: status, value: Number(metric.state.count) }]
  if (metric.id !== "pay_counterparty_seconds" || metric.type !== "Histogram") return []
  const { buckets, count } = metric.state
  return [...buckets, [Number.POSITIVE_INFINITY, count] as const].map(([bound, value]) => ({
    of: "latency",
    name: counterparty,
    host,
    detail: String(bound),
    value
  }))
}

const sum = (counts: ReadonlyArray<Count>): ReadonlyArray<Count> =>
  [...Map.groupBy(counts, keyOf).values()].flatMap((same) =>
    same.slice(0, 1).map((first) => ({ ...first, value: same.reduce((total, { value }) => total + value, 0) }))
  )

/** Returns the counts of the time between two samples. */
export const between = (earlier: Sample | undefined, later: Sample): ReadonlyArray<Count> => {
  const before = new Map((earlier?.counts ?? []).map((count) => [keyOf(count), count.value]))
  return later.counts.flatMap((count) => {
    const value = count.value - (before.get(keyOf(count)) ?? 0)
    return value > 0 ? [{ ...count, value }] : []
  })
}

/** Returns the bound of the bucket below which this share of the requests ended. `undefined`: there is none. */
export const percentile = (counts: ReadonlyArray<Count>, share: number): number | undefined => {
  const buckets = counts
    .map(({ detail, value }) => ({ bound: Number(detail), value }))
    .sort((a, b) => a.bound - b.bound)
  const all = buckets.find(({ bound }) => String(bound) === unbounded)?.value ?? 0
  const bound = buckets.find(({ value }) => all > 0 && value >= share * all)?.bound
  return bound === undefined || !Number.isFinite(bound) ? undefined : bound
}

/** An hour, and the sample before it. */
const mostSamples = 61

export interface History {
  /** The samples of the last hour, the oldest first. */
  readonly samples: ReadonlyArray<Sample>
  /** A sample of this moment. */
  readonly now: Sample
}

/** Samples until the scope closes. Returns what reads the history. */
export const make = Effect.gen(function* () {
  const take = Effect.map(
    Effect.all({ atMs: Clock.currentTimeMillis, metrics: Metric.snapshot }),
    ({ atMs, metrics }): Sample => ({ atMs, counts: sum(metrics.flatMap(countsOf)) })
  )
  const first = yield* take
  const samples: Array<Sample> = [first]
  let last = { counts: first.counts, used: MetricSeries.used() }
  /** Copies nothing of a minute without requests: a quiet process stays quiet. */
  const keep = Effect.gen(function* () {
    const used = MetricSeries.used()
    if (used !== last.used) last = { counts: (yield* take).counts, used }
    samples.push({ atMs: yield* Clock.currentTimeMillis, counts: last.counts })
    if (samples.length > mostSamples) samples.shift()
  })
  yield* keep.pipe(Effect.delay("1 minute"), Effect.forever, Effect.forkScoped)
  return Effect.map(take, (now): History => ({ samples: [...samples], now }))
})

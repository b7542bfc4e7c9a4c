/**
 * The metrics of requests to a counterparty: bank, rail, 3-D Secure server, a merchant's server for callbacks. They show who does not
 * answer while an order only waits.
 */
import { Clock, Effect, type Exit, Metric } from "effect"
import * as MetricSeries from "./MetricSeries.ts"

const requests = Metric.counter("pay_counterparty_requests_total", {
  description: "Requests to bank, rail, 3-D Secure server and callback hosts that ended, by outcome",
  incremental: true
})
const seconds = Metric.histogram("pay_counterparty_seconds", {
  description: "Time until the answer, or until none is expected any more",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
})
const inFlight = Metric.gauge("pay_counterparty_in_flight", { description: "Requests that wait for an answer" })
const oldest = Metric.gauge("pay_counterparty_oldest_seconds", {
  description: "How long the oldest of them has waited"
})

const requestsOf = MetricSeries.make(requests, "counterparty", "host", "method", "outcome")
const secondsOf = MetricSeries.make(seconds, "counterparty", "host", "method")
const inFlightOf = MetricSeries.make(inFlight, "counterparty", "host")
const oldestOf = MetricSeries.make(oldest, "counterparty", "host")

/** A counterparty: `acquirer`, `payoutRail`, … or `callbacks` with the host. */
export interface Callee {
  readonly name: string
  /** The host, for callbacks; empty for all others. */
  readonly host: string
}

interface Calls {
  readonly counterparty: Callee
  /** The start of each request that waits, in milliseconds of the gateway's clock. Sets keep the order of insertion. */
  readonly started: Set<{ readonly atMs: number }>
}

type Registry = (typeof Metric.MetricRegistry)["Service"]

/** The requests that wait, for each registry of metrics: gateways in one process may have registries of their own. */
const waiting = new WeakMap<Registry, Map<string, Calls>>()

/** Largest number of hosts that are counted apart. Merchants choose the hosts, so further ones are counted together. */
const mostHosts = 500
const further = "other"

const callsOf = (registry: Registry, { host, name }: Callee): Calls => {
  const all = waiting.get(registry) ?? new Map<string, Calls>()
  waiting.set(registry, all)
  const own = all.get(`${name} ${host}`)
  if (own !== undefined) return own
  if (host !== "" && host !== further && all.size >= mostHosts) return callsOf(registry, { name, host: further })
  const calls: Calls = { counterparty: { name, host }, started: new Set() }
  all.set(`${name} ${host}`, calls)
  return calls
}

/** Counts and times a request. `outcomeOf` names how it ended, in a few fixed words. */
export const measured = <A, E, R>(
  counterparty: Callee,
  method: string,
  request: Effect.Effect<A, E, R>,
  outcomeOf: (exit: Exit.Exit<A, E>) => string
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const calls = callsOf(yield* Metric.MetricRegistry, counterparty)
    const own = { atMs: clock.currentTimeMillisUnsafe() }
    const { host, name } = calls.counterparty
    calls.started.add(own)
    return yield* Effect.onExit(request, (exit) => {
      calls.started.delete(own)
      const tookMs = clock.currentTimeMillisUnsafe() - own.atMs
      return Effect.andThen(
        Metric.update(requestsOf(name, host, method, outcomeOf(exit)), 1),
        Metric.update(secondsOf(name, host, method), Math.max(0, tookMs) / 1000)
      )
    })
  })

/** The requests to a counterparty that wait for an answer. */
export interface Waiting {
  readonly counterparty: Callee
  readonly count: number
  /** How long the oldest has waited. */
  readonly oldestMs: number
}

/** Returns the requests that wait, for each counterparty that was ever asked. */
export const waitingNow = Effect.gen(function* () {
  const nowMs = yield* Clock.currentTimeMillis
  const all = waiting.get(yield* Metric.MetricRegistry) ?? new Map<string, Calls>()
  return [...all.values()].map(({ counterparty, started }): Waiting => {
    const [first] = started
    return { counterparty, count: started.size, oldestMs: first === undefined ? 0 : Math.max(0, nowMs - first.atMs) }
  })
})

/** Brings the gauges of the waiting requests up to date. */
export const refresh = Effect.gen(function* () {
  for (const { count, counterparty, oldestMs } of yield* waitingNow) {
    const { host, name } = counterparty
    yield* Metric.update(inFlightOf(name, host), count)
    yield* Metric.update(oldestOf(name, host), oldestMs / 1000)
  }
})

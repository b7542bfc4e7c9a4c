/** Measures how long the event loop of this process was blocked. Work for one request that delays all others is visible here. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Effect, Metric } from "effect"

/** Interval of the measurements, in milliseconds. Node's result includes this pause. */
const resolutionMs = 10

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const longest = gauge("pay_event_loop_stall_max_seconds", "Longest wait of the event loop since the last look")
const usual = gauge("pay_event_loop_stall_p99_seconds", "Its 99th percentile")

const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000)

/** Measures until the scope ends. Each run of the effect updates the gauges and starts a new measurement. */
export const make = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const delay = monitorEventLoopDelay({ resolution: resolutionMs })
      delay.enable()
      return delay
    }),
    (delay) => Effect.sync(() => delay.disable())
  ),
  (delay) =>
    Effect.suspend(() => {
      const { max } = delay
      const p99 = delay.percentile(99)
      delay.reset()
      return Effect.andThen(Metric.update(longest, seconds(max)), Metric.update(usual, seconds(p99)))
    })
)

/**
 * The number of this process among all that share one store, from 0 to 1023, for a limited time. A lease gives its holder a span
 * of milliseconds: identifiers carry the number and a millisecond of the span. Spans of one number never overlap, so two
 * processes never make the same identifier, even if a clock is wrong or a process was stopped for long.
 */
import { Cause, Clock, Context, Effect, Latch, Layer, Metric, Option, Random } from "effect"
import * as RateLimit from "../network/RateLimit.ts"
import { AuthClock } from "./AuthClock.ts"
import * as Change from "./Change.ts"
import * as CompareProcesses from "./CompareProcesses.ts"
import { Process, type Span } from "./Process.ts"
import * as ProcessNumber from "./ProcessNumber.ts"
import { Store, type StoreUnavailable } from "./Store.ts"
import * as TakeNumber from "./TakeNumber.ts"
import * as Transact from "./Transact.ts"

const renewEvery = "5 seconds"

/** The name by which people recognize this process. */
export const ProcessName = Context.Reference<string>("@pay/gateway/ProcessName", { defaultValue: () => "" })
/** The clock by which leases are renewed. It is the machine's, because business time can be moved. */
export const RenewalClock = Context.Reference<Clock.Clock>("@pay/gateway/ProcessLease/RenewalClock", {
  defaultValue: () => Clock.Clock.defaultValue()
})

const liveProcesses = Metric.gauge("pay_processes_live", { description: "Gateway processes that share the store" })

export class ProcessLease extends Context.Service<
  ProcessLease,
  {
    /** The span of this process. `undefined`: the process has no number now. */
    readonly span: () => Span | undefined
    /** Requests a renewal now rather than at its time. */
    readonly wake: () => void
    /** Extends the lease, or takes another number where the lease was lost. */
    readonly renew: Effect.Effect<void, StoreUnavailable>
    /** Number of live processes that share the store, this one included. */
    readonly live: () => number
    /** The rows of all numbers that were ever taken. `undefined`: no other process can have the store. */
    readonly processes: Effect.Effect<ReadonlyArray<Process>, StoreUnavailable> | undefined
  }
>()("@pay/gateway/ProcessLease") {}

/** Makes a rate limit that all processes on the store share, in equal parts. Without a lease, one process is assumed. */
export const sharedLimit = (rate: RateLimit.Rate): Effect.Effect<RateLimit.RateLimit> =>
  Effect.map(Effect.serviceOption(ProcessLease), (lease) => {
    const processes = () => Option.match(lease, { onNone: () => 1, onSome: ({ live }) => live() })
    return RateLimit.make(rate, { processes })
  })

/** Makes the lease for a store that no other process can open: one number, for as long as the process runs. */
const alone = ({ number, take, wake }: ProcessNumber.ProcessNumber) => {
  let span: Span | undefined
  const spanOf = () => {
    const current = Option.getOrUndefined(number())
    return current === undefined ? undefined : { number: current, fromMs: 0, untilMs: Number.POSITIVE_INFINITY }
  }
  return ProcessLease.of({
    span: () => {
      span ??= spanOf()
      return span
    },
    wake,
    renew: take,
    live: () => 1,
    processes: undefined
  })
}

/** Uses a random number, for a program whose store is not durable. */
export const layerAlone = Layer.effect(ProcessLease, Effect.map(ProcessNumber.random, alone))

const isLive = ({ leaseUntilMs, token }: Process, nowMs: number): boolean => token !== null && leaseUntilMs > nowMs

const leased = Effect.fnUntraced(function* (facts: CompareProcesses.ProcessFacts) {
  const store = yield* Store
  const authClock = yield* AuthClock
  const name = yield* ProcessName
  const renewalClock = yield* RenewalClock
  const token = (yield* Random.nextInt).toString(36) + (yield* Random.nextInt).toString(36)
  const startedAtMs = Math.floor(authClock.nowMs())
  const due = yield* Latch.make(false)
  let span: Span | undefined
  let live = 1

  const all = store.find(Process, "key", { limit: ProcessNumber.count })
  const now = () => Math.floor(authClock.nowMs())
  const { compare, logged, problemOf, published } = CompareProcesses.make(facts, token)
  const row = (leaseUntilMs: number) => ({ token, name, startedAtMs, merchants: published(), leaseUntilMs })
  const { extended, take } = TakeNumber.make(store, now, row)

  const alive = Effect.map(all, (rows) => {
    const nowMs = now()
    return rows.filter((row) => isLive(row, nowMs))
  })

  const renewed = Effect.gen(function* () {
    const problem = problemOf(yield* alive, span !== undefined)
    yield* logged(problem)
    if (problem !== undefined) {
      span = undefined
      return
    }
    const current = span
    const next = current === undefined ? undefined : yield* extended(current)
    span = next
    if (next === undefined) {
      span = yield* take
      if (current !== undefined)
        yield* Effect.logWarning(
          `This process was stopped for longer than its lease. It had the number ${current.number} and has ${span.number} now`
        )
    }
    const liveRows = yield* alive
    live = Math.max(1, liveRows.length)
    yield* Metric.update(liveProcesses, live)
    yield* compare(liveRows)
  })

  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      const row = span === undefined ? undefined : yield* store.load(Process, [span.number])
      if (row?.token === token) yield* Transact.lostGuardOf(store, Change.update(Process, row, { token: null }))
      span = undefined
    }).pipe(Effect.timeoutOption("2 seconds"), Effect.exit, Effect.provideService(Clock.Clock, renewalClock))
  )
  const attempt = Effect.catchCause(renewed, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.failCause(cause)
      : Effect.logWarning("The lease of this process's number cannot be renewed; it tries again", cause)
  )
  yield* attempt
  yield* Effect.gen(function* () {
    yield* Effect.timeoutOption(due.await, renewEvery)
    due.closeUnsafe()
    yield* attempt
  }).pipe(Effect.forever, Effect.provideService(Clock.Clock, renewalClock), Effect.forkScoped)
  return ProcessLease.of({
    span: () => span,
    wake: () => due.openUnsafe(),
    renew: renewed,
    live: () => live,
    processes: all
  })
})

/** Counts process numbers in a store that no other process can open, and leases them in a shared store. */
export const layer = <E, R>(facts: Effect.Effect<CompareProcesses.ProcessFacts, E, R>) =>
  Layer.effect(
    ProcessLease,
    Effect.gen(function* () {
      const { exclusive } = yield* Store
      return yield* exclusive ? Effect.map(ProcessNumber.counted, alone) : Effect.flatMap(facts, leased)
    })
  )

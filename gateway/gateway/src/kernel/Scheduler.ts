/**
 * Carries out everything that is due later. A row describes the job and its due time. A claim gives the job to one process for
 * the length of a lease. A handler carries the job out, and ends or reschedules it. One query per tick and kind selects due rows,
 * so a waiting job needs no timer and no memory.
 */

import { Cause, Clock, Context, Effect, FiberSet, Latch, Layer, Metric, type Scope } from "effect"
import { ClockTrust } from "./ClockTrust.ts"
import * as Decision from "./Decision.ts"
import * as FairQueue from "./FairQueue.ts"
import { Ids } from "./Ids.ts"
import { facts, Job, type Kind, kinds, type Queue } from "./Job.ts"
import * as Jobs from "./Jobs.ts"
import * as JobTraces from "./JobTraces.ts"
import { OrderGate } from "./OrderGate.ts"
import * as Rows from "./Rows.ts"
import { Settings } from "./Settings.ts"
import * as Spans from "./Spans.ts"
import { Store, type StoreUnavailable } from "./Store.ts"
import * as Transact from "./Transact.ts"

/**
 * Carries out a claimed job. Its own commits end or reschedule the job. `rows` returns the rows that were written together with
 * the job without a read of the store.
 */
export type Handler = (job: Job, rows: Rows.Rows) => Effect.Effect<void>

export type Handlers = Readonly<Record<Kind, Handler>>

const failures = Metric.counter("pay_agenda_failures_total", {
  description: "Jobs whose handler died",
  incremental: true
})

export class Scheduler extends Context.Service<
  Scheduler,
  {
    /**
     * Returns a lease for jobs that a decision is about to create for this process. `undefined`: the process should not begin
     * them now, because it has enough jobs of the kind or does not claim any.
     */
    readonly claim: (nowMs: number, kind: Kind, merchantId: string) => Jobs.Claim | undefined
    /**
     * Whether this process holds the lease of the job for long enough to send a request for it. Call it just before the request,
     * because a process can be stopped at any moment. When half of the lease is over, the row is read again.
     */
    readonly holds: (job: Job) => Effect.Effect<boolean, StoreUnavailable>
    /** Looks for due jobs now rather than at the next tick. */
    readonly wake: Effect.Effect<void>
    /** Time at which the earliest job is due; `undefined` when no job waits. */
    readonly nextDueMs: Effect.Effect<number | undefined>
    /** Number of jobs that this process has claimed and not ended. */
    readonly load: () => number
    /** Completes when this process has no claimed job and no job is due. */
    readonly settled: Effect.Effect<void>
    /** Stops claiming, and waits for the running jobs. */
    readonly stop: Effect.Effect<void>
  }
>()("@pay/gateway/Scheduler") {}

/** The jobs of some kinds that this process has claimed. */
interface JobQueue {
  readonly queue: FairQueue.FairQueue
  /** Whether more jobs were due than the queue had room for. If so, the next look follows as soon as there is room. */
  starved: boolean
}

/**
 * Divisor of a lease: in the last quarter of a lease no request is sent, because its answer could arrive after the lease. A lease
 * has at least six deadlines.
 */
const shortestPart = 4

/** What each line of a job says of it. A handler adds the order. */
const aboutOf = ({ jobId, merchantId }: Job) => ({ jobId, ...(merchantId !== "" && { merchant: merchantId }) })

/** Delays before the second, third, … attempt of a job that failed with a defect. */
const afterDefectMs = [120_000, 300_000, 900_000, 3_600_000] as const

/**
 * Provides the scheduler, and the store whose commits start the jobs that they create under a claim of this scheduler. `leaseMs`
 * must be longer than any handler runs. `handlers` is an effect, because handlers use this scheduler and its store.
 */
export const layer = <E, R>(options: {
  readonly leaseMs: number
  readonly handlers: Effect.Effect<Handlers, E, R | Scheduler>
}): Layer.Layer<Scheduler | Store, E, Exclude<Exclude<R, Scheduler | Store>, Scope.Scope> | Store | Ids | OrderGate> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const store = yield* Store
      const ids = yield* Ids
      const settings = yield* Settings
      const clockTrust = yield* ClockTrust
      const gate = yield* OrderGate
      const fibers = yield* FiberSet.make<void>()
      const fork = yield* FiberSet.runtime(fibers)<never>()
      const wakeUp = yield* Latch.make(false)
      const quiet = yield* Latch.make(false)
      const jobQueue = (limit: number): JobQueue => ({ queue: FairQueue.make(limit), starved: false })
      const jobQueues: Readonly<Record<Queue, JobQueue>> = {
        bank: jobQueue(settings.bankConcurrency),
        recurring: jobQueue(settings.recurringConcurrency),
        threeds: jobQueue(settings.threedsConcurrency),
        // Callbacks take turns by merchant and server, which `callbackConcurrency` limits.
        callback: jobQueue(settings.jobBacklog),
        rail: jobQueue(settings.railConcurrency)
      }
      const jobQueueOf = (kind: Kind): JobQueue => jobQueues[facts[kind].queue]
      const load = () => Object.values(jobQueues).reduce((sum, { queue }) => sum + queue.load(), 0)
      const begin = yield* Spans.begin
      const traces = JobTraces.make()
      let stopping = false
      let handlers: Handlers | undefined

      /**
       * Runs a job, after the fiber that started the job has continued. A job that waited for half of its lease is left to the
       * next claim.
       */
      const work = Effect.fnUntraced(function* (job: Job, rows: Rows.Rows) {
        yield* Effect.yieldNow
        const nowMs = yield* Clock.currentTimeMillis
        if (job.leaseUntilMs - nowMs > options.leaseMs / 2 && handlers !== undefined && ids.isReady()) {
          yield* Effect.annotateLogs(handlers[job.kind](job, rows), aboutOf(job))
        }
      })
      /**
       * Ends the lease of a job that failed with a defect. Its next claim counts as a further attempt, and is later each time. If
       * this fails, too, the job stays leased.
       */
      const postpone = Effect.fnUntraced(function* ({ jobId, token }: Job) {
        const job = yield* store.load(Job, [jobId])
        if (job === undefined || job.token !== token) return
        const dueAtMs = (yield* Clock.currentTimeMillis) + Jobs.step(afterDefectMs, job.openAttempts - 1)
        const postponed: Job = { ...job, token: null, leaseUntilMs: 0, dueAtMs }
        yield* store.commit({ guards: [Decision.leaseOf(job)], writes: [Decision.put(Job, postponed)] })
      })
      const traced = (job: Job, effect: Effect.Effect<void>) =>
        begin === undefined
          ? effect
          : begin(effect, `job.${job.kind}`, {
              kind: "consumer",
              parent: traces.parentOf(job),
              attributes: { "pay.job_id": job.jobId, "pay.merchant": job.merchantId }
            })
      const run = (jobQueue: JobQueue, job: Job, rows: Rows.Rows) => {
        fork(
          Effect.onExit(
            Effect.catchCause(traced(job, work(job, rows)), (cause) =>
              Cause.hasInterruptsOnly(cause)
                ? Effect.failCause(cause)
                : Metric.update(failures, 1).pipe(
                    Effect.andThen(Effect.logError("A job failed; it runs again later", cause)),
                    Effect.andThen(Effect.ignoreCause(postpone(job))),
                    Effect.annotateLogs(aboutOf(job))
                  )
            ),
            () =>
              Effect.sync(() => {
                jobQueue.queue.end(job)
                next(jobQueue)
              })
          )
        )
      }
      const next = (jobQueue: JobQueue, rows: Rows.Rows = store) => {
        for (let job = jobQueue.queue.take(); job !== undefined; job = jobQueue.queue.take()) run(jobQueue, job, rows)
        if (load() === 0) quiet.openUnsafe()
        if (jobQueue.starved && jobQueue.queue.load() < settings.jobBacklog / 2) {
          jobQueue.starved = false
          wakeUp.openUnsafe()
        }
      }
      const start = (jobs: ReadonlyArray<Job>, written: ReadonlyArray<Decision.Write>) => {
        if (jobs.length === 0) return
        const jobQueues = new Set<JobQueue>()
        for (const job of jobs) {
          quiet.closeUnsafe()
          const jobQueue = jobQueueOf(job.kind)
          jobQueue.queue.add(job)
          jobQueues.add(jobQueue)
        }
        const rows = Rows.writtenRows(store, written)
        for (const jobQueue of jobQueues) next(jobQueue, rows)
      }
      const isClosed = (kind: Kind) =>
        facts[kind].movesOrders ? Effect.map(gate.closedForMs(), (ms) => ms !== undefined) : Effect.succeed(false)
      const takeKind = Effect.fnUntraced(function* (kind: Kind) {
        const jobQueue = jobQueueOf(kind)
        // Without a process number, a job cannot make identifiers.
        if (stopping || settings.jobsPaused || !ids.isReady()) return
        if (facts[kind].isDated && !clockTrust.isTrusted()) return
        if (yield* isClosed(kind)) return
        if (facts[kind].createsOrders && store.isShort?.() === true) return
        const capacity = settings.jobBacklog - jobQueue.queue.load()
        const nowMs = yield* Clock.currentTimeMillis
        const lease = { kind, nowMs, leaseMs: options.leaseMs, token: ids.token() }
        // When the backlog is full, a merchant without a job in it still gets one place.
        const claim =
          capacity > 0
            ? { ...lease, limit: capacity }
            : { ...lease, limit: settings.jobBacklog, each: 1, except: jobQueue.queue.merchants() }
        const jobs = yield* store.claimDue(claim)
        jobQueue.starved ||= capacity <= 0 || jobs.length === capacity
        start(jobs, [])
      })
      /** Claims jobs of all kinds at once, so that the claims share a commit. */
      const take = Effect.forEach(kinds, takeKind, { concurrency: "unbounded", discard: true })
      const nextDueMs = Effect.gen(function* () {
        let next: number | undefined
        for (const kind of kinds) {
          if (yield* Effect.orDie(isClosed(kind))) continue
          const [first] = yield* Effect.orDie(store.find(Job, "due", { equals: [kind], limit: 1 }))
          if (first !== undefined && (next === undefined || first.dueAtMs < next)) next = first.dueAtMs
        }
        return next
      })

      const scheduler = Scheduler.of({
        claim: (nowMs, kind, merchantId) => {
          if (stopping || settings.jobsPaused) return undefined
          const jobQueue = jobQueueOf(kind)
          if (jobQueue.queue.load() < settings.jobBacklog || jobQueue.queue.loadOf(merchantId) === 0)
            return { token: ids.token(), leaseUntilMs: nowMs + options.leaseMs }
          jobQueue.starved = true
          return undefined
        },
        holds: Effect.fnUntraced(function* (job) {
          // No other process can have taken the job.
          if (store.exclusive) return true
          const leftMs = job.leaseUntilMs - (yield* Clock.currentTimeMillis)
          if (leftMs > options.leaseMs / 2) return true
          if (leftMs < options.leaseMs / shortestPart) return false
          const row = yield* store.load(Job, [job.jobId])
          return row?.token === job.token && row.token !== null
        }),
        wake: Effect.sync(() => wakeUp.openUnsafe()),
        nextDueMs,
        load,
        settled: Effect.gen(function* () {
          while (true) {
            yield* Effect.orDie(take)
            if (load() === 0) return
            yield* quiet.await
          }
        }),
        stop: Effect.gen(function* () {
          stopping = true
          while (load() > 0) yield* quiet.await
        })
      })
      const starting = Store.of({
        ...store,
        commit: (decision) =>
          Effect.tap(store.commit(decision), () => {
            const jobs = Jobs.started(decision)
            return Effect.map(begin === undefined ? Effect.void : traces.add(jobs), () => start(jobs, decision.writes))
          })
      })
      const services = Context.make(Scheduler, scheduler).pipe(Context.add(Store, starting))
      handlers = yield* Effect.provideContext(options.handlers, services)

      if (store.exclusive) yield* Effect.orDie(breakLeases)
      store.onDue?.(() => wakeUp.openUnsafe())
      yield* Effect.gen(function* () {
        wakeUp.closeUnsafe()
        yield* Effect.catchCause(take, (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause)
            : Effect.logWarning("The scheduler cannot read what is due; it tries again", cause)
        )
        yield* Effect.timeoutOption(wakeUp.await, settings.jobTickMs)
      }).pipe(Effect.forever, Effect.forkScoped)
      return services
    })
  )

/**
 * Ends all leases of jobs. In a store that only one process can open, the leases at the start belong to processes that are gone.
 */
const breakLeases = Effect.gen(function* () {
  const store = yield* Store
  while (true) {
    const leased = yield* store.find(Job, "lease", { from: 1, limit: 1000 })
    if (leased.length === 0) return
    for (const row of leased) {
      yield* Transact.lostGuardOf(store, {
        guards: [Decision.leaseOf(row)],
        writes: [Decision.put(Job, { ...row, token: null, leaseUntilMs: 0 })]
      })
    }
  }
})

/**
 * Everything that is due later, done by one mechanism: a row says what and when, a claim makes one process its holder
 * for the length of a lease, a handler decides what becomes of it. Rows are found by one query a tick; waiting things
 * cost no timer and no memory of their own.
 */

import { Cause, Clock, Context, Effect, FiberSet, Latch, Layer, Metric, type Scope } from "effect"
import * as Decision from "./Decision.ts"
import * as FairQueue from "./FairQueue.ts"
import { Ids } from "./Ids.ts"
import { Job, type Kind, kinds } from "./Job.ts"
import type * as Jobs from "./Jobs.ts"
import { Settings } from "./Settings.ts"
import { Store, type StoreUnavailable } from "./Store.ts"
import * as StoreRow from "./StoreRow.ts"
import * as Transact from "./Transact.ts"

/**
 * Carries a claimed item out; its own commits end or reschedule the item. What it claims anew it hands to `start`. `rows`: those
 * that were written with the item are at hand.
 */
export type Handler = (item: Job, rows: StoreRow.Rows) => Effect.Effect<void>

export type Handlers = Readonly<Record<Kind, Handler>>

const failures = Metric.counter("pay_agenda_failures_total", {
  description: "Jobs whose handler died",
  incremental: true
})

export class Scheduler extends Context.Service<
  Scheduler,
  {
    /** A lease for items that a decision is about to create for this process; undefined when it has enough of the kind to do. */
    readonly claim: (nowMs: number, kind: Kind, merchantId: string) => Jobs.Claim | undefined
    /** Begins items that a commit has created under `claim`; those that begin at once are given what the commit wrote. */
    readonly start: (items: ReadonlyArray<Job>, written?: ReadonlyArray<Decision.Write>) => void
    /**
     * Whether this process still holds the item for long enough to ask somebody about it. Asked just before, because a process can
     * be stopped at any moment. The row is read again where half of the lease is over.
     */
    readonly holds: (item: Job) => Effect.Effect<boolean, StoreUnavailable>
    /** Looks for due items now rather than at the next tick. */
    readonly wake: Effect.Effect<void>
    /** When the earliest item is due; undefined when nothing waits. */
    readonly nextDueMs: Effect.Effect<number | undefined>
    /** Items claimed by this process and not ended. */
    readonly load: () => number
    /** Completes when nothing is claimed here and nothing is due. */
    readonly settled: Effect.Effect<void>
    /** Stops claiming, waits for what is under way. */
    readonly stop: Effect.Effect<void>
  }
>()("@pay/gateway/Scheduler") {}

/** Slow merchants must not hold back the bank's work, nor a slow bank what merchants are told: each has a queue of its own. */
interface Lane {
  readonly queue: FairQueue.FairQueue
  /** There was more to do than room for it: look again as soon as there is room. */
  starved: boolean
}

/** No question is asked within this part of a lease, its last: the answer would come after it. A lease has at least six deadlines. */
const shortestPart = 4

/** `leaseMs` must outlive the longest thing a handler does; `handlers` is made late because handlers start items too. */
export const layer = <E, R>(options: {
  readonly leaseMs: number
  readonly handlers: Effect.Effect<Handlers, E, R | Scheduler>
}): Layer.Layer<Scheduler, E, Exclude<Exclude<R, Scheduler>, Scope.Scope> | Store | Ids> =>
  Layer.effect(
    Scheduler,
    Effect.gen(function* () {
      const store = yield* Store
      const ids = yield* Ids
      const settings = yield* Settings
      const fibers = yield* FiberSet.make<void>()
      const fork = yield* FiberSet.runtime(fibers)<never>()
      const wakeUp = yield* Latch.make(false)
      const quiet = yield* Latch.make(false)
      const lane = (limit: number): Lane => ({ queue: FairQueue.make(limit), starved: false })
      const bank = lane(settings.bankConcurrency)
      const lanes: Readonly<Record<Kind, Lane>> = {
        bank,
        lapse: bank,
        session: bank,
        enumerate: bank,
        reversal: bank,
        recurring: lane(settings.recurringConcurrency),
        threeds: lane(settings.threedsConcurrency),
        callback: lane(settings.callbackConcurrency),
        rail: lane(settings.railConcurrency)
      }
      const laneOf = (kind: Kind): Lane => lanes[kind]
      const load = () => [...new Set(Object.values(lanes))].reduce((sum, { queue }) => sum + queue.load(), 0)
      let stopping = false
      let handlers: Handlers | undefined

      /**
       * Begins after whoever started it has answered its own caller. An item that waited in line for half its lease is
       * left to whoever claims it next.
       */
      const work = Effect.fnUntraced(function* (item: Job, rows: StoreRow.Rows) {
        yield* Effect.yieldNow
        const nowMs = yield* Clock.currentTimeMillis
        if (item.leaseUntilMs - nowMs > options.leaseMs / 2 && handlers !== undefined && ids.isReady()) {
          yield* handlers[item.kind](item, rows)
        }
      })
      const run = (lane: Lane, item: Job, rows: StoreRow.Rows) => {
        fork(
          Effect.onExit(
            Effect.catchCause(work(item, rows), (cause) =>
              Cause.hasInterruptsOnly(cause)
                ? Effect.failCause(cause)
                : Metric.update(failures, 1).pipe(
                    Effect.andThen(Effect.logError("A job failed and stays leased", cause)),
                    Effect.annotateLogs({ itemId: item.itemId })
                  )
            ),
            () =>
              Effect.sync(() => {
                lane.queue.end(item)
                next(lane)
              })
          )
        )
      }
      const next = (lane: Lane, rows: StoreRow.Rows = store) => {
        for (let item = lane.queue.take(); item !== undefined; item = lane.queue.take()) run(lane, item, rows)
        if (load() === 0) quiet.openUnsafe()
        if (lane.starved && lane.queue.load() < settings.agendaBacklog / 2) {
          lane.starved = false
          wakeUp.openUnsafe()
        }
      }
      const start = (items: ReadonlyArray<Job>, written: ReadonlyArray<Decision.Write> = []) => {
        const lanes = new Set<Lane>()
        for (const item of items) {
          quiet.closeUnsafe()
          const lane = laneOf(item.kind)
          lane.queue.add(item)
          lanes.add(lane)
        }
        const rows = StoreRow.writtenRows(store, written)
        for (const lane of lanes) next(lane, rows)
      }
      const takeKind = Effect.fnUntraced(function* (kind: Kind) {
        const lane = laneOf(kind)
        // A process without a number cannot name what follows from a job.
        if (stopping || settings.agendaPaused || !ids.isReady()) return
        const room = settings.agendaBacklog - lane.queue.load()
        const nowMs = yield* Clock.currentTimeMillis
        const lease = { kind, nowMs, leaseMs: options.leaseMs, token: ids.token() }
        // When the backlog is full, a merchant without a job in it still gets one place.
        const claim =
          room > 0
            ? { ...lease, limit: room }
            : { ...lease, limit: settings.agendaBacklog, each: 1, except: lane.queue.merchants() }
        const items = yield* store.claimDue(claim)
        lane.starved ||= room <= 0 || items.length === room
        start(items)
      })
      /** All kinds at once, so that their claims share a commit. */
      const take = Effect.forEach(kinds, takeKind, { concurrency: "unbounded", discard: true })
      const nextDueMs = Effect.gen(function* () {
        let next: number | undefined
        for (const kind of kinds) {
          const [first] = yield* Effect.orDie(store.find(Job, "due", { equals: [kind], limit: 1 }))
          if (first !== undefined && (next === undefined || first.dueAtMs < next)) next = first.dueAtMs
        }
        return next
      })

      const scheduler = Scheduler.of({
        claim: (nowMs, kind, merchantId) => {
          if (stopping || settings.agendaPaused) return undefined
          const lane = laneOf(kind)
          if (lane.queue.load() < settings.agendaBacklog || lane.queue.loadOf(merchantId) === 0)
            return { token: ids.token(), leaseUntilMs: nowMs + options.leaseMs }
          lane.starved = true
          return undefined
        },
        start,
        holds: Effect.fnUntraced(function* (item) {
          // No other process can have taken it.
          if (store.exclusive) return true
          const leftMs = item.leaseUntilMs - (yield* Clock.currentTimeMillis)
          if (leftMs > options.leaseMs / 2) return true
          if (leftMs < options.leaseMs / shortestPart) return false
          const row = yield* store.load(Job, [item.itemId])
          return row?.token === item.token && row.token !== null
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
      handlers = yield* Effect.provideService(options.handlers, Scheduler, scheduler)

      if (store.exclusive) yield* Effect.orDie(breakLeases)
      store.onDue?.(() => wakeUp.openUnsafe())
      yield* Effect.gen(function* () {
        wakeUp.closeUnsafe()
        yield* Effect.catchCause(take, (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause)
            : Effect.logWarning("The scheduler cannot read what is due; it tries again", cause)
        )
        yield* Effect.timeoutOption(wakeUp.await, settings.agendaTickMs)
      }).pipe(Effect.forever, Effect.forkScoped)
      return scheduler
    })
  )

/** In a store that only one process can open, a lease found at the start is of a process that is gone. */
const breakLeases = Effect.gen(function* () {
  const store = yield* Store
  while (true) {
    const leased = yield* store.find(Job, "lease", { from: 1, limit: 1000 })
    if (leased.length === 0) return
    for (const row of leased) {
      yield* Transact.lostOf(store, {
        guards: [Decision.leaseOf(row)],
        writes: [Decision.put(Job, { ...row, token: null, leaseUntilMs: 0 })]
      })
    }
  }
})

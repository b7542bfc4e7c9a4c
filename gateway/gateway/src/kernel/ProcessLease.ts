/**
 * The number of this process among all that share one store, from 0 to 1023, for a limited time. A lease gives its holder a span
 * of milliseconds: identifiers carry the number and a millisecond of the span. Spans of one number never overlap, so two
 * processes never make the same identifier, even if a clock is wrong or a process was stopped for long.
 */
import { Cause, Clock, Context, Effect, Latch, Layer, Metric, Option, Random } from "effect"
import * as RateLimit from "../network/RateLimit.ts"
import { AuthClock } from "./AuthClock.ts"
import * as Change from "./Change.ts"
import * as Decision from "./Decision.ts"
import * as Entity from "./Entity.ts"
import * as ProcessNumber from "./ProcessNumber.ts"
import { type GuardFailed, Store, type StoreUnavailable } from "./Store.ts"
import * as Transact from "./Transact.ts"

export const Process = Entity.make("processes", {
  columns: {
    number: Entity.integer,
    version: Entity.integer,
    /** A random value that the holder draws when it starts. Null: the holder has stopped. */
    token: Entity.textOrNull(),
    /** Start of the holder's span, which ends before `leaseUntilMs`. */
    fromMs: Entity.integer,
    leaseUntilMs: Entity.integer,
    /** Host and process id, for people. */
    name: Entity.text(),
    startedAtMs: Entity.integer,
    /** A hash of the merchants' description that the process works with; after a space, the summary of its key ring. */
    merchants: Entity.text()
  },
  key: ["number"]
})
export type Process = Entity.Row<typeof Process>

export interface Span {
  readonly number: number
  readonly fromMs: number
  /** End of the span, exclusive. */
  readonly untilMs: number
}

/** The facts that a process publishes to the other processes on the store. */
export interface Facts {
  /** A hash of the merchants' description. */
  readonly merchants: () => string
  /** A summary of the key ring, without spaces. If it is left out, key rings are not compared. */
  readonly keys?: string | undefined
  /** Returns the keys with which a process with the ring `other` works now, and which `own` lacks. */
  readonly lacking: (own: string, other: string) => ReadonlyArray<string>
}

/** Milliseconds from the renewal of a lease to its end. */
export const leaseMs = 30_000
/** Milliseconds from the end of a lease until another process may take its number. Clocks of processes may differ by as much. */
export const graceMs = 30_000
const renewEvery = "5 seconds"

/** The name by which people recognize this process. */
export const ProcessName = Context.Reference<string>("@pay/gateway/ProcessName", { defaultValue: () => "" })
/** The clock by which leases are renewed. It is the machine's, because business time can be moved. */
export const RenewalClock = Context.Reference<Clock.Clock>("@pay/gateway/ProcessLease/RenewalClock", {
  defaultValue: () => Clock.Clock.defaultValue()
})

const differingProcesses = Metric.gauge("pay_processes_differing", {
  description:
    "Live processes on the store that work with another description of the merchants or another key ring than this one"
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

const maxTries = 20
/** Number of process numbers among which a process chooses at random, so that processes that start at once seldom choose the same. */
const candidates = 16

/**
 * The numbers that may be taken: the rows of ended leases, then numbers without a row. The rows come first, so that the table
 * stays small.
 */
const takeable = (rows: ReadonlyArray<Process>, nowMs: number): ReadonlyArray<Process | number> => {
  const numbers = new Map(rows.map((row) => [row.number, row]))
  return [
    ...rows.filter(({ leaseUntilMs }) => leaseUntilMs + graceMs <= nowMs),
    ...Array.from({ length: ProcessNumber.count }, (_, number) => number).filter((number) => !numbers.has(number))
  ].slice(0, candidates)
}

const keysOf = ({ merchants }: Process): string | undefined => merchants.split(" ")[1]

/** Names a process in a message, by its number if it has no name. */
const nameOf = ({ name, number }: Process): string => (name.trim() === "" ? `process ${number}` : name)

const howToMend = "Give all processes the same key ring: a new key to each of them first, then make it the current one"

const leased = Effect.fnUntraced(function* ({ keys, lacking, merchants: hash }: Facts) {
  const store = yield* Store
  const authClock = yield* AuthClock
  const name = yield* ProcessName
  const renewalClock = yield* RenewalClock
  const token = (yield* Random.nextInt).toString(36) + (yield* Random.nextInt).toString(36)
  const startedAtMs = Math.floor(authClock.nowMs())
  const due = yield* Latch.make(false)
  let span: Span | undefined
  let live = 1
  let differed = ""
  let warned = ""
  let barred: string | undefined

  const all = store.find(Process, "key", { limit: ProcessNumber.count })
  const now = () => Math.floor(authClock.nowMs())
  const merchants = () => (keys === undefined ? hash() : `${hash()} ${keys}`)

  /**
   * Why this process may not work beside the live ones; `undefined` if it may. A process without a number also waits if one of
   * them lacks a key of its own ring.
   */
  const bar = (rows: ReadonlyArray<Process>): string | undefined => {
    for (const row of rows) {
      const otherKeys = keysOf(row)
      if (keys === undefined || otherKeys === undefined || row.token === token) continue
      const [here] = lacking(keys, otherKeys)
      if (here !== undefined) return `This process lacks the ${here} with which ${nameOf(row)} works`
      const [there] = span === undefined ? lacking(otherKeys, keys) : []
      if (there !== undefined) return `${nameOf(row)} lacks the ${there} with which this process would work`
    }
    return undefined
  }
  const logged = (problem: string | undefined) => {
    const before = barred
    barred = problem
    return problem === undefined || problem === before
      ? Effect.void
      : Effect.logError(`${problem}. It answers 503 and carries out no jobs until that is mended. ${howToMend}`)
  }

  const facts = (untilMs: number) => ({ token, name, startedAtMs, merchants: merchants(), leaseUntilMs: untilMs })
  const take: Effect.Effect<Span, GuardFailed | StoreUnavailable> = Effect.gen(function* () {
    const rows = yield* all
    const nowMs = now()
    // A number from an earlier commit of this process whose outcome was unknown.
    const ownRow = rows.find((row) => row.token === token && row.leaseUntilMs > nowMs)
    if (ownRow !== undefined) return { number: ownRow.number, fromMs: ownRow.fromMs, untilMs: ownRow.leaseUntilMs }
    const free = takeable(rows, nowMs)
    const chosen = free[yield* Random.nextIntBetween(0, free.length - 1)]
    if (chosen === undefined)
      return yield* Effect.die(new Error(`All ${ProcessNumber.count} numbers of processes are taken.`))
    const before = typeof chosen === "number" ? undefined : chosen
    const number = typeof chosen === "number" ? chosen : chosen.number
    const fromMs = before?.leaseUntilMs ?? 0
    const untilMs = Math.max(fromMs, nowMs + leaseMs)
    const fresh = { ...facts(untilMs), number, version: 1, fromMs }
    yield* store.commit(
      before === undefined
        ? { guards: [Decision.absent(Process, "key", [number])], writes: [Decision.append(Process, fresh)] }
        : Change.update(Process, before, { ...facts(untilMs), fromMs })
    )
    return { number, fromMs, untilMs }
  })
  const takeNumber = Transact.transact({
    attempt: take,
    tries: maxTries,
    exhausted: () => Effect.die(new Error("Numbers of processes are taken faster than they can be read."))
  })

  /** Extends the lease of the number. `undefined`: another process has taken the number. */
  const extended = Effect.fnUntraced(function* (current: Span) {
    const row = yield* store.load(Process, [current.number])
    if (row?.token !== token) return undefined
    const untilMs = Math.max(row.leaseUntilMs, now() + leaseMs)
    const lostGuard = yield* Transact.lostGuardOf(store, Change.update(Process, row, facts(untilMs)))
    return lostGuard === undefined ? { ...current, untilMs } : undefined
  })

  /**
   * Warns of processes that work with other merchants or other keys. A reload takes a moment to reach every process, so a warning
   * needs the same difference in two renewals.
   */
  const compare = Effect.fnUntraced(function* (rows: ReadonlyArray<Process>) {
    const ownFacts = merchants()
    const differing = rows.filter((row) => row.token !== token && row.merchants !== ownFacts).map(({ name }) => name)
    yield* Metric.update(differingProcesses, differing.length)
    const text = differing.join(", ")
    if (text !== "" && text === differed && text !== warned)
      yield* Effect.logWarning(
        `These processes work with another description of the merchants or another key ring than this one. Give all the same files: ${text}`
      )
    if (text === differed) warned = text
    differed = text
  })

  const alive = Effect.map(all, (rows) => {
    const nowMs = now()
    return rows.filter((row) => isLive(row, nowMs))
  })

  const renewed = Effect.gen(function* () {
    const problem = bar(yield* alive)
    yield* logged(problem)
    if (problem !== undefined) {
      span = undefined
      return
    }
    const current = span
    const next = current === undefined ? undefined : yield* extended(current)
    span = next
    if (next === undefined) {
      span = yield* takeNumber
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
export const layer = <E, R>(facts: Effect.Effect<Facts, E, R>) =>
  Layer.effect(
    ProcessLease,
    Effect.gen(function* () {
      const { exclusive } = yield* Store
      return yield* exclusive ? Effect.map(ProcessNumber.counted, alone) : Effect.flatMap(facts, leased)
    })
  )

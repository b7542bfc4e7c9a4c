/** A run of the suite against one gateway. */
import * as Loopback from "@pay/schema/Loopback"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Deferred, type Duration, Effect, Latch, type Scope } from "effect"
import type { Check } from "./Check.ts"
import * as Checks from "./Checks.ts"
import * as Exchange from "./Exchange.ts"
import * as Facts from "./Facts.ts"
import * as Gateway from "./Gateway.ts"
import * as Inbox from "./Inbox.ts"
import * as Regularly from "./Regularly.ts"
import type * as Settings from "./Settings.ts"
import * as Watch from "./Watch.ts"

export { GatewayUnreachable, noOperations } from "./Facts.ts"

/** All checks of the suite. */
export const checks: ReadonlyArray<Check> = Checks.all

/** The outcome of a check. `Lacking`: the check was not made, because the gateway or the file lacks what it requires. */
export type Outcome =
  | { readonly _tag: "Passed" }
  | { readonly _tag: "Failed"; readonly message: string }
  | { readonly _tag: "Lacking"; readonly message: string }

/** The outcome of one check, and its duration in milliseconds. */
export interface Result {
  readonly check: Check
  readonly outcome: Outcome
  readonly tookMs: number
}

/** What the gateway does where the specification leaves a choice, and how often it did so. */
export interface Choice {
  readonly about: string
  readonly count: number
}

/** The results of a run. `profile` is the gateway's own announcement. */
export interface Run {
  readonly baseUrl: string
  readonly profile: string
  readonly startedAtMs: number
  readonly tookMs: number
  readonly results: ReadonlyArray<Result>
  readonly choices: ReadonlyArray<Choice>
  /** The number of checks that the run was to make. */
  readonly all: number
  /** Why the run ended before all checks were made. `undefined` if all were made. */
  readonly unfinished: string | undefined
}

/** How far a run is. */
export interface Progress {
  /** First the operations that the gateway serves are found, then the checks are made. */
  readonly phase: "operations" | "checks"
  readonly done: number
  readonly all: number
  readonly failed: number
  readonly elapsedMs: number
  /** The check that has run longest, and what it waits for. */
  readonly oldest: string | undefined
}

/** The options of a run. */
export interface Options {
  /** The address before `/api/`. */
  readonly baseUrl: string
  readonly settings: Settings.Settings
  /** Whether a check runs. Default: all checks run. */
  readonly isWanted?: (check: Check) => boolean
  /** Longest duration of a check, in seconds. A check that takes longer has failed. Default 30. */
  readonly limitSeconds?: number
  /** Largest number of concurrent checks. Default 8. */
  readonly concurrency?: number
  /** Called when a check ends, with the number of checks that have ended and the number of all checks of the run. */
  readonly onResult?: (result: Result, done: number, all: number) => void
  /** Called at regular times, also while no check ends. */
  readonly onProgress?: (progress: Progress) => void
  /** The time between two calls of `onProgress`. Default one second. */
  readonly progressEvery?: Duration.Input
  /** Whether no further check starts after the first failure. */
  readonly bail?: boolean
  /** Ends the run when it succeeds, with the reason. The run then has the results until then. */
  readonly stop?: Effect.Effect<string>
}

const outcomeOf = ({ limitSeconds = 0, program }: Check, limit: number, watch: Watch.Watch) => {
  const seconds = Math.max(limitSeconds, limit)
  const failed = (message: string) => Effect.succeed<Outcome>({ _tag: "Failed", message })
  return program.pipe(
    Effect.as<Outcome>({ _tag: "Passed" }),
    Effect.catchTag("Violation", ({ message }) => failed(message)),
    Effect.catchTag("Lacking", ({ message }) => Effect.succeed<Outcome>({ _tag: "Lacking", message })),
    Effect.catchDefect((defect) => failed(`the check broke off: ${String(defect)}`)),
    Effect.timeoutOrElse({
      duration: `${seconds} seconds`,
      orElse: () => failed(`took longer than ${seconds} s: ${watch.summary()}`)
    })
  )
}

/** What a run collects while it goes on. */
interface Collected {
  readonly results: Array<Result>
  readonly running: Map<Check, Watch.Watch>
  announced: string
  phase: Progress["phase"]
  operations: number
}

const progressOf = ({ operations, phase, results, running }: Collected, all: number, elapsedMs: number): Progress => {
  const [oldest] = running
  const isEarly = phase === "operations"
  return {
    phase,
    done: isEarly ? operations : results.length,
    all: isEarly ? PayApi.all.length : all,
    failed: results.filter(({ outcome }) => outcome._tag === "Failed").length,
    elapsedMs,
    oldest: oldest && `${oldest[0].id}: ${oldest[1].summary()}`
  }
}

/** The number of times that a gateway is called which has stopped answering, one second apart, before the run ends. */
const calls = 3

/** Makes the checks one after another, or concurrently. */
const make = Effect.fnUntraced(function* (
  options: Options,
  collected: Collected,
  gateway: Gateway.Gateway["Service"],
  gone: Deferred.Deferred<string>
) {
  const { baseUrl, concurrency = 8, isWanted = () => true, limitSeconds = 30, onResult, settings } = options
  const { results, running } = collected
  const wanted = checks.filter(isWanted)
  const open = Latch.makeUnsafe(true)
  const isThere = Facts.isThere({ baseUrl, settings }, gateway.exchange, limitSeconds)
  /** Ends the run if the gateway does not answer any more. No check starts until this is known. */
  const assureThere = Effect.gen(function* () {
    yield* open.close
    for (let left = calls; left > 0; left -= 1) {
      if (yield* isThere) return
      if (left > 1) yield* Effect.sleep("1 second")
    }
    yield* Deferred.succeed(gone, "the gateway does not answer any more")
  }).pipe(Effect.ensuring(open.open))
  const judge = Effect.fnUntraced(function* (check: Check) {
    yield* open.await
    if (options.bail === true && results.some(({ outcome }) => outcome._tag === "Failed")) return
    const startedMs = yield* Clock.currentTimeMillis
    const lacking = check.needs.find(({ isIn }) => !isIn(gateway.facts))
    const watch = Watch.make(gateway.exchange)
    running.set(check, watch)
    const outcome: Outcome =
      lacking === undefined
        ? yield* outcomeOf(check, limitSeconds, watch).pipe(
            Effect.provideService(Gateway.Gateway, { ...gateway, exchange: watch.exchange })
          )
        : { _tag: "Lacking", message: lacking.lacking }
    running.delete(check)
    const result = { check, outcome, tookMs: (yield* Clock.currentTimeMillis) - startedMs }
    results.push(result)
    onResult?.(result, results.length, wanted.length)
    if (outcome._tag === "Failed" && watch.hasFailed()) yield* assureThere
  })
  yield* Effect.forEach(
    wanted.filter(({ alone }) => alone !== true),
    judge,
    { concurrency, discard: true }
  )
  yield* Effect.forEach(
    wanted.filter(({ alone }) => alone === true),
    judge,
    { discard: true }
  )
})

/** No gateway was reached, or the listener could not start. */
export type Failure = Facts.GatewayUnreachable | Inbox.NotListening

/**
 * Runs checks concurrently, and then those that run by themselves, one after another. A run that is stopped, or whose gateway stops
 * answering, succeeds with the results until then.
 */
export const run = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Run, Failure, Scope.Scope> {
  const { baseUrl, isWanted = () => true, limitSeconds = 30, onProgress, settings, stop = Effect.never } = options
  const wanted = checks.filter(isWanted)
  const startedAtMs = yield* Clock.currentTimeMillis
  const exchange = yield* Exchange.make
  const collected: Collected = { results: [], running: new Map(), announced: "", phase: "operations", operations: 0 }
  const choices = new Map<string, number>()
  const gone = yield* Deferred.make<string>()
  const work = Effect.gen(function* () {
    const { announced, facts } = yield* Facts.of({ baseUrl, settings }, exchange, limitSeconds, (done) => {
      collected.operations = done
    })
    collected.announced = announced
    collected.phase = "checks"
    const listen = settings.listen ?? { host: "127.0.0.1", port: 0 }
    const inbox = yield* Inbox.make(listen)
    const hasCallbacks = Loopback.isOn(baseUrl) || listen.url !== undefined
    const gateway = Gateway.make({ baseUrl, facts, exchange, inbox, hasCallbacks })
    yield* make(options, collected, { ...gateway, choices }, gone)
    return undefined
  })
  if (onProgress !== undefined) {
    const tell = (elapsedMs: number) => onProgress(progressOf(collected, wanted.length, elapsedMs))
    yield* Effect.forkScoped(Regularly.report(tell, options.progressEvery))
  }
  const unfinished = yield* Effect.raceFirst(work, Effect.raceFirst(stop, Deferred.await(gone)))
  const order = new Map(wanted.map(({ id }, index) => [id, index]))
  const indexOf = ({ check }: Result) => order.get(check.id) ?? 0
  return {
    baseUrl,
    profile: collected.announced,
    startedAtMs,
    tookMs: (yield* Clock.currentTimeMillis) - startedAtMs,
    results: collected.results.toSorted((one, other) => indexOf(one) - indexOf(other)),
    choices: [...choices].map(([about, count]) => ({ about, count })).toSorted((one, other) => other.count - one.count),
    all: wanted.length,
    unfinished
  }
})

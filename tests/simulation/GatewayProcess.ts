/**
 * The gateway as a process of the simulated system. It can be killed between any two of its steps, paused, and started again with
 * the content of its store. Bank, rail, issuer and merchants continue meanwhile.
 */

import type { Chance } from "@pay/crashtest/Chance"
import type { Acquirer } from "@pay/gateway/Acquirer"
import type { BankBooks, RailBooks } from "@pay/gateway/BankBooks"
import type { CallbackSender } from "@pay/gateway/CallbackSender"
import type { Decision } from "@pay/gateway/Decision"
import * as Directory from "@pay/gateway/Directory"
import * as Gateway from "@pay/gateway/Gateway"
import {
  AddressPolicy,
  ApprovalApi,
  type Front,
  FurtherPages,
  Operators as GatewayOperators,
  HostedPages,
  LogThreshold,
  OperatorListener,
  OperatorServer,
  type PageAnswer,
  type PageRequest,
  Pages,
  ReloadMerchants,
  SecureRandom,
  SteadyClock
} from "@pay/gateway/Gateway"
import type { KeyVault } from "@pay/gateway/KeyVault"
import type { PayoutRail } from "@pay/gateway/PayoutRail"
import type { Scheduler } from "@pay/gateway/Scheduler"
import * as Settings from "@pay/gateway/Settings"
import { AuthClock, Store } from "@pay/gateway/Store"
import type { ThreeDSServer } from "@pay/gateway/ThreeDSServer"
import * as OpeningBalance from "@pay/sandbox/OpeningBalance"
import { Cause, Clock, Context, Effect, Exit, Fiber, Layer, Logger, Scope } from "effect"
import * as ClockCheck from "../../gateway/gateway/src/ClockCheck.ts"
import * as ClockTrust from "../../gateway/gateway/src/kernel/ClockTrust.ts"
import * as JumpGuard from "../../gateway/gateway/src/kernel/JumpGuard.ts"
import * as Housekeeping from "../../gateway/gateway/src/retention/Housekeeping.ts"
import type * as Loop from "./Loop.ts"
import { operators } from "./Operators.ts"
import type { ProcessEnd, Refusal, Storage } from "./storage/Storage.ts"

const { addressRate, attemptRate, merchantRate } = Settings.defaults
/** The rate limit of cards is left out, because the customers of the simulation share a few test cards. */
export const productionRates = { addressRate, attemptRate, merchantRate }

type StoreService = Store["Service"]
export type Outside = Acquirer | PayoutRail | ThreeDSServer | BankBooks | RailBooks | CallbackSender | KeyVault
export type Services = Front | Scheduler | HostedPages | Store | Directory.LiveDirectory

interface Instance {
  isKilled: boolean
  readonly scope: Scope.Closeable
  readonly services: Context.Context<Services>
  readonly pages: (request: PageRequest) => Effect.Effect<PageAnswer | undefined>
  readonly clock: Clock.Clock
  /** Wall time, by which requests and callbacks are dated. */
  readonly wall: Clock.Clock
  /** Requests in progress. */
  readonly requests: Set<Fiber.Fiber<unknown, unknown>>
}

export interface GatewayProcess {
  readonly isUp: () => boolean
  readonly isPaused: () => boolean
  /** When it was last killed, by the simulation's clock; undefined if never. */
  readonly killedAtMs: () => number | undefined
  /** The services of the running process; undefined while it is down. */
  readonly services: () => Context.Context<Services> | undefined
  /** The business time of the running process. It differs from the simulation's time if the machine's clock is wrong. */
  readonly businessMs: () => number
  /** The wall time of the running process, by which it judges the dates of requests. */
  readonly wallMs: () => number
  /** The latest business time, at calls of this function and at corrections of the machine's clock. */
  readonly latestBusinessMs: () => number
  /** The machine on which it runs. It can be paused, and its clock can be wrong. */
  readonly machine: Loop.Process
  /** Starts the process. Fails if the store refuses to open. */
  readonly start: Effect.Effect<void, Refusal>
  /** Ends the process like `kill -9`, or in the way that `how` names. */
  readonly kill: (how?: ProcessEnd) => Effect.Effect<void>
  /** Lets the process crash after so many more steps. Steps are before and after each call of its store. */
  readonly crashAfter: (steps: number) => void
  /** Lets the store refuse, as a defect, the next commits that book an answer of bank or rail. */
  readonly refuseBookings: (times: number) => void
  readonly pause: () => void
  readonly resume: () => void
  /** Sets the configuration that the next reload or start reads. */
  readonly setDirectory: (directory: Directory.Config) => void
  /** Serves a request. Returns `refused` if the process is down, and `cut` if it is killed during the request. */
  readonly serve: <A>(
    request: (services: Context.Context<Services>) => Effect.Effect<A>
  ) => Effect.Effect<A | "refused" | "cut">
  /** Serves a page for browsers, operators or approvers. */
  readonly page: (request: PageRequest) => Effect.Effect<PageAnswer | undefined | "refused" | "cut">
}

export interface Options {
  readonly loop: Loop.Loop
  /** The services of every fiber of the process besides its clock and scheduler. */
  readonly context: Context.Context<never>
  /** Makes page tokens. */
  readonly token: () => string
  readonly outside: Context.Context<Outside>
  readonly storage: Storage
  /** Wraps the store, so that the simulation observes its commits. */
  readonly watch: (store: StoreService) => StoreService
  readonly settings: Partial<Settings.Settings>
  readonly directory: Directory.Config
  readonly publicBaseUrl: string
  readonly chance: Chance
  /** Receives each line of the gateway's log. */
  readonly log: (line: string) => void
}

export const make = (options: Options): GatewayProcess => {
  const { chance, log, loop, outside, publicBaseUrl, settings, storage, token, watch } = options
  const machine = loop.process()
  const context = Context.merge(options.context, machine.context)
  const run = Effect.runForkWith(context)
  let running: Instance | undefined
  let directory = options.directory
  let isPaused = false
  let killedAtMs: number | undefined
  let stepsLeft = Number.POSITIVE_INFINITY
  let refusalsLeft = 0

  const isRefused = ({ guards, writes }: Decision): boolean => {
    const isOfAnswer = guards.some((guard) => guard._tag === "LeaseIs" && /^(bank|rail):/.test(guard.jobId))
    if (refusalsLeft === 0 || !isOfAnswer || !writes.some(({ _tag }) => _tag === "Post")) return false
    refusalsLeft -= 1
    return true
  }

  /** Returns a wrapper that interrupts every call of a killed process. */
  const interruptAfterKill = (state: { isKilled: boolean }) => {
    const step = Effect.suspend(() => {
      stepsLeft -= 1
      if (stepsLeft === 0) {
        state.isKilled = true
        loop.schedule(() => void Effect.runForkWith(options.context)(kill("kill")))
      }
      return state.isKilled ? Effect.interrupt : Effect.void
    })
    return <A, E>(call: Effect.Effect<A, E>) =>
      Effect.andThen(
        step,
        Effect.tap(call, () => step)
      )
  }

  const storeUntilKilled = (store: StoreService, untilCrash: ReturnType<typeof interruptAfterKill>): StoreService => ({
    exclusive: store.exclusive,
    load: (entity, values, unique) => untilCrash(store.load(entity, values, unique)),
    find: (entity, index, range) => untilCrash(store.find(entity, index, range)),
    claimDue: (claim) => untilCrash(store.claimDue(claim)),
    commit: (decision) =>
      untilCrash(
        Effect.suspend(() =>
          isRefused(decision) ? Effect.die(new Error("the store refuses a booking")) : store.commit(decision)
        )
      )
  })

  const begin = Effect.gen(function* () {
    const state = { isKilled: false }
    const untilCrash = interruptAfterKill(state)
    const scope = yield* Scope.make()
    const guard = JumpGuard.make(machine.clock)
    const clock = SteadyClock.make(guard)
    const store = Layer.effect(
      Store,
      Effect.map(Store, (opened) => storeUntilKilled(watch(opened), untilCrash))
    ).pipe(Layer.provide(storage.layer))
    const pages = Layer.provideMerge(OperatorServer.layer, ApprovalApi.layer)
    // One commit for each merchant, because no commit may concern two.
    const balance = Effect.forEach(directory, ({ endpoints, login }) =>
      OpeningBalance.open(endpoints.map(({ currencies, id }) => ({ merchantId: login, endpointId: id, currencies })))
    )
    const layer = Layer.merge(pages, Layer.effectDiscard(balance)).pipe(
      Layer.provideMerge(Gateway.layerNoDeps),
      Layer.provideMerge(Directory.layer(directory)),
      Layer.provide(
        Layer.succeed(
          ReloadMerchants.MerchantsSource,
          Effect.sync(() => directory)
        )
      ),
      Layer.provideMerge(store),
      Layer.provide(Layer.succeedContext(outside)),
      Layer.provide(Layer.succeed(AuthClock, { nowMs: guard.currentTimeMillisUnsafe })),
      Layer.provide(Layer.merge(Layer.succeed(SecureRandom, { token }), LogThreshold.layer("Warn"))),
      Layer.provide(Layer.succeed(GatewayOperators.Operators, operators)),
      Layer.provide(Layer.succeed(Housekeeping.Every, "1 hour")),
      Layer.provide(Layer.succeed(ClockTrust.ClockTrust, ClockTrust.make(guard))),
      Layer.provide(Layer.succeed(ClockCheck.Every, "1 hour")),
      Layer.provide(
        Layer.succeed(Settings.Settings, {
          ...Settings.sandboxDefaults,
          publicBaseUrl,
          addressPolicy: AddressPolicy.withLoopback,
          // The simulation wakes the scheduler when it advances time.
          jobTickMs: 86_400_000,
          ...settings
        })
      ),
      Layer.provide(Layer.succeed(Clock.Clock, clock)),
      Layer.provide(Logger.layer([Logger.map(Logger.formatLogFmt, log)]))
    )
    const services = yield* Layer.buildWithScope(Layer.fresh(layer), scope).pipe(
      Effect.provideService(Clock.Clock, clock),
      Effect.onError(() => Scope.close(scope, Exit.void)),
      Effect.onError(() => Effect.sync(() => state.isKilled && storage.afterProcessEnd("kill", chance)))
    )
    const handlers = [Context.get(services, HostedPages), ...Context.get(services, FurtherPages)]
    const withOperators = Context.add(services, GatewayOperators.Operators, operators)
    const asOperator = yield* Effect.provide(OperatorListener.answers(), withOperators)
    running = Object.assign(state, {
      ...{ scope, services, clock, wall: guard },
      requests: new Set<Fiber.Fiber<unknown, unknown>>(),
      pages: (visit: PageRequest) =>
        visit.path.startsWith("/operator/") ? asOperator(visit) : Pages.first(handlers, visit)
    })
  })

  const kill = Effect.fnUntraced(function* (how: ProcessEnd = "kill") {
    const instance = running
    if (instance === undefined) return
    running = undefined
    killedAtMs = loop.nowMs()
    stepsLeft = Number.POSITIVE_INFINITY
    instance.isKilled = true
    resume()
    yield* Effect.forEach([...instance.requests], Fiber.interrupt, { discard: true })
    yield* Scope.close(instance.scope, Exit.void)
    storage.afterProcessEnd(how, chance)
  })

  const resume = () => {
    isPaused = false
    machine.resume()
  }

  const businessMs = () => (running?.clock ?? machine.clock).currentTimeMillisUnsafe()
  let latestMs = 0
  const wallMs = () => (running?.wall ?? machine.clock).currentTimeMillisUnsafe()
  const latestBusinessMs = () => {
    latestMs = Math.max(latestMs, businessMs())
    return latestMs
  }

  const answered = Effect.fnUntraced(function* <A>(answer: (instance: Instance) => Effect.Effect<A>) {
    const instance = running
    if (instance === undefined) return "refused" as const
    const fiber = run(Effect.provideService(answer(instance), Clock.Clock, instance.clock))
    instance.requests.add(fiber)
    const exit = yield* Fiber.await(fiber)
    instance.requests.delete(fiber)
    if (Exit.isFailure(exit) && Cause.hasDies(exit.cause)) return yield* Effect.failCause(exit.cause)
    return Exit.isSuccess(exit) && !instance.isKilled ? exit.value : ("cut" as const)
  })

  return {
    isUp: () => running !== undefined,
    isPaused: () => isPaused,
    killedAtMs: () => killedAtMs,
    services: () => running?.services,
    businessMs,
    wallMs,
    latestBusinessMs,
    machine: {
      ...machine,
      correct: () => {
        latestBusinessMs()
        machine.correct()
      }
    },
    start: Effect.suspend(() => (running === undefined ? begin : Effect.void)),
    kill,
    crashAfter: (steps) => {
      stepsLeft = steps
    },
    refuseBookings: (times) => {
      refusalsLeft = times
    },
    pause: () => {
      isPaused = true
      machine.pause()
    },
    resume,
    setDirectory: (next) => {
      directory = next
    },
    serve: (request) => answered(({ services }) => request(services)),
    page: (request) => answered(({ pages }) => pages(request))
  }
}

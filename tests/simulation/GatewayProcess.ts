/**
 * The gateway as a process of the simulated world: it can be killed between any two of its steps, paused, and started again on
 * what its store holds. Bank, rail, issuer and merchants outlive it.
 */
import type { Acquirer } from "@pay/gateway/Acquirer"
import * as AddressPolicy from "@pay/gateway/AddressPolicy"
import * as ApprovalApi from "@pay/gateway/ApprovalApi"
import { AuthClock } from "@pay/gateway/AuthClock"
import type { BankBooks, RailBooks } from "@pay/gateway/BankBooks"
import type { CallbackSender } from "@pay/gateway/CallbackSender"
import type * as Directory from "@pay/gateway/Directory"
import type { Front } from "@pay/gateway/Front"
import * as Gateway from "@pay/gateway/Gateway"
import { HostedPages } from "@pay/gateway/HostedPages"
import * as Housekeeping from "@pay/gateway/Housekeeping"
import type { KeyVault } from "@pay/gateway/KeyVault"
import * as LiveDirectory from "@pay/gateway/LiveDirectory"
import * as OperatorServer from "@pay/gateway/OperatorServer"
import * as GatewayOperators from "@pay/gateway/Operators"
import { FurtherPages, type PageAnswer, type PageRequest } from "@pay/gateway/Pages"
import type { PayoutRail } from "@pay/gateway/PayoutRail"
import { MerchantsSource } from "@pay/gateway/ReloadMerchants"
import type { Scheduler } from "@pay/gateway/Scheduler"
import { SecureRandom } from "@pay/gateway/SecureRandom"
import * as Settings from "@pay/gateway/Settings"
import * as SteadyClock from "@pay/gateway/SteadyClock"
import { Store } from "@pay/gateway/Store"
import type { ThreeDSServer } from "@pay/gateway/ThreeDSServer"
import * as OpeningBalance from "@pay/sandbox/OpeningBalance"
import { Cause, Clock, Context, Effect, Exit, Fiber, Layer, Logger, Scope } from "effect"
import type { Chance } from "./Chance.ts"
import type * as Loop from "./Loop.ts"
import { operators } from "./Operators.ts"
import type { ProcessEnd, Refusal, Storage } from "./storage/Storage.ts"

type StoreService = Store["Service"]
export type Outside = Acquirer | PayoutRail | ThreeDSServer | BankBooks | RailBooks | CallbackSender | KeyVault
export type Services = Front | Scheduler | HostedPages | Store | LiveDirectory.LiveDirectory

interface Instance {
  isKilled: boolean
  readonly scope: Scope.Closeable
  readonly services: Context.Context<Services>
  readonly pages: (request: PageRequest) => Effect.Effect<PageAnswer | undefined>
  readonly clock: Clock.Clock
  /** Requests that are being answered. */
  readonly requests: Set<Fiber.Fiber<unknown, unknown>>
}

export interface GatewayProcess {
  readonly isUp: () => boolean
  readonly isPaused: () => boolean
  /** When it was last killed, by the world's clock; undefined: never. */
  readonly killedAtMs: () => number | undefined
  /** The services of the running process; undefined while it is down. */
  readonly services: () => Context.Context<Services> | undefined
  /** Business time of the running process, which a wrong clock of its machine makes different from the world's. */
  readonly businessMs: () => number
  /** The latest business time that a process had, as far as this was called or the machine's clock was put right. */
  readonly latestBusinessMs: () => number
  /** The machine on which it runs: can be paused, and its clock can be wrong. */
  readonly machine: Loop.Process
  /** Fails where its store refuses to be opened. */
  readonly start: Effect.Effect<void, Refusal>
  /** Ends the process like `kill -9`, or in the way that `how` names. */
  readonly kill: (how?: ProcessEnd) => Effect.Effect<void>
  /** It dies by itself when it has asked its store or the outside world so many times more, before or after that step. */
  readonly crashAfter: (steps: number) => void
  readonly pause: () => void
  readonly resume: () => void
  /** The configuration that the next reload or start reads. */
  readonly describe: (directory: Directory.Config) => void
  /** A request reaches the process. It is never answered if the process is killed meanwhile, and refused if it is down. */
  readonly serve: <A>(
    request: (services: Context.Context<Services>) => Effect.Effect<A>
  ) => Effect.Effect<A | "refused" | "cut">
  /** A page of the gateway's: for browsers, operators and approvers. */
  readonly page: (request: PageRequest) => Effect.Effect<PageAnswer | undefined | "refused" | "cut">
}

export interface Options {
  readonly loop: Loop.Loop
  /** What every fiber of the process needs besides its clock and scheduler. */
  readonly context: Context.Context<never>
  /** Numbers for page tokens. */
  readonly token: () => string
  readonly outside: Context.Context<Outside>
  readonly storage: Storage
  /** The store as it is seen from outside of the process. */
  readonly watch: (store: StoreService) => StoreService
  readonly settings: Partial<Settings.Settings>
  readonly directory: Directory.Config
  readonly publicBaseUrl: string
  readonly chance: Chance
  /** Is told each line of the gateway's log. */
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

  /** A killed process asks nothing more: whatever it was doing ends there. */
  const crashControl = (state: { isKilled: boolean }) => {
    const step = Effect.suspend(() => {
      stepsLeft -= 1
      if (stepsLeft === 0) {
        state.isKilled = true
        loop.schedule(() => void Effect.runForkWith(options.context)(kill("kill")))
      }
      return state.isKilled ? Effect.interrupt : Effect.void
    })
    return <A, E>(ask: Effect.Effect<A, E>) =>
      Effect.andThen(
        step,
        Effect.tap(ask, () => step)
      )
  }

  const untilKilled = (store: StoreService, untilCrash: ReturnType<typeof crashControl>): StoreService => ({
    exclusive: store.exclusive,
    load: (entity, values, unique) => untilCrash(store.load(entity, values, unique)),
    find: (entity, index, range) => untilCrash(store.find(entity, index, range)),
    claimDue: (claim) => untilCrash(store.claimDue(claim)),
    commit: (decision) => untilCrash(store.commit(decision))
  })

  const begin = Effect.gen(function* () {
    const state = { isKilled: false }
    const untilCrash = crashControl(state)
    const scope = yield* Scope.make()
    const clock = SteadyClock.make(machine.clock)
    const store = Layer.effect(
      Store,
      Effect.map(Store, (opened) => untilKilled(watch(opened), untilCrash))
    ).pipe(Layer.provide(storage.layer))
    const pages = Layer.provideMerge(OperatorServer.layer, ApprovalApi.layer)
    // One commit for each merchant: none is about two.
    const balance = Effect.forEach(directory, ({ endpoints, login }) =>
      OpeningBalance.open(endpoints.map(({ currencies, id }) => ({ merchantId: login, endpointId: id, currencies })))
    )
    const layer = Layer.merge(pages, Layer.effectDiscard(balance)).pipe(
      Layer.provideMerge(Gateway.layerNoDeps),
      Layer.provideMerge(LiveDirectory.layer(directory)),
      Layer.provide(
        Layer.succeed(
          MerchantsSource,
          Effect.sync(() => directory)
        )
      ),
      Layer.provideMerge(store),
      Layer.provide(Layer.succeedContext(outside)),
      Layer.provide(Layer.succeed(AuthClock, { nowMs: machine.clock.currentTimeMillisUnsafe })),
      Layer.provide(Layer.succeed(SecureRandom, { token })),
      Layer.provide(Layer.succeed(GatewayOperators.Operators, operators)),
      Layer.provide(Layer.succeed(Housekeeping.Every, "1 hour")),
      Layer.provide(
        Layer.succeed(Settings.Settings, {
          ...Settings.sandboxDefaults,
          publicBaseUrl,
          addressPolicy: AddressPolicy.withLoopback,
          // What is due is looked for when the world moves its time on.
          agendaTickMs: 86_400_000,
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
    running = Object.assign(state, {
      ...{ scope, services, clock },
      requests: new Set<Fiber.Fiber<unknown, unknown>>(),
      pages: Effect.fnUntraced(function* (request: PageRequest) {
        for (const handler of handlers) {
          const answer = yield* handler(request)
          if (answer !== undefined) return answer
        }
        return undefined
      })
    })
  })

  const kill = Effect.fnUntraced(function* (how: ProcessEnd = "kill") {
    const ended = running
    if (ended === undefined) return
    running = undefined
    killedAtMs = loop.nowMs()
    stepsLeft = Number.POSITIVE_INFINITY
    ended.isKilled = true
    resume()
    yield* Effect.forEach([...ended.requests], Fiber.interrupt, { discard: true })
    yield* Scope.close(ended.scope, Exit.void)
    storage.afterProcessEnd(how, chance)
  })

  const resume = () => {
    isPaused = false
    machine.resume()
  }

  const businessMs = () => (running?.clock ?? machine.clock).currentTimeMillisUnsafe()
  let latestMs = 0
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
    pause: () => {
      isPaused = true
      machine.pause()
    },
    resume,
    describe: (next) => {
      directory = next
    },
    serve: (request) => answered(({ services }) => request(services)),
    page: (request) => answered(({ pages }) => pages(request))
  }
}

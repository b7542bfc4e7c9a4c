/**
 * The gateway as a process of the simulated world: it can be killed between any two of its steps and started again on what its
 * store holds. Bank, rail, issuer and merchants outlive it.
 */
import type { Acquirer } from "@pay/gateway/Acquirer"
import * as AddressPolicy from "@pay/gateway/AddressPolicy"
import type { Agenda } from "@pay/gateway/Agenda"
import { AuthClock } from "@pay/gateway/AuthClock"
import type { CallbackSender } from "@pay/gateway/CallbackSender"
import type { Front } from "@pay/gateway/Front"
import * as Gateway from "@pay/gateway/Gateway"
import type { HostedPages } from "@pay/gateway/HostedPages"
import type { KeyVault } from "@pay/gateway/KeyVault"
import * as LiveDirectory from "@pay/gateway/LiveDirectory"
import { SecureRandom } from "@pay/gateway/SecureRandom"
import * as Settings from "@pay/gateway/Settings"
import { Store } from "@pay/gateway/Store"
import * as Sandbox from "@pay/server/Sandbox"
import { Context, Effect, Exit, Fiber, Layer, Logger, Scope } from "effect"
import type { Loop } from "./Loop.ts"

type Shelf = Store["Service"]
type Outside = Store | Acquirer | CallbackSender | KeyVault
export type Services = Front | Agenda | HostedPages

interface Instance {
  isKilled: boolean
  readonly scope: Scope.Closeable
  readonly services: Context.Context<Services>
  /** Requests that are being answered. */
  readonly requests: Set<Fiber.Fiber<unknown, unknown>>
}

/** A killed process asks its store nothing more: whatever it was doing ends there. */
const untilKilled = (store: Shelf, isKilled: () => boolean): Shelf => {
  const alive = <A, E>(ask: Effect.Effect<A, E>) => Effect.suspend(() => (isKilled() ? Effect.interrupt : ask))
  return {
    exclusive: store.exclusive,
    load: (entity, values, unique) => alive(store.load(entity, values, unique)),
    find: (entity, index, range) => alive(store.find(entity, index, range)),
    claimDue: (claim) => alive(store.claimDue(claim)),
    commit: (decision) => alive(store.commit(decision))
  }
}

export interface GatewayProcess {
  readonly isUp: () => boolean
  /** The services of the running process; undefined while it is down. */
  readonly services: () => Context.Context<Services> | undefined
  readonly start: Effect.Effect<void>
  /** As by `kill -9`. */
  readonly kill: Effect.Effect<void>
  /** A request reaches the process. It is never answered if the process is killed meanwhile, and refused if it is down. */
  readonly serve: <A>(
    request: (services: Context.Context<Services>) => Effect.Effect<A>
  ) => Effect.Effect<A | "refused" | "cut">
}

export interface Options {
  readonly loop: Loop
  /** What every fiber of the process needs: clock, scheduler, chance. */
  readonly context: Context.Context<never>
  /** Numbers for page tokens. */
  readonly token: () => string
  readonly outside: Context.Context<Outside>
  readonly settings: Partial<Settings.Settings>
}

export const make = ({ context, loop, outside, settings, token }: Options): GatewayProcess => {
  let running: Instance | undefined
  const run = Effect.runForkWith(context)

  const begin = Effect.gen(function* () {
    const state = { isKilled: false }
    const scope = yield* Scope.make()
    const store = untilKilled(Context.get(outside, Store), () => state.isKilled)
    const layer = Gateway.layerNoDeps.pipe(
      Layer.provideMerge(LiveDirectory.layer(Sandbox.merchants)),
      Layer.provide(Layer.succeedContext(Context.add(outside, Store, store))),
      Layer.provide(Layer.succeed(AuthClock, { nowMs: loop.nowMs })),
      Layer.provide(Layer.succeed(SecureRandom, { token })),
      Layer.provide(
        Layer.succeed(Settings.Settings, {
          ...Settings.defaults,
          addressPolicy: AddressPolicy.withLoopback,
          // What is due is looked for when the world moves its time on.
          agendaTickMs: 86_400_000,
          ...settings
        })
      ),
      Layer.provide(Logger.layer([]))
    )
    const services = yield* Effect.orDie(Layer.buildWithScope(Layer.fresh(layer), scope))
    running = Object.assign(state, { scope, services, requests: new Set<Fiber.Fiber<unknown, unknown>>() })
  })

  const kill = Effect.gen(function* () {
    const ended = running
    if (ended === undefined) return
    running = undefined
    ended.isKilled = true
    yield* Effect.forEach([...ended.requests], Fiber.interrupt, { discard: true })
    yield* Scope.close(ended.scope, Exit.void)
  })

  return {
    isUp: () => running !== undefined,
    services: () => running?.services,
    start: Effect.suspend(() => (running === undefined ? begin : Effect.void)),
    kill,
    serve: Effect.fnUntraced(function* (request) {
      const instance = running
      if (instance === undefined) return "refused"
      const fiber = run(request(instance.services))
      instance.requests.add(fiber)
      const exit = yield* Fiber.await(fiber)
      instance.requests.delete(fiber)
      return Exit.isSuccess(exit) && !instance.isKilled ? exit.value : "cut"
    })
  }
}

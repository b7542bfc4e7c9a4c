/** A gateway that can be killed and started again while its store, keys, bank and callers continue. */

import { Front, HostedPages } from "@pay/gateway/Gateway"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"
import { Context, Duration, Effect, Exit, Fiber, Layer, Scope, Semaphore } from "effect"

/** The service that kills the gateway and starts it again. */
export class Restart extends Context.Service<
  Restart,
  {
    /**
     * Kills the gateway, as `kill -9` does, and starts a new one. The killed gateway writes nothing more, not even what it writes
     * at an orderly end. The requests that it had begun have reached the bank, and their answers are lost, so that the new gateway
     * learns them by its first inquiry. The new gateway finds unfinished work in its store.
     */
    readonly now: Effect.Effect<void>
  }
>()("@pay/sandbox/Restart") {}

type Services = Front | Scheduler | HostedPages

interface Instance {
  /** Whether the gateway may write. Without writes, it only reads what it needs for the requests that it has begun. */
  writes: boolean
  reads: boolean
}

/** Longest time for which requests that have begun may take to reach a bank that does not answer. */
const longestSending = Duration.seconds(1)

/** The store for a gateway that may be killed. A write, and at the end every call, interrupts its caller. */
const storeOf = (instance: Instance) =>
  Layer.effect(
    Store,
    Effect.map(Store, (store) => {
      const reading = <A, E>(ask: Effect.Effect<A, E>) =>
        Effect.suspend(() => (instance.reads ? ask : Effect.interrupt))
      const writing = <A, E>(ask: Effect.Effect<A, E>) =>
        Effect.suspend(() => (instance.writes ? ask : Effect.interrupt))
      return Store.of({
        exclusive: store.exclusive,
        ...(store.isShort === undefined ? {} : { isShort: store.isShort }),
        load: (entity, values, unique) => reading(store.load(entity, values, unique)),
        find: (entity, index, range) => reading(store.find(entity, index, range)),
        claimDue: (claim) => writing(store.claimDue(claim)),
        commit: (decision) => writing(store.commit(decision))
      })
    })
  )

/** Makes services that pass each call to the gateway that is running now. */
export const around = <E, R>(
  gateway: Layer.Layer<Services, E, R | Store>
): Layer.Layer<Services | Restart, E, R | Store> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const own = yield* Effect.scope
      const begin = Effect.gen(function* () {
        const instance: Instance = { writes: true, reads: true }
        const scope = yield* Scope.fork(own)
        const killable = Layer.fresh(Layer.provide(gateway, storeOf(instance)))
        return { instance, scope, services: yield* Layer.buildWithScope(killable, scope) }
      })
      const outside = yield* Effect.context<R | Store>()
      let running = yield* begin
      const jobs = () => Context.get(running.services, Scheduler)
      const restarting = yield* Semaphore.make(1)
      const now = restarting.withPermit(
        Effect.gen(function* () {
          running.instance.writes = false
          yield* Effect.timeoutOption(jobs().stop, longestSending)
          running.instance.reads = false
          yield* Scope.close(running.scope, Exit.void)
          running = yield* Effect.orDie(begin)
        }).pipe(Effect.provideContext(outside))
      )
      /**
       * Sends a call from outside to the gateway's scheduler. If the gateway is killed during the call, the new gateway gets the
       * call, and the caller is not interrupted.
       */
      const acrossRestarts = <A>(ask: (scheduler: Scheduler["Service"]) => Effect.Effect<A>): Effect.Effect<A> =>
        Effect.gen(function* () {
          const { instance } = running
          const exit = yield* Effect.flatMap(Effect.forkChild(ask(jobs()), { startImmediately: true }), Fiber.await)
          if (instance.writes || !Exit.hasInterrupts(exit)) return yield* exit
          yield* restarting.withPermit(Effect.void)
          return yield* acrossRestarts(ask)
        })
      const front = () => Context.get(running.services, Front)
      return Context.make(Restart, { now }).pipe(
        Context.add(Front, {
          handle: (request) => Effect.suspend(() => front().handle(request)),
          closed: Effect.suspend(() => front().closed),
          storeFailures: () => front().storeFailures(),
          refusal: (refused, request) => front().refusal(refused, request)
        }),
        Context.add(HostedPages, (request) =>
          Effect.suspend(() => Context.get(running.services, HostedPages)(request))
        ),
        Context.add(Scheduler, {
          claim: (nowMs, kind, merchantId) => jobs().claim(nowMs, kind, merchantId),
          holds: (item) => Effect.suspend(() => jobs().holds(item)),
          wake: acrossRestarts(({ wake }) => wake),
          nextDueMs: acrossRestarts(({ nextDueMs }) => nextDueMs),
          load: () => jobs().load(),
          settled: acrossRestarts(({ settled }) => settled),
          stop: Effect.suspend(() => jobs().stop)
        })
      )
    })
  )

/** A gateway that can be killed and started again while its store, keys, bank and callers live on. */

import { Front } from "@pay/gateway/Front"
import { HostedPages } from "@pay/gateway/HostedPages"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"
import { Context, Effect, Exit, Fiber, Layer, Scope, Semaphore } from "effect"

export class Restart extends Context.Service<
  Restart,
  {
    /**
     * The gateway dies where it is, as by `kill -9`, and begins anew: nothing of it writes any more, not even what it does at an
     * orderly end; what it had under way, it finds in its store.
     */
    readonly now: Effect.Effect<void>
  }
>()("@pay/sandbox/Restart") {}

type Services = Front | Scheduler | HostedPages

interface Life {
  isOver: boolean
}

/** The store as a gateway sees it that may be killed: whoever asks after its end ends with it. */
const until = (life: Life) =>
  Layer.effect(
    Store,
    Effect.map(Store, (store) => {
      const alive = <A, E>(ask: Effect.Effect<A, E>) => Effect.suspend(() => (life.isOver ? Effect.interrupt : ask))
      return Store.of({
        exclusive: store.exclusive,
        load: (entity, values, unique) => alive(store.load(entity, values, unique)),
        find: (entity, index, range) => alive(store.find(entity, index, range)),
        claimDue: (claim) => alive(store.claimDue(claim)),
        commit: (decision) => alive(store.commit(decision))
      })
    })
  )

/** Stands for the gateway of this layer, whichever is running. */
export const around = <E, R>(
  gateway: Layer.Layer<Services, E, R | Store>
): Layer.Layer<Services | Restart, E, R | Store> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const own = yield* Effect.scope
      const begin = Effect.gen(function* () {
        const life: Life = { isOver: false }
        const scope = yield* Scope.fork(own)
        const mortal = Layer.fresh(Layer.provide(gateway, until(life)))
        return { life, scope, services: yield* Layer.buildWithScope(mortal, scope) }
      })
      const outside = yield* Effect.context<R | Store>()
      let running = yield* begin
      const restarting = yield* Semaphore.make(1)
      const now = restarting.withPermit(
        Effect.gen(function* () {
          running.life.isOver = true
          yield* Scope.close(running.scope, Exit.void)
          running = yield* Effect.orDie(begin)
        }).pipe(Effect.provideContext(outside))
      )

      const jobs = () => Context.get(running.services, Scheduler)
      /** Asked of the gateway by what is outside of it: where it dies meanwhile, the next one is asked, and nobody else ends. */
      const outlived = <A>(ask: (scheduler: Scheduler["Service"]) => Effect.Effect<A>): Effect.Effect<A> =>
        Effect.gen(function* () {
          const { life } = running
          const exit = yield* Effect.flatMap(Effect.forkChild(ask(jobs()), { startImmediately: true }), Fiber.await)
          if (!life.isOver || !Exit.hasInterrupts(exit)) return yield* exit
          yield* restarting.withPermit(Effect.void)
          return yield* outlived(ask)
        })
      const front = () => Context.get(running.services, Front)
      return Context.make(Restart, { now }).pipe(
        Context.add(Front, {
          handle: (request) => Effect.suspend(() => front().handle(request)),
          isReady: () => front().isReady(),
          refusal: (refused) => front().refusal(refused)
        }),
        Context.add(HostedPages, (request) =>
          Effect.suspend(() => Context.get(running.services, HostedPages)(request))
        ),
        Context.add(Scheduler, {
          claim: (nowMs, kind, merchantId) => jobs().claim(nowMs, kind, merchantId),
          start: (items) => jobs().start(items),
          holds: (item) => Effect.suspend(() => jobs().holds(item)),
          wake: outlived(({ wake }) => wake),
          nextDueMs: outlived(({ nextDueMs }) => nextDueMs),
          load: () => jobs().load(),
          settled: outlived(({ settled }) => settled),
          stop: Effect.suspend(() => jobs().stop)
        })
      )
    })
  )

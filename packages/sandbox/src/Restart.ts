/** A gateway that can be started again while its store, keys, bank and callers live on. */
import { Agenda } from "@pay/gateway/Agenda"
import { Front } from "@pay/gateway/Front"
import { HostedPages } from "@pay/gateway/HostedPages"
import { Context, Effect, Exit, Layer, Scope } from "effect"

export class Restart extends Context.Service<
  Restart,
  {
    /** The gateway ends in good order and begins anew; what it had under way, it finds in its store. */
    readonly now: Effect.Effect<void>
  }
>()("@pay/sandbox/Restart") {}

type Services = Front | Agenda | HostedPages

/** Stands for the gateway of this layer, whichever is running. */
export const around = <E, R>(gateway: Layer.Layer<Services, E, R>): Layer.Layer<Services | Restart, E, R> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const own = yield* Effect.scope
      const begin = Effect.gen(function* () {
        const scope = yield* Scope.fork(own)
        return { scope, services: yield* Layer.buildWithScope(Layer.fresh(gateway), scope) }
      })
      const outside = yield* Effect.context<R>()
      let running = yield* begin
      const now = Effect.gen(function* () {
        yield* Scope.close(running.scope, Exit.void)
        running = yield* Effect.orDie(begin)
      }).pipe(Effect.provideContext(outside))

      const agenda = () => Context.get(running.services, Agenda)
      const front = () => Context.get(running.services, Front)
      return Context.make(Restart, { now }).pipe(
        Context.add(Front, {
          handle: (request) => Effect.suspend(() => front().handle(request)),
          refusal: (refused) => front().refusal(refused)
        }),
        Context.add(HostedPages, (request) =>
          Effect.suspend(() => Context.get(running.services, HostedPages)(request))
        ),
        Context.add(Agenda, {
          claim: (nowMs, kind) => agenda().claim(nowMs, kind),
          start: (items) => agenda().start(items),
          wake: Effect.suspend(() => agenda().wake),
          nextDueMs: Effect.suspend(() => agenda().nextDueMs),
          load: () => agenda().load(),
          settled: Effect.suspend(() => agenda().settled),
          stop: Effect.suspend(() => agenda().stop)
        })
      )
    })
  )

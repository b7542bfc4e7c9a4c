/** The merchant's connection to the gateway in a test: no socket, and it breaks when it is told to. */
import { Front } from "@pay/gateway/Front"
import * as Wire from "@pay/transport/Wire"
import { Context, Effect, Fiber, Layer } from "effect"

export class Line extends Context.Service<
  Line,
  {
    /** The gateway gets the next request and carries it out; its answer never arrives. */
    readonly loseNextAnswer: Effect.Effect<void>
    /** The next request cannot be sent, nor those after it, so many in all. */
    readonly refuseNext: (times: number) => Effect.Effect<void>
  }
>()("@pay/sandbox/Line") {}

/** A request that has arrived is carried out by the gateway, on its own clock, whether or not somebody waits for the answer. */
export const layer = (publicBaseUrl: string) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const front = yield* Front
      const run = Effect.runForkWith(yield* Effect.context<never>())
      let losing = false
      let refusing = 0

      const send = ({ body, headers, url }: Wire.WireRequest): Effect.Effect<Wire.WireAnswer, Wire.WireError> =>
        Effect.suspend(() => {
          if (refusing > 0) {
            refusing -= 1
            return Effect.fail(new Wire.WireError({ reason: "NotSent", code: "ECONNREFUSED" }))
          }
          const lost = losing
          losing = false
          const target = url.slice(publicBaseUrl.length)
          const request = { method: "POST", publicBaseUrl, target, headers, body, remoteAddress: "127.0.0.1" }
          const answer = Fiber.join(run(front.handle(request)))
          return lost
            ? Effect.andThen(answer, Effect.fail(new Wire.WireError({ reason: "Lost", code: "ECONNRESET" })))
            : answer
        })

      const line = Line.of({
        loseNextAnswer: Effect.sync(() => {
          losing = true
        }),
        refuseNext: (times) =>
          Effect.sync(() => {
            refusing = times
          })
      })
      return Context.make(Line, line).pipe(
        Context.add(Wire.Wire, Wire.Wire.of({ send: (request) => Wire.expiring(request, send(request)) }))
      )
    })
  )

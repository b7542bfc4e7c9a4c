/** The sandbox's clock over HTTP, for operators of the gateway: the operations of `ClockApi.ts`. A production gateway has none. */

import { FurtherPages, OperatorHandler, Operators, type PageHandler } from "@pay/gateway/Gateway"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Settings } from "@pay/gateway/Settings"
import { Clock, Effect, Layer } from "effect"
import { advanceClock, durationMs, resetClock, showClock } from "./ClockApi.ts"
import { SandboxClock } from "./SandboxClock.ts"

const make = Effect.gen(function* () {
  const clock = yield* SandboxClock
  const scheduler = yield* Scheduler
  const operators = yield* Operators.Operators
  const { publicBaseUrl } = yield* Settings

  const look = Effect.gen(function* () {
    const offsetMs = yield* clock.offsetMs
    return { now: yield* Clock.currentTimeMillis, offsetMs }
  })

  const routes = [
    OperatorHandler.route(showClock, () => look),
    OperatorHandler.route(advanceClock, ({ by }) =>
      clock.advance(durationMs(by) ?? 0, scheduler).pipe(
        Effect.andThen(look),
        Effect.catchTag("AdvanceRefused", ({ message }) => OperatorHandler.invalid(message))
      )
    ),
    OperatorHandler.route(resetClock, () =>
      Effect.andThen(clock.reset, look).pipe(
        Effect.catchTag("AdvanceRefused", ({ message }) => OperatorHandler.invalid(message))
      )
    )
  ]

  const handler: PageHandler = (request) => {
    if (request.path !== showClock.path && !request.path.startsWith(`${showClock.path}/`))
      return Effect.succeed(undefined)
    const admitted = Operators.admission(request, operators, publicBaseUrl)
    if (admitted._tag === "Hidden") return Effect.succeed(undefined)
    return OperatorHandler.answer(routes, request, admitted)
  }
  return handler
})

/** Adds the pages of the clock before the other pages of the context. */
export const layer = Layer.effect(
  FurtherPages,
  Effect.gen(function* () {
    const others = yield* FurtherPages
    return [yield* make, ...others]
  })
)

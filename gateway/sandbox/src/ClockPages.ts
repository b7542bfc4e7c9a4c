/** The sandbox's clock over HTTP, for operators of the gateway: the operations of `ClockApi.ts`. A production gateway has none. */

import { OperatorHandler, Pages, SignIn } from "@pay/gateway/Gateway"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Clock, Effect, Layer } from "effect"
import { advanceClock, durationMs, resetClock, showClock } from "./ClockApi.ts"
import { SandboxClock } from "./SandboxClock.ts"

const make = Effect.gen(function* () {
  const clock = yield* SandboxClock
  const scheduler = yield* Scheduler

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

  return (request: Pages.OperatorRequest) => OperatorHandler.answer(routes, request)
})

/** At the merchants' address, for programs on this machine: whoever tests a shop advances its time. */
const onMachine = Effect.map(
  make,
  (answer): Pages.PageHandler =>
    (request) =>
      SignIn.isOnMachine(request) ? answer({ ...request, operator: SignIn.everyone }) : Effect.succeed(undefined)
)

/** Adds the clock to what operators are answered, and to the further pages. */
export const layer = Layer.merge(Pages.operatorLayer(make), Pages.layer(onMachine))

/** A merchant beside the stub gateway, with a connection that fails on demand and one time for both. */

import { merchant } from "@pay/sandbox/SandboxMerchant"
import * as PayClient from "@pay/transport/PayClient"
import type * as Profile from "@pay/transport/Profile"
import * as Wire from "@pay/transport/Wire"
import { Clock, Duration, Effect, Fiber, Layer, Redacted } from "effect"
import * as NetworkFaults from "../../../gateway/sandbox/src/NetworkFaults.ts"
import * as Clocks from "../../../packages/schema/test/Clocks.ts"
import * as StubContract from "./StubContract.ts"
import * as StubDialect from "./StubDialect.ts"
import * as StubGateway from "./StubGateway.ts"

interface Event {
  readonly atMs: number
  readonly work: () => void
}

const startMs = Date.UTC(2026, 10, 2)

const dayMs = 86_400_000

const { wall } = Clocks

/** `profile`: what the merchant knows of this gateway; by default nothing, and all settings are the default. */
export const make = (settings: StubGateway.Settings, profile: Profile.Name | Profile.Profile = {}) => {
  let nowMs = startMs
  const due: Array<Event> = []
  const sleepers = Clocks.sleepers(() => nowMs)
  const messages: Array<string> = []
  const gateway = StubGateway.make(settings, {
    after: (delayMs, work) => void due.push({ atMs: nowMs + delayMs, work }),
    tell: (url) => void messages.push(url)
  })

  /** Does everything that is due until then, in order. */
  const advance = (untilMs: number): void => {
    for (;;) {
      const next = due.filter(({ atMs }) => atMs <= untilMs).sort((one, other) => one.atMs - other.atMs)[0]
      if (next === undefined) break
      due.splice(due.indexOf(next), 1)
      nowMs = Math.max(nowMs, next.atMs)
      next.work()
    }
    nowMs = Math.max(nowMs, untilMs)
  }
  /** Until all that was accepted is done. */
  const settle = Effect.sync(() => advance(nowMs + 120_000))

  let calls = 0
  const faults = NetworkFaults.make({
    arrive: (request) => Effect.sync(() => StubDialect.receive(gateway, settings.dialect ?? "json", request)),
    settled: settle,
    restart: Effect.void,
    tooMany: { status: 429, headers: { "retry-after": "7" }, body: '{"error-message":"too many"}' }
  })
  const wire = Layer.succeed(Wire.Wire, {
    send: (request) =>
      Effect.suspend(() => {
        calls += 1
        return Effect.ensuring(
          faults.send(request),
          Effect.sync(() => {
            calls -= 1
          })
        )
      })
  })
  let slept = Duration.zero
  /** The client's pauses between tries take no time of anybody: after each of them its clock is that much ahead. */
  const hasty = Clocks.make({
    nowMs: () => wall.currentTimeMillisUnsafe(),
    monotonicNanos: () => wall.monotonicTimeNanosUnsafe() + Duration.toNanosUnsafe(slept),
    sleep: (duration) =>
      Effect.sync(() => {
        slept = Duration.sum(slept, duration)
      })
  })
  const client = Layer.effect(
    PayClient.PayClient,
    Effect.map(
      Effect.orDie(
        PayClient.make({
          baseUrl: StubGateway.baseUrl,
          login: merchant.login,
          controlKey: Redacted.make(StubContract.controlKey),
          privateKey: Redacted.make(merchant.privateKeyPem),
          endpointId: "1001",
          profile
        })
      ),
      (made) => PayClient.around(made, Effect.provideService(Clock.Clock, hasty))
    )
  ).pipe(Layer.provide(wire))

  let ahead = 0
  const clock = Clocks.make({
    nowMs: () => nowMs + ahead,
    monotonicNanos: () => BigInt(nowMs) * 1_000_000n,
    sleep: sleepers.sleep
  })

  /** Runs the effect, and advances the time whenever everything waits. `deliver` gets the callbacks. */
  const inTime =
    ({
      deliver,
      jumps = false,
      rest = Effect.void
    }: {
      readonly deliver?: ((url: string) => Effect.Effect<unknown>) | undefined
      readonly jumps?: boolean
      readonly rest?: Effect.Effect<void>
    }) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.provideService(effect, Clock.Clock, clock))
        while (fiber.pollUnsafe() === undefined) {
          yield* Clocks.turn
          if (calls > 0) continue
          for (const url of messages.splice(0)) if (deliver !== undefined) yield* deliver(url)
          yield* Effect.provideService(rest, Clock.Clock, clock)
          yield* Clocks.turn
          yield* Clocks.turn
          if (calls > 0 || fiber.pollUnsafe() !== undefined || !Number.isFinite(sleepers.nextMs())) continue
          advance(Math.max(nowMs, Math.ceil(Math.min(sleepers.nextMs(), ...due.map(({ atMs }) => atMs)))))
          sleepers.wake(() => {
            ahead = jumps && ahead === 0 ? dayMs : 0
          })
        }
        return yield* Fiber.join(fiber)
      })

  return {
    ...faults,
    client,
    gateway,
    inTime,
    settle
  }
}

export type StubConnection = ReturnType<typeof make>

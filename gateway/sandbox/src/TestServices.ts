/**
 * The services that a test gets from the gateway's side. All of them run on the gateway's clock, while the test keeps its own:
 * one that does not move by itself under Effect's test services, or real time.
 */

import { BankBooks, RailBooks } from "@pay/gateway/BankBooks"
import { Directory, LiveDirectory } from "@pay/gateway/Directory"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"
import { PayClient } from "@pay/transport/PayClient"
import { Clock, type Context, Effect, Layer, Predicate } from "effect"
import { Inbox } from "./Inbox.ts"
import { RailControl } from "./RailControl.ts"
import { SandboxClock } from "./SandboxClock.ts"
import { SandboxControl } from "./SandboxControl.ts"
import { ThreeDSControl } from "./ThreeDSControl.ts"

/** Provides the service unchanged. */
export const asIs = <I, S>(service: Context.Key<I, S>) => Layer.effect(service, service)

/** Returns the service with the clock for each of its effects, for those that its methods return, and for those of its parts. */
const on = <S extends object>(clock: Clock.Clock, service: S): S => {
  const timed = (value: unknown): unknown =>
    Effect.isEffect(value) ? Effect.provideService(value, Clock.Clock, clock) : value
  return new Proxy(service, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value === "function")
        return (...args: ReadonlyArray<unknown>) => timed(Reflect.apply(value, target, args))
      return Effect.isEffect(value) || !Predicate.isObject(value) ? timed(value) : on(clock, value)
    }
  })
}

/** Provides the service on the gateway's clock. */
const onGatewayClock = <I, S extends object>(service: Context.Key<I, S>) =>
  Layer.effect(
    service,
    Effect.map(Effect.all([Clock.Clock, service]), ([clock, made]) => on(clock, made))
  )

export const layer = Layer.mergeAll(
  asIs(PayClient),
  asIs(Inbox),
  asIs(SandboxClock),
  asIs(Store),
  asIs(Directory),
  asIs(LiveDirectory),
  onGatewayClock(Scheduler),
  onGatewayClock(SandboxControl),
  onGatewayClock(RailControl),
  onGatewayClock(ThreeDSControl),
  onGatewayClock(BankBooks),
  onGatewayClock(RailBooks)
)

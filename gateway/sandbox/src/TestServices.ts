/**
 * The services that a test gets from the gateway's side. All of them run on the gateway's clock, while the test keeps its own:
 * one that does not move by itself under Effect's test services, or real time.
 */

import { BankBooks, RailBooks } from "@pay/gateway/BankBooks"
import { Directory, LiveDirectory } from "@pay/gateway/Directory"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"
import { PayClient } from "@pay/transport/PayClient"
import { Clock, type Context, Effect, Layer } from "effect"
import { Inbox } from "./Inbox.ts"
import { RailControl } from "./RailControl.ts"
import { SandboxClock } from "./SandboxClock.ts"
import { SandboxControl } from "./SandboxControl.ts"
import { ThreeDSControl } from "./ThreeDSControl.ts"

/** Provides the service unchanged. */
export const asIs = <I, S>(service: Context.Key<I, S>) => Layer.effect(service, service)

const onGatewayClock = Effect.map(
  Clock.Clock,
  (clock) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.provideService(effect, Clock.Clock, clock)
)

const jobs = Layer.effect(
  Scheduler,
  Effect.gen(function* () {
    const scheduler = yield* Scheduler
    const byGatewayClock = yield* onGatewayClock
    return { ...scheduler, settled: byGatewayClock(scheduler.settled), stop: byGatewayClock(scheduler.stop) }
  })
)

const control = Layer.effect(
  SandboxControl,
  Effect.gen(function* () {
    const control = yield* SandboxControl
    const byGatewayClock = yield* onGatewayClock
    return {
      ...control,
      settle: (reference, verdict) => byGatewayClock(control.settle(reference, verdict)),
      books: {
        ...control.books,
        list: (period, after) => byGatewayClock(control.books.list(period, after)),
        totals: (orderId) => byGatewayClock(control.books.totals(orderId))
      }
    }
  })
)

const rail = Layer.effect(
  RailControl,
  Effect.gen(function* () {
    const control = yield* RailControl
    const byGatewayClock = yield* onGatewayClock
    return {
      ...control,
      settle: (reference, verdict) => byGatewayClock(control.settle(reference, verdict)),
      refuseLate: (reference, reason) => byGatewayClock(control.refuseLate(reference, reason)),
      books: {
        ...control.books,
        list: (period, after) => byGatewayClock(control.books.list(period, after)),
        totals: (orderId) => byGatewayClock(control.books.totals(orderId))
      }
    }
  })
)

const railBooks = Layer.effect(
  RailBooks,
  Effect.gen(function* () {
    const { bookings, totals } = yield* RailBooks
    const byGatewayClock = yield* onGatewayClock
    return {
      bookings: (period, after) => byGatewayClock(bookings(period, after)),
      totals: totals && ((orderId) => byGatewayClock(totals(orderId)))
    }
  })
)

const issuer = Layer.effect(
  ThreeDSControl,
  Effect.gen(function* () {
    const control = yield* ThreeDSControl
    const byGatewayClock = yield* onGatewayClock
    return {
      ...control,
      play: (name, choice) => byGatewayClock(control.play(name, choice)),
      report: (name) => byGatewayClock(control.report(name))
    }
  })
)

const books = Layer.effect(
  BankBooks,
  Effect.gen(function* () {
    const { bookings, totals } = yield* BankBooks
    const byGatewayClock = yield* onGatewayClock
    return {
      bookings: (period, after) => byGatewayClock(bookings(period, after)),
      totals: totals && ((orderId) => byGatewayClock(totals(orderId)))
    }
  })
)

export const layer = Layer.mergeAll(
  asIs(PayClient),
  asIs(Inbox),
  asIs(SandboxClock),
  asIs(Store),
  asIs(Directory),
  asIs(LiveDirectory),
  jobs,
  control,
  rail,
  issuer,
  books,
  railBooks
)

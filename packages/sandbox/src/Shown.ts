/**
 * The services that a test gets from the gateway's side. All of them run on the gateway's clock, while the test keeps its own:
 * one that does not move by itself under Effect's test services, or real time.
 */

import { BankBooks, RailBooks } from "@pay/gateway/BankBooks"
import { Directory } from "@pay/gateway/Directory"
import { LiveDirectory } from "@pay/gateway/LiveDirectory"
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
    const there = yield* onGatewayClock
    return { ...scheduler, settled: there(scheduler.settled), stop: there(scheduler.stop) }
  })
)

const control = Layer.effect(
  SandboxControl,
  Effect.gen(function* () {
    const control = yield* SandboxControl
    const there = yield* onGatewayClock
    return {
      ...control,
      settle: (reference, verdict) => there(control.settle(reference, verdict)),
      books: {
        ...control.books,
        list: (period, after) => there(control.books.list(period, after)),
        totals: (orderId) => there(control.books.totals(orderId))
      }
    }
  })
)

const rail = Layer.effect(
  RailControl,
  Effect.gen(function* () {
    const control = yield* RailControl
    const there = yield* onGatewayClock
    return {
      ...control,
      settle: (reference, verdict) => there(control.settle(reference, verdict)),
      refuseLate: (reference, reason) => there(control.refuseLate(reference, reason)),
      books: {
        ...control.books,
        list: (period, after) => there(control.books.list(period, after)),
        totals: (orderId) => there(control.books.totals(orderId))
      }
    }
  })
)

const railBooks = Layer.effect(
  RailBooks,
  Effect.gen(function* () {
    const { bookings, totals } = yield* RailBooks
    const there = yield* onGatewayClock
    return {
      bookings: (period, after) => there(bookings(period, after)),
      totals: totals && ((orderId) => there(totals(orderId)))
    }
  })
)

const issuer = Layer.effect(
  ThreeDSControl,
  Effect.gen(function* () {
    const control = yield* ThreeDSControl
    const there = yield* onGatewayClock
    return {
      ...control,
      play: (name, choice) => there(control.play(name, choice)),
      report: (name) => there(control.report(name))
    }
  })
)

const books = Layer.effect(
  BankBooks,
  Effect.gen(function* () {
    const { bookings, totals } = yield* BankBooks
    const there = yield* onGatewayClock
    return {
      bookings: (period, after) => there(bookings(period, after)),
      totals: totals && ((orderId) => there(totals(orderId)))
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

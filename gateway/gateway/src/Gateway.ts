/** Composes the gateway. The caller provides a store, a directory, a bank, a key vault and a way to send callbacks. */
import { Effect, Layer, Option } from "effect"
import * as Capabilities from "./Capabilities.ts"
import * as ClockCheck from "./ClockCheck.ts"
import * as Front from "./http/Front.ts"
import * as Handlers from "./http/Handlers.ts"
import { NewOrders } from "./http/NewOrders.ts"
import { HostedPages } from "./http/pages/HostedPages.ts"
import * as RequestLog from "./http/RequestLog.ts"
import * as JobHandlers from "./JobHandlers.ts"
import { AuthClock } from "./kernel/AuthClock.ts"
import type { ProcessFacts } from "./kernel/CompareProcesses.ts"
import { Ids } from "./kernel/Ids.ts"
import { KeyedLock } from "./kernel/KeyedLock.ts"
import * as ProcessLease from "./kernel/ProcessLease.ts"
import { PublicAddress } from "./kernel/PublicAddress.ts"
import * as Scheduler from "./kernel/Scheduler.ts"
import { SecureRandom } from "./kernel/SecureRandom.ts"
import * as LiveDirectory from "./merchants/LiveDirectory.ts"
import * as Acquirers from "./orders/bank/Acquirers.ts"
import { OrderNumbers } from "./orders/requests/OrderNumbers.ts"
import { RiskCheck } from "./orders/requests/RiskCheck.ts"
import { PayoutRail } from "./payouts/PayoutRail.ts"
import * as AdoptBooking from "./restore/AdoptBooking.ts"
import * as Gate from "./restore/Gate.ts"
import * as EraseExpired from "./retention/EraseExpired.ts"
import * as Housekeeping from "./retention/Housekeeping.ts"
import { ThreeDSServer } from "./threeds/ThreeDSServer.ts"
import { KeyVault } from "./vault/KeyVault.ts"
import * as RingSummary from "./vault/RingSummary.ts"

/**
 * Shortest lease of a job, in deadlines of the slowest port. It is longer than a request, an inquiry and a repeated request
 * together.
 */
const leaseDeadlines = 6
/**
 * Shortest lease of a job, in milliseconds. It is longer than a delivery of a callback, which takes up to 10 s and may begin when
 * half of the lease is over.
 */
const shortestLeaseMs = 30_000

const scheduler = Layer.unwrap(
  Effect.gen(function* () {
    const acquirers = yield* Acquirers.all
    if (acquirers.size === 0) return yield* Effect.die(new Error("the gateway has no acquirer"))
    const threeds = yield* Effect.serviceOption(ThreeDSServer)
    const rail = yield* Effect.serviceOption(PayoutRail)
    const deadlinesMs = [...acquirers.values(), ...Option.toArray(threeds), ...Option.toArray(rail)].map(
      ({ capabilities }) => capabilities.deadlineMs
    )
    return Scheduler.layer({
      leaseMs: Math.max(shortestLeaseMs, leaseDeadlines * Math.max(...deadlinesMs)),
      handlers: JobHandlers.make
    })
  })
)

/** The facts that this process publishes to the other processes on the store. */
const facts = Effect.gen(function* () {
  const merchants = yield* LiveDirectory.hash
  const { summary } = yield* KeyVault
  return { merchants, keys: summary, lacking: RingSummary.lacking } satisfies ProcessFacts
})

/** The gateway's layer without `SecureRandom` and `AuthClock`, for a caller that provides its own time and randomness. */
export const layerNoDeps = Layer.mergeAll(Front.layer, Housekeeping.layer, EraseExpired.layer, HostedPages.layer).pipe(
  Layer.provideMerge(Handlers.layer),
  Layer.provideMerge(scheduler),
  Layer.provideMerge(Capabilities.layer),
  Layer.provide(NewOrders.layer),
  Layer.provideMerge(Gate.layer),
  Layer.provide(RiskCheck.layer),
  Layer.provide(KeyedLock.layer),
  Layer.provide(OrderNumbers.layer),
  Layer.provide(AdoptBooking.layer),
  Layer.provideMerge(RequestLog.layer),
  Layer.provideMerge(Ids.layerNoDeps),
  Layer.provideMerge(ProcessLease.layer(facts)),
  Layer.provide(ClockCheck.layer),
  Layer.provideMerge(PublicAddress.layer)
)

export const layer = layerNoDeps.pipe(Layer.provideMerge(SecureRandom.layer), Layer.provideMerge(AuthClock.layer))

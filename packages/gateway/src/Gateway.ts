/** The gateway without its outside world: give it a store, a directory, a bank, a key vault and a way to send callbacks. */
import { Effect, Layer, Option } from "effect"
import * as AgendaModule from "./Agenda.ts"
import * as Capabilities from "./Capabilities.ts"
import * as ClockCheck from "./ClockCheck.ts"
import * as Housekeeping from "./Housekeeping.ts"
import * as Front from "./http/Front.ts"
import * as Handlers from "./http/Handlers.ts"
import { PublicAddress } from "./http/PublicAddress.ts"
import { HostedPages } from "./http/pages/HostedPages.ts"
import * as JobHandlers from "./JobHandlers.ts"
import { Acquirer } from "./ports/Acquirer.ts"
import { AuthClock } from "./ports/AuthClock.ts"
import { Ids } from "./ports/Ids.ts"
import { PayoutRail } from "./ports/PayoutRail.ts"
import { SecureRandom } from "./ports/SecureRandom.ts"
import { ThreeDSServer } from "./ports/ThreeDSServer.ts"
import * as Retention from "./Retention.ts"
import { FormPay } from "./usecases/FormPay.ts"
import { FormReceive } from "./usecases/FormReceive.ts"
import { OrderLocks } from "./usecases/OrderLocks.ts"
import * as RestoreCheck from "./usecases/RestoreCheck.ts"
import { Screening } from "./usecases/Screening.ts"
import * as ThreeDSSteps from "./usecases/ThreeDSSteps.ts"

/** Longer than a question, an inquiry and a question sent again, each up to the deadline of the slowest of those asked. */
const leaseDeadlines = 6
/** Longer than a callback's try, which takes up to 10 s and may begin when half of the lease is over. */
const shortestLeaseMs = 30_000

const agenda = Layer.unwrap(
  Effect.gen(function* () {
    const bank = yield* Acquirer
    const threeds = yield* Effect.serviceOption(ThreeDSServer)
    const rail = yield* Effect.serviceOption(PayoutRail)
    const deadlinesMs = [bank, ...Option.toArray(threeds), ...Option.toArray(rail)].map(
      ({ capabilities }) => capabilities.deadlineMs
    )
    return AgendaModule.layer({
      leaseMs: Math.max(shortestLeaseMs, leaseDeadlines * Math.max(...deadlinesMs)),
      handlers: JobHandlers.make
    })
  })
)

/** The same for a world of its own: whoever builds it gives real time and secret chance as well. */
export const layerNoDeps = Layer.mergeAll(
  Front.layer,
  Housekeeping.layer,
  Retention.layer,
  HostedPages.layer,
  ClockCheck.layer
).pipe(
  Layer.provide(Layer.merge(FormPay.layer, FormReceive.layer)),
  Layer.provideMerge(Handlers.layer),
  Layer.provideMerge(ThreeDSSteps.layer),
  Layer.provideMerge(agenda),
  Layer.provideMerge(Capabilities.layer),
  Layer.provide(RestoreCheck.layer),
  Layer.provide(Screening.layer),
  Layer.provide(OrderLocks.layer),
  Layer.provideMerge(Ids.layer),
  Layer.provideMerge(PublicAddress.layer)
)

export const layer = layerNoDeps.pipe(Layer.provideMerge(SecureRandom.layer), Layer.provideMerge(AuthClock.layer))

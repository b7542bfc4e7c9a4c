/** The gateway without its outside world: give it a store, a directory, a bank, a key vault and a way to send callbacks. */
import { Effect, Layer } from "effect"
import * as AgendaModule from "./Agenda.ts"
import * as Housekeeping from "./Housekeeping.ts"
import * as Front from "./http/Front.ts"
import * as Handlers from "./http/Handlers.ts"
import { Acquirer } from "./ports/Acquirer.ts"
import { AuthClock } from "./ports/AuthClock.ts"
import { Ids } from "./ports/Ids.ts"
import * as CarryOut from "./usecases/CarryOut.ts"
import * as DeliverCallback from "./usecases/DeliverCallback.ts"
import * as Lapse from "./usecases/Lapse.ts"
import { OrderLocks } from "./usecases/OrderLocks.ts"

/** Longer than a question, an inquiry and a question sent again, each up to the bank's deadline. */
const leaseDeadlines = 6
/** Longer than a callback's try, which takes up to 10 s and may begin when half of the lease is over. */
const shortestLeaseMs = 30_000

const agenda = Layer.unwrap(
  Effect.map(Acquirer, ({ capabilities }) =>
    AgendaModule.layer({
      leaseMs: Math.max(shortestLeaseMs, leaseDeadlines * capabilities.deadlineMs),
      handlers: Effect.all({ bank: CarryOut.make, lapse: Lapse.make, callback: DeliverCallback.make })
    })
  )
)

export const layer = Layer.merge(Front.layer, Housekeeping.layer).pipe(
  Layer.provideMerge(Handlers.layer),
  Layer.provideMerge(agenda),
  Layer.provide(OrderLocks.layer),
  Layer.provideMerge(Ids.layer),
  Layer.provideMerge(AuthClock.layer)
)

/** Who carries out the jobs of each kind. */
import { Effect } from "effect"
import type { AgendaItem } from "./domain/entities/AgendaItem.ts"
import { isCardKind, Order } from "./domain/entities/Order.ts"
import { Store } from "./ports/Store.ts"
import * as Authenticate from "./usecases/Authenticate.ts"
import * as CarryOut from "./usecases/CarryOut.ts"
import * as ChargeOccurrence from "./usecases/ChargeOccurrence.ts"
import * as DeliverCallback from "./usecases/DeliverCallback.ts"
import * as EnumerateBookings from "./usecases/EnumerateBookings.ts"
import * as FormExpire from "./usecases/FormExpire.ts"
import * as Lapse from "./usecases/Lapse.ts"
import * as PayOut from "./usecases/PayOut.ts"
import * as PayoutExpire from "./usecases/PayoutExpire.ts"
import * as PayoutLapse from "./usecases/PayoutLapse.ts"
import * as ReverseAnswer from "./usecases/ReverseAnswer.ts"

type Handler = (item: AgendaItem) => Effect.Effect<void>

/** Jobs about an order of either instrument: a card that pays, or a payout. */
const byInstrument = <R, S>(handlers: {
  readonly card: Effect.Effect<Handler, never, R>
  readonly payout: Effect.Effect<Handler, never, S>
}) =>
  Effect.gen(function* () {
    const store = yield* Store
    const { card, payout } = yield* Effect.all(handlers)
    return (item: AgendaItem): Effect.Effect<void> =>
      Effect.matchEffect(store.load(Order, [item.subject]), {
        onFailure: (error) => Effect.logDebug("A job has to wait", error),
        onSuccess: (order) => (order === undefined || isCardKind(order.kind) ? card(item) : payout(item))
      })
  })

/** What is over by itself: an uncaptured hold, a payout that waits for a person. */
export const lapse = byInstrument({ card: Lapse.make, payout: PayoutLapse.make })
/** A hosted page whose time is over. */
export const session = byInstrument({ card: FormExpire.make, payout: PayoutExpire.make })

export const make = Effect.all({
  bank: CarryOut.make,
  lapse,
  callback: DeliverCallback.make,
  threeds: Authenticate.make,
  session,
  rail: PayOut.make,
  recurring: ChargeOccurrence.make,
  enumerate: EnumerateBookings.make,
  reversal: ReverseAnswer.make
})

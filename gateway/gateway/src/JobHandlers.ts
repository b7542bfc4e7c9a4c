/** The job handlers, one for each kind of job. */
import { Effect } from "effect"
import * as DeliverCallback from "./callbacks/DeliverCallback.ts"
import * as HostedPage from "./hosted/HostedPage.ts"
import * as SubmitCard from "./hosted/SubmitCard.ts"
import type { Job } from "./kernel/Job.ts"
import * as Jobs from "./kernel/Jobs.ts"
import type { Rows } from "./kernel/Rows.ts"
import { Store } from "./kernel/Store.ts"
import * as CardJob from "./orders/outcomes/CardJob.ts"
import * as Lapse from "./orders/outcomes/Lapse.ts"
import * as ReverseAnswer from "./orders/outcomes/ReverseAnswer.ts"
import { isCardKind, Order } from "./orders/record/Order.ts"
import * as OrderLine from "./orders/record/OrderLine.ts"
import * as PayoutJob from "./payouts/PayoutJob.ts"
import * as PayoutLapse from "./payouts/PayoutLapse.ts"
import * as SubmitRecipient from "./payouts/SubmitRecipient.ts"
import * as ChargeOccurrence from "./recurring/ChargeOccurrence.ts"
import * as CatchUp from "./restore/CatchUp.ts"
import * as List from "./restore/List.ts"
import * as Authenticate from "./threeds/Authenticate.ts"

type Handler = (job: Job, order: Order) => Effect.Effect<void>

/**
 * Makes the handler of jobs about an order: `card` handles an order that a card pays, `payout` a payout. A job without an order
 * is removed.
 */
const byInstrument = <R, S>(handlers: {
  readonly card: Effect.Effect<Handler, never, R>
  readonly payout: Effect.Effect<Handler, never, S>
}) =>
  Effect.gen(function* () {
    const store = yield* Store
    const { card, payout } = yield* Effect.all(handlers)
    const run = Effect.fnUntraced(function* (job: Job, rows: Rows) {
      const order = yield* rows.load(Order, [job.subject])
      if (order !== undefined) {
        const handled = isCardKind(order.kind) ? card(job, order) : payout(job, order)
        return yield* Effect.annotateLogs(handled, OrderLine.aboutOf(order))
      }
      yield* store.commit(Jobs.ended(job))
    })
    return (job: Job, rows: Rows): Effect.Effect<void> =>
      Effect.catch(run(job, rows), (error) => Effect.logDebug("A job has to wait", error))
  })

/** Handles the expiry of an uncaptured hold, and of a payout that waits for a person. */
export const lapse = byInstrument({ card: Lapse.make, payout: PayoutLapse.make })
/** Handles the expiry of a hosted page. */
export const session = byInstrument({
  card: HostedPage.expiry(SubmitCard.instrument),
  payout: HostedPage.expiry(SubmitRecipient.instrument)
})

export const make = Effect.gen(function* () {
  const { bank, rail, ...others } = yield* Effect.all({
    bank: CardJob.make,
    lapse,
    callback: DeliverCallback.make,
    threeds: Authenticate.make,
    session,
    rail: PayoutJob.make,
    recurring: ChargeOccurrence.make,
    enumerate: List.make,
    reversal: ReverseAnswer.make
  })
  return yield* CatchUp.around({ handlers: { ...others, bank: bank.run, rail: rail.run }, bank, rail })
})

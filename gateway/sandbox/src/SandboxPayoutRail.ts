/**
 * A simulated payout rail. It answers by the table of test recipients, has its own books, and loses, delays and takes back
 * answers on request. With a journal, its answers survive the end of its process.
 */
import { Destination, PayoutRail, RailError, type RailRequest } from "@pay/gateway/PayoutRail"
import { Context, Effect, Layer } from "effect"
import * as Booking from "./Booking.ts"
import type * as Journal from "./Journal.ts"
import { ordinary, type RailKind } from "./Outcome.ts"
import { RailControl } from "./RailControl.ts"
import * as SimulatedBank from "./SimulatedBank.ts"
import * as TestRecipients from "./TestRecipients.ts"

/** The options of the simulated payout rail. */
export interface Options extends Omit<SimulatedBank.Options, "journalPath"> {
  /** The file that keeps the rail's ledger. Absent: the ledger is in memory. */
  readonly railJournalPath?: string
  /**
   * Times after the confirmation of a payout, in milliseconds, at which the gateway inquires whether it was refused after all.
   * Default: 2 hours, 1, 3 and 5 days.
   */
  readonly lateRefusalAfterMs?: ReadonlyArray<number>
  /** The kinds of recipients that the rail pays. Default: all. */
  readonly destinations?: ReadonlyArray<Destination.Kind>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const laterMs = [2 * hourMs, dayMs, 3 * dayMs, 5 * dayMs] as const

const failing = <A>(answer: Effect.Effect<A, SimulatedBank.BankUnanswered>): Effect.Effect<A, RailError> =>
  Effect.mapError(answer, ({ reason }) => new RailError({ reason }))

const make = Effect.fnUntraced(function* ({
  destinations = Destination.kinds,
  lateRefusalAfterMs = laterMs,
  railJournalPath,
  ...options
}: Options) {
  const bank = yield* SimulatedBank.make({ ...options, journalPath: railJournalPath })
  const { books, ...control } = bank.control

  const ask = (kind: RailKind) => (askFor: RailRequest) => {
    const request = Booking.ofPayout(kind, askFor)
    const recipient = TestRecipients.byName(request.recipient?.testRecipient ?? "")
    return failing(bank.send(request, { ...ordinary, ...recipient?.scenarios[kind] }))
  }

  const rail = PayoutRail.checked({
    capabilities: {
      simulated: true,
      longestProcessingMs: bank.longestProcessingMs,
      deadlineMs: bank.deadlineMs,
      destinations: new Set(destinations),
      lateRefusalAfterMs
    },
    check: ask("check"),
    pay: ask("pay"),
    inquire: (reference) => failing(bank.inquire(reference))
  })
  return Context.make(PayoutRail, rail).pipe(
    Context.add(
      RailControl,
      RailControl.of({
        ...control,
        refuseLate: bank.refuseLate,
        books: { all: books.all, list: books.list, ofOrder: books.ofOrder, totals: bank.railTotals }
      })
    )
  )
})

/**
 * Makes a separate rail with each call. Two rails share their books only if they have the same journal, which only one of them
 * may use at a time.
 */
export const layer = (options: Options = {}): Layer.Layer<PayoutRail | RailControl, Journal.JournalError> =>
  Layer.effectContext(make(options))

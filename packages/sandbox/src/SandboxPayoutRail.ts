/**
 * A payout rail that is a program: answers by the table of test recipients, keeps books of its own, and loses, delays,
 * forgets and takes back answers on request. What it has answered survives the end of its process if it keeps a journal.
 */
import * as Destination from "@pay/gateway/Destination"
import { PayoutRail, RailError, type RailRequest } from "@pay/gateway/PayoutRail"
import { Context, Effect, Layer } from "effect"
import * as Booking from "./Booking.ts"
import type * as Journal from "./Journal.ts"
import { ordinary, type RailKind } from "./Outcome.ts"
import { RailControl } from "./RailControl.ts"
import * as SimulatedBank from "./SimulatedBank.ts"
import * as TestRecipients from "./TestRecipients.ts"

export interface Options extends Omit<SimulatedBank.Options, "journalPath"> {
  /** The file that keeps the rail's ledger. Absent: the ledger is in memory. */
  readonly railJournalPath?: string
  /** When a confirmed payout may be refused after all. Default: asked after 2 h, 1, 3 and 5 days. */
  readonly lateRefusalAfterMs?: ReadonlyArray<number>
  /** Whom it pays. Default: everybody. */
  readonly destinations?: ReadonlyArray<Destination.Kind>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const laterMs = [2 * hourMs, dayMs, 3 * dayMs, 5 * dayMs] as const

const failing = <A>(answer: Effect.Effect<A, SimulatedBank.Unanswered>): Effect.Effect<A, RailError> =>
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
    return failing(bank.send(request, { ...ordinary, ...recipient?.plans[kind] }))
  }

  const rail = PayoutRail.of({
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

/** A rail of its own with each call, unless two share a journal, which only one may use at a time. */
export const layer = (options: Options = {}): Layer.Layer<PayoutRail | RailControl, Journal.JournalError> =>
  Layer.effectContext(make(options))

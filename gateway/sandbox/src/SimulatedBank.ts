/**
 * The part that a simulated bank and a simulated payout rail have in common: the delivery of requests and answers, books with a
 * journal, scenarios from the control interface, and inquiries.
 */
import type { BankAnswer, InquiryAnswer, ReversalAnswer, Ways } from "@pay/gateway/Acquirer"
import { declines } from "@pay/schema/Decline"
import { Effect } from "effect"
import * as AuthorizationPolicy from "./AuthorizationPolicy.ts"
import { BankLedger } from "./BankLedger.ts"
import * as Booking from "./Booking.ts"
import * as Journal from "./Journal.ts"
import { type Outcome, ordinary } from "./Outcome.ts"
import { NothingToSettle, type SandboxControl } from "./SandboxControl.ts"
import { Scenarios } from "./Scenarios.ts"
import * as SimulatedAnswers from "./SimulatedAnswers.ts"

export { BankUnanswered } from "./SimulatedAnswers.ts"

/** The options of one simulated institution. */
export interface Options {
  /** The file that keeps the ledger. Absent: the ledger is in memory. */
  readonly journalPath?: string | undefined
  /** Business time of every answer, in milliseconds, besides the latency of a test number. Default 0: at once. */
  readonly latencyMs?: number
  /** Milliseconds after which an answer counts as lost. Default 20 s. */
  readonly deadlineMs?: number
  /** Milliseconds after which a request that is not in the books will never be in them. Default 60 s. */
  readonly longestProcessingMs?: number
  /** Whether a lost answer is reported at once (default), or when the deadline has passed on the business clock. */
  readonly lostAnswers?: "atOnce" | "atDeadline"
  /** How the bank says that the outcome of a lost answer ends, by kind. Absent: by inquiry. A rail has inquiries only. */
  readonly unknownOutcomes?: Ways | undefined
}

const defaults = { deadlineMs: 20_000, longestProcessingMs: 60_000 } as const

type Reason = { readonly code: number; readonly message: string }

/** Makes one simulated institution with its own books. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const {
    deadlineMs = defaults.deadlineMs,
    latencyMs = 0,
    longestProcessingMs = defaults.longestProcessingMs,
    lostAnswers = "atOnce"
  } = options
  const books = new BankLedger()
  const scenarios = new Scenarios()
  const journal = yield* Journal.open(options.journalPath, Booking.Entry, (entry) => books.apply(entry))

  const record = (entry: Booking.Entry): void => {
    journal.append(entry)
    books.apply(entry)
  }
  const { after, again, first, lost } = SimulatedAnswers.make(
    { books, scenarios, record },
    { deadlineMs, latencyMs, lostAnswers }
  )

  /** Receives a request SimulatedAnswers.now. `base` is its outcome unless a scenario replaces it. */
  const send = (request: Booking.Request, base: Outcome): Effect.Effect<BankAnswer, SimulatedAnswers.BankUnanswered> =>
    Effect.flatMap(SimulatedAnswers.now, (nowMs) => {
      const booking = books.find(request.reference)
      if (booking !== undefined) return again(booking, request, nowMs)
      return first(request, { ...base, ...scenarios.of(request) }, nowMs)
    })

  const inquire = (reference: string): Effect.Effect<InquiryAnswer, SimulatedAnswers.BankUnanswered> =>
    Effect.flatMap(SimulatedAnswers.now, (nowMs) => {
      const { delivery } = { ...ordinary, ...scenarios.ofNext("inquire") }
      if (delivery._tag === "NotSent") return SimulatedAnswers.notSent
      if (delivery._tag !== "Answered" && delivery._tag !== "ArrivesTwice") return lost
      const booking = books.find(reference)
      if (booking === undefined) return after({ _tag: "NotFound" } as const, latencyMs)
      const isBooked = Booking.isKnown(booking, nowMs)
      return after(isBooked ? Booking.answerAt(booking, nowMs) : ({ _tag: booking.before } as const), latencyMs)
    })

  /** Refuses what was approved, from now on. */
  const refuseLate = (reference: string, reason: Reason): Effect.Effect<void, NothingToSettle> =>
    Effect.flatMap(SimulatedAnswers.now, (nowMs) =>
      books.find(reference)?.answer._tag === "Approved"
        ? Effect.sync(() =>
            record({
              _tag: "RefusedLate",
              reference,
              lateRefusal: SimulatedAnswers.refusing({ ...reason, afterMs: 0 }, nowMs)
            })
          )
        : Effect.fail(new NothingToSettle({ reference }))
    )

  /** Makes sure that a request has no effect: one that is booked or undecided counts as declined, as one that arrives later does. */
  const reverse = (request: Booking.Request): Effect.Effect<ReversalAnswer, SimulatedAnswers.BankUnanswered> =>
    Effect.flatMap(SimulatedAnswers.now, (nowMs) => {
      const { delivery } = { ...ordinary, ...scenarios.ofNext("inquire") }
      if (delivery._tag === "NotSent") return SimulatedAnswers.notSent
      const { reference } = request
      const booking = books.find(reference)
      const answer = { ...declines.issuerTimedOut, _tag: "Declined" } as const
      if (booking === undefined)
        record({ _tag: "Booked", request, bookedAtMs: nowMs, before: "CannotSay", answer, knownFromMs: nowMs })
      record({ _tag: "Reversed", reference, answer, atMs: nowMs })
      return delivery._tag === "Answered" || delivery._tag === "ArrivesTwice"
        ? after({ _tag: "Reversed" } as const, latencyMs)
        : lost
    })

  const control: SandboxControl["Service"] = {
    next: (question, scenario) => Effect.sync(() => scenarios.next(question, scenario)),
    forgetNext: Effect.sync(() => scenarios.forgetNext()),
    forOrder: (orderId, kind, scenario) => Effect.sync(() => scenarios.forOrder(orderId, kind, scenario)),
    forReference: (reference, scenario) => Effect.sync(() => scenarios.forReference(reference, scenario)),
    choose: (rule) => Effect.sync(() => scenarios.choose(rule)),
    settle: (reference, verdict) =>
      Effect.flatMap(SimulatedAnswers.now, (nowMs) => {
        const booking = books.find(reference)
        if (booking === undefined || Booking.isKnown(booking, nowMs))
          return Effect.fail(new NothingToSettle({ reference }))
        const answer = AuthorizationPolicy.answer(books, booking.request, verdict, nowMs)
        return Effect.sync(() => record({ _tag: "Settled", reference, answer, knownFromMs: nowMs }))
      }),
    failLate: (reference) => refuseLate(reference, declines.issuerInoperative),
    books: {
      all: Effect.sync(() => books.all()),
      ofOrder: (orderId) => Effect.sync(() => books.ofOrder(orderId)),
      list: (period, after) => Effect.map(SimulatedAnswers.now, (nowMs) => books.list(period, after, nowMs)),
      totals: (orderId) => Effect.map(SimulatedAnswers.now, (nowMs) => books.totals(orderId, nowMs))
    },
    violations: Effect.sync(() => books.violations()),
    reset: Effect.sync(() => {
      scenarios.clear()
      books.clear()
      journal.clear()
    })
  }

  const railTotals = (orderId: string) => Effect.map(SimulatedAnswers.now, (nowMs) => books.railTotals(orderId, nowMs))

  return { books, control, deadlineMs, inquire, longestProcessingMs, railTotals, refuseLate, reverse, send }
})

/**
 * The part that a simulated bank and a simulated payout rail have in common: the delivery of requests and answers, books with a
 * journal, scenarios from the control interface, and inquiries.
 */
import { AnswerLost, type BankAnswer, type InquiryAnswer, NotSent } from "@pay/gateway/Acquirer"
import { declines } from "@pay/schema/Decline"
import { Clock, Data, Effect, Equal } from "effect"
import * as AuthorizationPolicy from "./AuthorizationPolicy.ts"
import { BankLedger } from "./BankLedger.ts"
import * as Booking from "./Booking.ts"
import * as Journal from "./Journal.ts"
import { approve, type Delivery, decline, type Outcome, ordinary } from "./Outcome.ts"
import { NothingToSettle, type SandboxControl } from "./SandboxControl.ts"
import { Scenarios } from "./Scenarios.ts"

/** A defect of the gateway: it used one reference for two different requests. */
export class ReferenceReused extends Data.TaggedError("ReferenceReused")<{ readonly message: string }> {}

/** There is no answer: nothing was sent, or nothing came back. */
export class BankUnanswered extends Data.TaggedError("BankUnanswered")<{ readonly reason: NotSent | AnswerLost }> {}

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
}

const notSent = Effect.fail(
  new BankUnanswered({ reason: new NotSent({ message: "The simulated bank cannot be reached" }) })
)
const answerLost = Effect.fail(
  new BankUnanswered({ reason: new AnswerLost({ message: "The simulated bank's answer was lost" }) })
)

/** The decline that inquiries return before the request is approved after all. */
const provisionalDecline = decline(declines.doNotHonour)

const defaults = { deadlineMs: 20_000, longestProcessingMs: 60_000 } as const

const now = Effect.map(Clock.currentTimeMillis, Math.floor)

/** Returns the time from which the bank can report its answer, and the answer to an inquiry before this time. */
const knowledge = (delivery: Delivery, nowMs: number): Pick<Booking.Booking, "knownFromMs" | "before"> => {
  if (delivery._tag === "ArrivesLate") return { knownFromMs: nowMs + delivery.afterMs, before: "NotFound" }
  if (delivery._tag === "Contradicted" && delivery.onceRepeated === true)
    return { knownFromMs: nowMs + delivery.afterMs, before: "NotFound" }
  if (delivery._tag !== "Undecided") return { knownFromMs: nowMs, before: "CannotSay" }
  return delivery.forMs === undefined
    ? { before: "CannotSay" }
    : { knownFromMs: nowMs + delivery.forMs, before: "CannotSay" }
}

type Reason = { readonly code: number; readonly message: string }

const refusing = ({ afterMs, code, message }: NonNullable<Outcome["lateRefusal"]>, nowMs: number) => ({
  fromMs: nowMs + afterMs,
  code,
  message
})

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
  const lost = lostAnswers === "atOnce" ? answerLost : Effect.andThen(Effect.sleep(deadlineMs), answerLost)
  const after = <A>(answer: A, ms: number): Effect.Effect<A, BankUnanswered> => {
    if (ms === 0) return Effect.succeed(answer)
    return ms < deadlineMs ? Effect.as(Effect.sleep(ms), answer) : Effect.andThen(Effect.sleep(deadlineMs), answerLost)
  }

  const again = (
    booking: Booking.Booking,
    request: Booking.Request,
    nowMs: number
  ): Effect.Effect<BankAnswer, BankUnanswered> => {
    const { reference } = request
    if (!Equal.equals(booking.request, request)) {
      const message = `The reference ${reference} came again with other content`
      record({ _tag: "Violated", reference, message })
      return Effect.die(new ReferenceReused({ message }))
    }
    record({ _tag: "Repeated", reference })
    if (!Booking.isKnown(booking, nowMs) && scenarios.of(request)?.delivery?._tag === "Contradicted") {
      record({ _tag: "Settled", reference, answer: booking.answer, knownFromMs: nowMs })
      return after(booking.answer, latencyMs)
    }
    return Booking.isKnown(booking, nowMs) ? after(Booking.answerAt(booking, nowMs), latencyMs) : lost
  }

  /** Settles a request with its declined answer, after the caller has stopped waiting for another one. */
  const settleDecline = ({ reference }: Booking.Request, answer: Booking.Answer) =>
    Effect.map(now, (nowMs) => record({ _tag: "Settled", reference, answer, knownFromMs: nowMs }))

  /** Answers a request that inquiries reported as declined. It is approved as far as the books permit. */
  const contradicted = (request: Booking.Request, report: Booking.Answer, afterMs: number): Effect.Effect<BankAnswer> =>
    Effect.gen(function* () {
      yield* Effect.sleep(afterMs)
      const nowMs = yield* now
      const answer = AuthorizationPolicy.answer(books, request, approve, nowMs)
      if (answer._tag === "Approved")
        record({ _tag: "Contradicted", reference: request.reference, answer, atMs: nowMs })
      return answer
    }).pipe(Effect.onInterrupt(() => settleDecline(request, report)))

  const first = (
    request: Booking.Request,
    outcome: Outcome,
    nowMs: number
  ): Effect.Effect<BankAnswer, BankUnanswered> => {
    const { delivery, verdict } = outcome
    const { reference } = request
    const stays = delivery._tag === "NotSent" || delivery._tag === "NeverArrives"
    if (stays && books.misses(reference) < (delivery.times ?? Number.POSITIVE_INFINITY)) {
      record({ _tag: "Missed", reference })
      return delivery._tag === "NotSent" ? notSent : lost
    }
    const answer = AuthorizationPolicy.answer(
      books,
      request,
      delivery._tag === "Contradicted" ? provisionalDecline : verdict,
      nowMs
    )
    const { lateRefusal } = outcome
    record({
      _tag: "Booked",
      request,
      bookedAtMs: nowMs,
      answer,
      ...knowledge(delivery, nowMs),
      ...(lateRefusal === undefined ? {} : { lateRefusal: refusing(lateRefusal, nowMs) })
    })
    switch (delivery._tag) {
      case "AnswerLost":
      case "Undecided":
      case "ArrivesLate":
        return lost
      case "Contradicted":
        return contradicted(request, answer, delivery.afterMs)
      case "ArrivesTwice":
        record({ _tag: "Repeated", reference })
    }
    return after(answer, latencyMs + outcome.latencyMs)
  }

  /** Receives a request now. `base` is its outcome unless a scenario replaces it. */
  const send = (request: Booking.Request, base: Outcome): Effect.Effect<BankAnswer, BankUnanswered> =>
    Effect.flatMap(now, (nowMs) => {
      const booking = books.find(request.reference)
      if (booking !== undefined) return again(booking, request, nowMs)
      return first(request, { ...base, ...scenarios.of(request) }, nowMs)
    })

  const inquire = (reference: string): Effect.Effect<InquiryAnswer, BankUnanswered> =>
    Effect.flatMap(now, (nowMs) => {
      const { delivery } = { ...ordinary, ...scenarios.ofNext("inquire") }
      if (delivery._tag === "NotSent") return notSent
      if (delivery._tag !== "Answered" && delivery._tag !== "ArrivesTwice") return lost
      const booking = books.find(reference)
      if (booking === undefined) return after({ _tag: "NotFound" } as const, latencyMs)
      const isBooked = Booking.isKnown(booking, nowMs)
      return after(isBooked ? Booking.answerAt(booking, nowMs) : ({ _tag: booking.before } as const), latencyMs)
    })

  const control: SandboxControl["Service"] = {
    next: (question, scenario) => Effect.sync(() => scenarios.next(question, scenario)),
    forgetNext: Effect.sync(() => scenarios.forgetNext()),
    forOrder: (orderId, kind, scenario) => Effect.sync(() => scenarios.forOrder(orderId, kind, scenario)),
    forReference: (reference, scenario) => Effect.sync(() => scenarios.forReference(reference, scenario)),
    choose: (rule) => Effect.sync(() => scenarios.choose(rule)),
    settle: (reference, verdict) =>
      Effect.flatMap(now, (nowMs) => {
        const booking = books.find(reference)
        if (booking === undefined || Booking.isKnown(booking, nowMs))
          return Effect.fail(new NothingToSettle({ reference }))
        const answer = AuthorizationPolicy.answer(books, booking.request, verdict, nowMs)
        return Effect.sync(() => record({ _tag: "Settled", reference, answer, knownFromMs: nowMs }))
      }),
    books: {
      all: Effect.sync(() => books.all()),
      ofOrder: (orderId) => Effect.sync(() => books.ofOrder(orderId)),
      list: (period, after) => Effect.map(now, (nowMs) => books.list(period, after, nowMs)),
      totals: (orderId) => Effect.map(now, (nowMs) => books.totals(orderId, nowMs))
    },
    violations: Effect.sync(() => books.violations()),
    reset: Effect.sync(() => {
      scenarios.clear()
      books.clear()
      journal.clear()
    })
  }

  /** Refuses a payout that was confirmed, from now on. */
  const refuseLate = (reference: string, reason: Reason): Effect.Effect<void, NothingToSettle> =>
    Effect.flatMap(now, (nowMs) =>
      books.find(reference)?.answer._tag === "Approved"
        ? Effect.sync(() =>
            record({ _tag: "RefusedLate", reference, lateRefusal: refusing({ ...reason, afterMs: 0 }, nowMs) })
          )
        : Effect.fail(new NothingToSettle({ reference }))
    )

  const railTotals = (orderId: string) => Effect.map(now, (nowMs) => books.railTotals(orderId, nowMs))

  return { books, control, deadlineMs, inquire, longestProcessingMs, railTotals, refuseLate, send }
})

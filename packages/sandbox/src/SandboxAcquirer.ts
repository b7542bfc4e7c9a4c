/**
 * A bank that is a program: answers by the tables of test cards and security codes, keeps books of its own, and loses,
 * delays and forgets answers on request. What it has answered survives the end of its process if it keeps a journal.
 */
import {
  Acquirer,
  AcquirerError,
  AnswerLost,
  type BankAnswer,
  type InquiryAnswer,
  NotSent
} from "@pay/gateway/Acquirer"
import { Clock, Context, Data, Effect, Equal, Layer, Redacted } from "effect"
import * as Booking from "./Booking.ts"
import { Books } from "./Books.ts"
import * as Journal from "./Journal.ts"
import { type Journey, type Outcome, ordinary } from "./Outcome.ts"
import { Plans } from "./Plans.ts"
import * as Ruling from "./Ruling.ts"
import { NothingToSettle, SandboxControl } from "./SandboxControl.ts"
import * as TestCards from "./TestCards.ts"
import * as TestCvv from "./TestCvv.ts"

/** A defect of the gateway: one reference, two different requests. */
export class ReferenceReused extends Data.TaggedError("ReferenceReused")<{ readonly message: string }> {}

export interface Options {
  /** Where the books are kept; left out: in memory. */
  readonly journalPath?: string
  /** Business time that every answer takes, besides what a test card adds. Default 0: at once. */
  readonly latencyMs?: number
  /** An answer that takes so long is a lost one. Default 20 s. */
  readonly deadlineMs?: number
  /** After so long a request that is not in the books will never be. Default 60 s. */
  readonly longestProcessingMs?: number
  /** A lost answer is reported at once (default), or when the deadline has passed on the business clock. */
  readonly lostAnswers?: "atOnce" | "atDeadline"
}

const notSent = Effect.fail(
  new AcquirerError({ reason: new NotSent({ message: "The simulated bank cannot be reached" }) })
)
const answerLost = Effect.fail(
  new AcquirerError({ reason: new AnswerLost({ message: "The simulated bank's answer was lost" }) })
)

const now = Effect.map(Clock.currentTimeMillis, Math.floor)

/** When the bank can tell what it did, and what it says until then. */
const knowledge = (journey: Journey, nowMs: number): Pick<Booking.Booking, "knownFromMs" | "before"> => {
  if (journey._tag === "ArrivesLate") return { knownFromMs: nowMs + journey.afterMs, before: "NotFound" }
  if (journey._tag !== "Undecided") return { knownFromMs: nowMs, before: "CannotSay" }
  return journey.forMs === undefined
    ? { before: "CannotSay" }
    : { knownFromMs: nowMs + journey.forMs, before: "CannotSay" }
}

const make = Effect.fnUntraced(function* (options: Options) {
  const { deadlineMs = 20_000, latencyMs = 0, longestProcessingMs = 60_000, lostAnswers = "atOnce" } = options
  const books = new Books()
  const plans = new Plans()
  const journal = yield* Journal.open(options.journalPath, Booking.Entry, (entry) => books.apply(entry))

  const record = (entry: Booking.Entry): void => {
    journal.append(entry)
    books.apply(entry)
  }
  const lost = lostAnswers === "atOnce" ? answerLost : Effect.andThen(Effect.sleep(deadlineMs), answerLost)
  const after = <A>(answer: A, ms: number): Effect.Effect<A, AcquirerError> => {
    if (ms === 0) return Effect.succeed(answer)
    return ms < deadlineMs ? Effect.as(Effect.sleep(ms), answer) : Effect.andThen(Effect.sleep(deadlineMs), answerLost)
  }

  const again = (
    booking: Booking.Booking,
    request: Booking.Request,
    nowMs: number
  ): Effect.Effect<BankAnswer, AcquirerError> => {
    const { reference } = request
    if (!Equal.equals(booking.request, request)) {
      const message = `The reference ${reference} came again with other content`
      record({ _tag: "Violated", reference, message })
      return Effect.die(new ReferenceReused({ message }))
    }
    record({ _tag: "Repeated", reference })
    return Booking.isKnown(booking, nowMs) ? after(booking.answer, latencyMs) : lost
  }

  const first = (
    request: Booking.Request,
    outcome: Outcome,
    nowMs: number
  ): Effect.Effect<BankAnswer, AcquirerError> => {
    const { journey, verdict } = outcome
    const { reference } = request
    const stays = journey._tag === "NotSent" || journey._tag === "NeverArrives"
    if (stays && books.misses(reference) < (journey.times ?? Number.POSITIVE_INFINITY)) {
      record({ _tag: "Missed", reference })
      return journey._tag === "NotSent" ? notSent : lost
    }
    const answer = Ruling.answer(books, request, verdict, nowMs)
    record({ _tag: "Booked", request, bookedAtMs: nowMs, answer, ...knowledge(journey, nowMs) })
    switch (journey._tag) {
      case "AnswerLost":
      case "Undecided":
      case "ArrivesLate":
        return lost
      case "ArrivesTwice":
        record({ _tag: "Repeated", reference })
    }
    return after(answer, latencyMs + outcome.latencyMs)
  }

  /** The request reaches the bank now; `base` is what it meets unless a plan says otherwise. */
  const send = (request: Booking.Request, base: Outcome): Effect.Effect<BankAnswer, AcquirerError> =>
    Effect.flatMap(now, (nowMs) => {
      const booking = books.find(request.reference)
      if (booking !== undefined) return again(booking, request, nowMs)
      return first(request, { ...base, ...plans.of(request) }, nowMs)
    })

  const followUp =
    (kind: Exclude<Booking.Request["kind"], "authorize">) => (asked: Parameters<typeof Booking.ofFollowUp>[1]) => {
      const request = Booking.ofFollowUp(kind, asked)
      const testCard = TestCards.byName(books.find(asked.original)?.request.card?.testCard ?? "")
      return send(request, { ...ordinary, ...testCard?.plans[kind] })
    }

  const inquire = (reference: string): Effect.Effect<InquiryAnswer, AcquirerError> =>
    Effect.flatMap(now, (nowMs) => {
      const { journey } = { ...ordinary, ...plans.ofNext("inquire") }
      if (journey._tag === "NotSent") return notSent
      if (journey._tag !== "Answered" && journey._tag !== "ArrivesTwice") return lost
      const booking = books.find(reference)
      if (booking === undefined) return after({ _tag: "NotFound" } as const, latencyMs)
      return after(Booking.isKnown(booking, nowMs) ? booking.answer : ({ _tag: booking.before } as const), latencyMs)
    })

  const acquirer = Acquirer.of({
    capabilities: { longestProcessingMs, deadlineMs },
    authorize: (asked) => {
      const cvv = asked.card.cvv === undefined ? undefined : Redacted.value(asked.card.cvv)
      const request = Booking.ofAuthorization(asked)
      const testCard = TestCards.byName(request.card?.testCard ?? "")
      return send(request, { ...TestCvv.outcome(cvv), ...TestCards.authorize(testCard, asked.amountMinor) })
    },
    capture: followUp("capture"),
    cancel: followUp("cancel"),
    refund: followUp("refund"),
    inquire
  })

  const control = SandboxControl.of({
    next: (question, plan) => Effect.sync(() => plans.next(question, plan)),
    forOrder: (orderId, kind, plan) => Effect.sync(() => plans.forOrder(orderId, kind, plan)),
    forReference: (reference, plan) => Effect.sync(() => plans.forReference(reference, plan)),
    settle: (reference, verdict) =>
      Effect.flatMap(now, (nowMs) => {
        const booking = books.find(reference)
        if (booking === undefined || Booking.isKnown(booking, nowMs))
          return Effect.fail(new NothingToSettle({ reference }))
        const answer = Ruling.answer(books, booking.request, verdict, nowMs)
        return Effect.sync(() => record({ _tag: "Settled", reference, answer, knownFromMs: nowMs }))
      }),
    books: {
      all: Effect.sync(() => books.all()),
      ofOrder: (orderId) => Effect.sync(() => books.ofOrder(orderId)),
      totals: (orderId) => Effect.map(now, (nowMs) => books.totals(orderId, nowMs))
    },
    violations: Effect.sync(() => books.violations()),
    reset: Effect.sync(() => {
      plans.clear()
      books.clear()
      journal.clear()
    })
  })

  return Context.make(Acquirer, acquirer).pipe(Context.add(SandboxControl, control))
})

/** A bank of its own with each call, unless two share a journal, which only one may use at a time. */
export const layer = (options: Options = {}): Layer.Layer<Acquirer | SandboxControl, Journal.JournalError> =>
  Layer.effectContext(make(options))

/** The answers of a simulated institution to requests: booked, and delivered as its scenarios say. */

import { AnswerLost, type BankAnswer, NotSent } from "@pay/gateway/Acquirer"
import { declines } from "@pay/schema/Decline"
import { Clock, Data, Effect, Equal } from "effect"
import * as AuthorizationPolicy from "./AuthorizationPolicy.ts"
import type { BankLedger } from "./BankLedger.ts"
import * as Booking from "./Booking.ts"
import { approve, type Delivery, decline, type Outcome } from "./Outcome.ts"
import type { Scenarios } from "./Scenarios.ts"

/** A defect of the gateway: it used one reference for two different requests. */
export class ReferenceReused extends Data.TaggedError("ReferenceReused")<{ readonly message: string }> {}

/** There is no answer: nothing was sent, or nothing came back. */
export class BankUnanswered extends Data.TaggedError("BankUnanswered")<{ readonly reason: NotSent | AnswerLost }> {}

export const notSent = Effect.fail(
  new BankUnanswered({ reason: new NotSent({ message: "The simulated bank cannot be reached" }) })
)
const answerLost = Effect.fail(
  new BankUnanswered({ reason: new AnswerLost({ message: "The simulated bank's answer was lost" }) })
)

/** The decline that inquiries return before the request is approved after all. */
const provisionalDecline = decline(declines.doNotHonour)

export const now = Effect.map(Clock.currentTimeMillis, Math.floor)

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

/** Returns the refusal of a payout after it was confirmed. */
export const refusing = ({ afterMs, code, message }: NonNullable<Outcome["lateRefusal"]>, nowMs: number) => ({
  fromMs: nowMs + afterMs,
  code,
  message
})

/** The books, the scenarios, and the function that writes an entry of the books. */
interface Institution {
  readonly books: BankLedger
  readonly scenarios: Scenarios
  readonly record: (entry: Booking.Entry) => void
}

interface DeliveryTimes {
  readonly deadlineMs: number
  readonly latencyMs: number
  readonly lostAnswers: "atOnce" | "atDeadline"
}

export const make = (
  { books, record, scenarios }: Institution,
  { deadlineMs, latencyMs, lostAnswers }: DeliveryTimes
) => {
  const lost = lostAnswers === "atOnce" ? answerLost : Effect.andThen(Effect.sleep(deadlineMs), answerLost)
  /** Answers after a time; a time past the deadline loses the answer. */
  const after = <A>(answer: A, ms: number): Effect.Effect<A, BankUnanswered> => {
    if (ms === 0) return Effect.succeed(answer)
    return ms < deadlineMs ? Effect.as(Effect.sleep(ms), answer) : Effect.andThen(Effect.sleep(deadlineMs), answerLost)
  }

  /** Answers a request whose reference is in the books. */
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
      if (books.find(request.reference)?.reversedAtMs !== undefined) return report
      const answer = AuthorizationPolicy.answer(books, request, approve, nowMs)
      if (answer._tag === "Approved")
        record({ _tag: "Contradicted", reference: request.reference, answer, atMs: nowMs })
      return answer
    }).pipe(Effect.onInterrupt(() => settleDecline(request, report)))

  /** Books a new request, and answers it. */
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

  return { after, again, first, lost }
}

/**
 * Sends a question to bank or rail and listens on after its caller has given up: what is answered late may contradict what the
 * other side has told since, and must not be lost.
 */
import { Deferred, Effect, Schedule } from "effect"
import type { AnswerLost, NotSent } from "../Acquirer.ts"
import * as BankJob from "./BankJob.ts"
import type * as Inquiry from "./Inquiry.ts"

interface Limits {
  /** The caller waits for so long. */
  readonly deadlineMs: number
  readonly longestProcessingMs: number
}

/** A late answer comes once: a store that cannot take it is asked for an hour. */
const retries = Schedule.upTo(Schedule.spaced("5 seconds"), { times: 720 })

const kept = (late: BankJob.Late, answer: Inquiry.Answer): Effect.Effect<void> =>
  Effect.suspend(() => late(answer)).pipe(
    Effect.retry(retries),
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.logError("The store does not take a late answer of bank or rail, which is lost", error)
    )
  )

/**
 * Listens for two processing times after the deadline: a request that the other side did not know for the first one is sent
 * again, and may be answered for the second one.
 */
export const make = Effect.fnUntraced(function* ({ deadlineMs, longestProcessingMs }: Limits) {
  const scope = yield* Effect.scope
  const patienceMs = deadlineMs + 2 * longestProcessingMs

  return Effect.fnUntraced(function* <A extends Inquiry.Answer, E extends { readonly reason: NotSent | AnswerLost }>(
    question: Effect.Effect<A, E>,
    late: BankJob.Late
  ) {
    const answered = yield* Deferred.make<Inquiry.Answer>()
    yield* BankJob.answerOf(question, patienceMs).pipe(
      Effect.flatMap((answer) =>
        Effect.flatMap(Deferred.succeed(answered, answer), (isInTime) => (isInTime ? Effect.void : kept(late, answer)))
      ),
      Effect.onInterrupt(() => Deferred.interrupt(answered)),
      Effect.forkIn(scope)
    )
    return yield* Effect.timeoutOrElse(Deferred.await(answered), {
      duration: deadlineMs,
      orElse: () => Effect.andThen(Deferred.succeed(answered, BankJob.unanswered(deadlineMs)), Deferred.await(answered))
    })
  })
})

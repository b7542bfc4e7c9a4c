/**
 * Sends a request to a bank or rail, and still receives its answer after the caller has given up. A late answer may contradict
 * an inquiry that was made in the meantime, so it must not be lost.
 */
import { Deferred, Effect, Schedule } from "effect"
import type { AnswerLost, NotSent } from "../bank/Acquirer.ts"
import type * as Inquiry from "../decide/Inquiry.ts"
import * as BankJob from "./BankJob.ts"
import type * as Counterparty from "./Counterparty.ts"
import * as Uncommitted from "./Uncommitted.ts"

interface Limits {
  /** Longest time for which the caller waits. */
  readonly deadlineMs: number
  readonly longestProcessingMs: number
}

/** A late answer arrives only once. While the store is not available, it is recorded again every 5 seconds, for an hour. */
const retries = Schedule.upTo(Schedule.spaced("5 seconds"), { times: 720 })

const storeLateAnswer = (late: Counterparty.LateAnswerHandler, answer: Inquiry.Answer): Effect.Effect<void> =>
  Effect.suspend(() => late(answer)).pipe(
    Effect.retry(retries),
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.logError("The store does not accept a late answer of bank or rail, which is lost", error)
    ),
    (stored) => Uncommitted.onDefect(stored, () => Effect.void)
  )

/**
 * Waits for an answer for two processing times after the deadline. A request that the bank or rail did not have during the
 * first one is sent again, and its answer may arrive during the second one.
 */
export const make = Effect.gen(function* () {
  const scope = yield* Effect.scope

  return Effect.fnUntraced(function* <A extends Inquiry.Answer, E extends { readonly reason: NotSent | AnswerLost }>(
    call: Effect.Effect<A, E>,
    { deadlineMs, longestProcessingMs }: Limits,
    late: Counterparty.LateAnswerHandler
  ) {
    const longestWaitMs = deadlineMs + 2 * longestProcessingMs
    const answered = yield* Deferred.make<Inquiry.Answer>()
    yield* BankJob.answerOf(call, longestWaitMs).pipe(
      Effect.flatMap((answer) =>
        Effect.flatMap(Deferred.succeed(answered, answer), (isInTime) =>
          isInTime ? Effect.void : storeLateAnswer(late, answer)
        )
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

/** Sends one batch through a channel, and settles its members. A batch that the server refuses is repeated, or sent in parts. */

import { GuardFailed } from "@pay/gateway/Store"
import { Clock, Effect, Exit, Metric } from "effect"
import * as Batch from "./Batch.ts"
import type * as CommitChannel from "./CommitChannel.ts"
import { type CommitQueue, unavailable, type Waiting } from "./CommitQueue.ts"
import * as Failure from "./Failure.ts"
import * as Numbers from "./Numbers.ts"

/** Functions that are called with the results of batches. */
export interface Reports {
  /** Receives the failure of a batch that was not written and is not repeated. */
  readonly onRefused: (failure: Failure.Failure) => void
  /** Receives the number of the last acknowledged batch of a channel. */
  readonly onCommit: (writer: string, number: number) => void
}

/** SQLSTATE: the server has too few locks. */
const tooFewLocks = "53200"

/** Number of attempts with a batch that conflicts with other processes. */
const maxTries = 4

export const make = Effect.fnUntraced(function* (
  queue: CommitQueue,
  positions: () => ReadonlyArray<readonly [writer: string, number: number]>,
  { onCommit, onRefused }: Reports
) {
  const clock = yield* Clock.Clock

  const committed = (members: ReadonlyArray<Waiting>, codes: ReadonlyArray<number>) => {
    const lost = Batch.lostOf(codes)
    queue.end(members, ({ decision }, at) => {
      const failed = lost.get(at)
      const guard = failed === undefined ? undefined : decision.guards[failed]
      return guard === undefined ? Exit.void : Exit.fail(new GuardFailed({ guard }))
    })
    return Effect.andThen(
      Metric.update(Numbers.commits, 1),
      Metric.update(Numbers.decisions, members.length - lost.size)
    )
  }

  /** Sends the batch. If the outcome is unknown, the channel has to be settled. */
  const write = (
    channel: CommitChannel.CommitChannel,
    members: ReadonlyArray<Waiting>,
    triesLeft = maxTries
  ): Effect.Effect<void, CommitChannel.Behind> =>
    Effect.flatMap(
      channel.commit((number) =>
        Batch.encode(
          { writer: channel.writer, number, positions: positions() },
          members,
          clock.currentTimeMillisUnsafe()
        )
      ),
      (outcome): Effect.Effect<void, CommitChannel.Behind> => {
        switch (outcome._tag) {
          case "Committed":
            onCommit(channel.writer, channel.number())
            return committed(members, outcome.codes)
          case "Unknown":
            queue.end(members, () => unavailable(outcome.failure, true))
            return Metric.update(Numbers.unknown, 1)
          case "NotCommitted":
            return again(channel, members, outcome.failure, triesLeft)
        }
      }
    )

  const again = (
    channel: CommitChannel.CommitChannel,
    members: ReadonlyArray<Waiting>,
    failure: Failure.Failure,
    triesLeft: number
  ) => {
    const refused = failure._tag === "ServerRefused" ? failure : undefined
    if (refused?.state === tooFewLocks && members.length > 1) {
      const half = Math.ceil(members.length / 2)
      return Effect.andThen(write(channel, members.slice(0, half)), write(channel, members.slice(half)))
    }
    if (refused !== undefined && Failure.isDefect(refused)) {
      if (members.length > 1) return Effect.forEach(members, (member) => write(channel, [member]), { discard: true })
      queue.end(members, () => Exit.die(refused))
      return Effect.void
    }
    if (triesLeft > 1 && (refused === undefined || Failure.isTransient(refused)))
      return Effect.andThen(Metric.update(Numbers.repeats, 1), write(channel, members, triesLeft - 1))
    onRefused(failure)
    queue.end(members, () => unavailable(failure))
    return Effect.void
  }

  return write
})

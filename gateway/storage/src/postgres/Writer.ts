/**
 * Commits the decisions of one process. Decisions that arrive while a batch is under way form the next batch. A free channel takes the
 * decisions that share no name with a batch under way. A failed guard or a refused decision does not affect other decisions.
 */
import type { Decision } from "@pay/gateway/Decision"
import type { GuardFailed, StoreUnavailable } from "@pay/gateway/Store"
import { Effect, Schedule, type Scope } from "effect"
import * as CommitChannel from "./CommitChannel.ts"
import { CommitQueue, unavailable, type Waiting } from "./CommitQueue.ts"
import type { Connection } from "./Connections.ts"
import * as SendBatch from "./SendBatch.ts"

export interface Options extends SendBatch.Reports {
  /** The name of this process among all writers of the database. */
  readonly process: string
  readonly procedure: string
  /** One for each channel. */
  readonly connections: ReadonlyArray<Connection>
  /** Largest number of decisions in one transaction. Default: 128. */
  readonly maxBatch?: number | undefined
  /** Called once if the database lacks acknowledged commits. Nothing is written any more. */
  readonly onBehind: (behind: CommitChannel.Behind) => void
}

export interface Writer {
  readonly commit: (decision: Decision) => Effect.Effect<void, GuardFailed | StoreUnavailable>
  /** Returns the number of the last acknowledged batch of each channel. */
  readonly positions: () => ReadonlyArray<readonly [writer: string, number: number]>
}

export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Writer, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const services = yield* Effect.context()
  const queue = new CommitQueue(options.maxBatch ?? 128)
  const channels = yield* Effect.forEach(options.connections, (connection, at) =>
    CommitChannel.make(connection, `${options.process}.${at}`, options.procedure)
  )
  const positions: Writer["positions"] = () => channels.map((channel) => [channel.writer, channel.number()])
  const write = yield* SendBatch.make(queue, positions, options)
  /** Channels without a batch, the one that was used longest ago first. */
  const free = [...channels]
  /** The reason why nothing is written any more. */
  let closed: unknown
  let scheduled = false

  const dispatch = () => {
    scheduled = false
    while (!queue.isEmpty) {
      const [channel] = free
      if (channel === undefined) return
      const members = queue.take()
      if (members.length === 0) return
      free.shift()
      Effect.runForkWith(services)(Effect.forkIn(run(channel, members), scope))
    }
  }

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(dispatch)
  }

  /** Sends a batch through a channel, and resolves its outcome if that is unknown. The channel is then free again. */
  const run = (channel: CommitChannel.CommitChannel, members: ReadonlyArray<Waiting>): Effect.Effect<void> =>
    write(channel, members).pipe(
      Effect.andThen(
        Effect.retry(settled(channel), {
          schedule: Schedule.spaced("250 millis"),
          while: (error) => error._tag !== "Behind"
        })
      ),
      Effect.catchTags({
        Behind: (error) =>
          Effect.sync(() => {
            if (closed === undefined) options.onBehind(error)
            closed ??= error
            queue.end(members, () => unavailable(error))
            queue.refuseAll(error)
          }),
        Lost: Effect.die,
        ServerRefused: Effect.die
      }),
      Effect.andThen(
        Effect.sync(() => {
          free.push(channel)
          if (!queue.isEmpty) schedule()
        })
      )
    )

  /** Resolves the last outcome of a channel. The waiting decisions are refused while the server does not answer. */
  const settled = (channel: CommitChannel.CommitChannel) =>
    channel.settle.pipe(
      Effect.tap((outcome) =>
        Effect.sync(() => (outcome === undefined ? undefined : options.onCommit(channel.writer, channel.number())))
      ),
      Effect.tapError((error) => Effect.sync(() => (free.length === 0 ? queue.refuseAll(error) : undefined)))
    )

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      closed ??= "the store was closed"
      queue.refuseAll(closed)
    })
  )

  const commit = (decision: Decision) =>
    Effect.callback<void, GuardFailed | StoreUnavailable>((resume) => {
      if (closed !== undefined) return resume(unavailable(closed))
      const withdraw = queue.add(decision, resume)
      schedule()
      return Effect.sync(withdraw)
    })

  return { commit, positions }
})

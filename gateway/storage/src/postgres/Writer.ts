/**
 * Commits the decisions of one process. Decisions that arrive while a batch is under way form the next batch. A free channel takes the
 * decisions that share no name with a batch under way. A failed guard or a refused decision does not affect other decisions.
 */
import type { Decision } from "@pay/gateway/Decision"
import { GuardFailed, StoreUnavailable } from "@pay/gateway/Store"
import { Clock, Effect, Exit, Metric, Schedule, type Scope } from "effect"
import * as Batch from "./Batch.ts"
import * as CommitChannel from "./CommitChannel.ts"
import type { Connection } from "./Connections.ts"
import * as Failure from "./Failure.ts"
import * as Numbers from "./Numbers.ts"

export interface Options {
  /** The name of this process among all writers of the database. */
  readonly process: string
  readonly procedure: string
  /** One for each channel. */
  readonly connections: ReadonlyArray<Connection>
  /** Largest number of decisions in one transaction. Default: 128. */
  readonly maxBatch?: number | undefined
  /** Called once if the database lacks acknowledged commits. Nothing is written any more. */
  readonly onBehind: (behind: CommitChannel.Behind) => void
  /** Receives the failure of a batch that was not written and is not repeated. */
  readonly onRefused: (failure: Failure.Failure) => void
  /** Receives the number of the last acknowledged batch of a channel. */
  readonly onCommit: (writer: string, number: number) => void
}

export interface Writer {
  readonly commit: (decision: Decision) => Effect.Effect<void, GuardFailed | StoreUnavailable>
  /** Returns the number of the last acknowledged batch of each channel. */
  readonly positions: () => ReadonlyArray<readonly [writer: string, number: number]>
}

type Settle = (exit: Exit.Exit<void, GuardFailed | StoreUnavailable>) => void

interface Waiting extends Batch.Member {
  readonly settle: Settle
}

/** Largest number of names that one batch locks. All processes share some thousands of locks of the server. */
const maxNames = 400

/** SQLSTATE: the server has too few locks. */
const tooFewLocks = "53200"

/** Number of attempts with a batch that conflicts with other processes. */
const maxTries = 4

export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Writer, never, Scope.Scope> {
  const maxBatch = options.maxBatch ?? 128
  const scope = yield* Effect.scope
  const clock = yield* Clock.Clock
  const services = yield* Effect.context()
  const queue: Array<Waiting> = []
  const underWay = new Batch.Taken()
  const channels = yield* Effect.forEach(options.connections, (connection, at) =>
    CommitChannel.make(connection, `${options.process}.${at}`, options.procedure)
  )
  const positions: Writer["positions"] = () => channels.map((channel) => [channel.writer, channel.number()])
  /** Channels without a batch, the one that was used longest ago first. */
  const free = [...channels]
  /** The reason why nothing is written any more. */
  let closed: unknown
  let scheduled = false

  const unavailable = (cause: unknown, outcomeUnknown = false) =>
    Exit.fail(new StoreUnavailable({ outcomeUnknown, cause }))

  const take = (): ReadonlyArray<Waiting> => {
    const members: Array<Waiting> = []
    const passedOver = new Batch.Taken()
    let kept = 0
    let names = 0
    for (const [at, member] of queue.entries()) {
      if (members.length === maxBatch || names >= maxNames) {
        queue[kept++] = member
        continue
      }
      if (underWay.clashes(member.names) || passedOver.clashes(member.names)) {
        passedOver.add(member.names)
        queue[kept++] = member
      } else {
        underWay.add(member.names)
        names += member.names.alone.size + member.names.shared.size
        members.push(member)
      }
      if (at === queue.length - 1) break
    }
    queue.length = kept
    return members
  }

  const dispatch = () => {
    scheduled = false
    while (queue.length > 0) {
      const [channel] = free
      if (channel === undefined) return
      const members = take()
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

  const end = (members: ReadonlyArray<Waiting>, exitOf: (member: Waiting, at: number) => Parameters<Settle>[0]) => {
    members.forEach((member, at) => {
      underWay.remove(member.names)
      member.settle(exitOf(member, at))
    })
  }

  const committed = (members: ReadonlyArray<Waiting>, codes: ReadonlyArray<number>) => {
    const lost = Batch.lostOf(codes)
    end(members, ({ decision }, at) => {
      const failed = lost.get(at)
      const guard = failed === undefined ? undefined : decision.guards[failed]
      return guard === undefined ? Exit.void : Exit.fail(new GuardFailed({ guard }))
    })
    return Effect.andThen(
      Metric.update(Numbers.commits, 1),
      Metric.update(Numbers.decisions, members.length - lost.size)
    )
  }

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
            options.onCommit(channel.writer, channel.number())
            return committed(members, outcome.codes)
          case "Unknown":
            end(members, () => unavailable(outcome.failure, true))
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
      end(members, () => Exit.die(refused))
      return Effect.void
    }
    if (triesLeft > 1 && (refused === undefined || Failure.isTransient(refused)))
      return Effect.andThen(Metric.update(Numbers.repeats, 1), write(channel, members, triesLeft - 1))
    options.onRefused(failure)
    end(members, () => unavailable(failure))
    return Effect.void
  }

  const refuseAll = (cause: unknown) => {
    for (const member of queue.splice(0)) member.settle(unavailable(cause))
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
            end(members, () => unavailable(error))
            refuseAll(error)
          }),
        Lost: Effect.die,
        ServerRefused: Effect.die
      }),
      Effect.andThen(
        Effect.sync(() => {
          free.push(channel)
          if (queue.length > 0) schedule()
        })
      )
    )

  /** Resolves the last outcome of a channel. The waiting decisions are refused while the server does not answer. */
  const settled = (channel: CommitChannel.CommitChannel) =>
    channel.settle.pipe(
      Effect.tap((outcome) =>
        Effect.sync(() => (outcome === undefined ? undefined : options.onCommit(channel.writer, channel.number())))
      ),
      Effect.tapError((error) => Effect.sync(() => (free.length === 0 ? refuseAll(error) : undefined)))
    )

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      closed ??= "the store was closed"
      refuseAll(closed)
    })
  )

  const commit = (decision: Decision) =>
    Effect.callback<void, GuardFailed | StoreUnavailable>((resume) => {
      if (closed !== undefined) return resume(unavailable(closed))
      const member: Waiting = { decision, names: Batch.namesOf(decision), settle: resume }
      queue.push(member)
      schedule()
      return Effect.sync(() => {
        const at = queue.indexOf(member)
        if (at >= 0) queue.splice(at, 1)
      })
    })

  return { commit, positions }
})

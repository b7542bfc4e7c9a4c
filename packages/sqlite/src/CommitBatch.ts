/** Writes the jobs at the head of a queue in one transaction. A job that throws is undone alone, in a second attempt at the batch. */
import { type Clock, Schema } from "effect"
import type { Statements } from "./Connection.ts"
import type { Database } from "./Database.ts"
import type { Sequence } from "./durability/Durability.ts"
import { fromUnknown, isEnvironmental, isWithoutRoom, SqliteError } from "./SqliteError.ts"

/**
 * The COMMIT itself, or the write to the witness after it, failed, for another reason than a write that was impossible: the job is
 * in the database completely or not at all. A read shows which.
 */
export class CommitUnknown extends Schema.TaggedError<CommitUnknown>()("CommitUnknown", { cause: SqliteError }) {
  override get message(): string {
    return `whether it was stored is unknown: ${this.cause.message}`
  }
}

export interface Options {
  readonly database: Database
  /** Highest number of jobs in one transaction. Default: 256. */
  readonly maxBatch?: number
  /** Longest time, in milliseconds, for which a batch takes further jobs before it is committed. Default: 10. */
  readonly maxBatchMs?: number
  /** Counts the commits, and writes them to the witness of the store. */
  readonly sequence?: Sequence
  /** Makes room on a full disk. Returns whether it did, so that the batch is tried once more. */
  readonly makeRoom?: () => boolean
}

/** Number of jobs, and number of COMMITs that contained them. Their quotient shows the effect of grouping. */
export interface Statistics {
  readonly commits: number
  readonly jobs: number
}

/** A job in the queue. */
export interface Member {
  readonly run: (statements: Statements) => void
  readonly die: (defect: unknown) => void
  readonly settle: (failure: SqliteError | CommitUnknown | undefined) => void
}

/** `statistics`: the counters that a commit increases. */
export const make = (options: Options, clock: Clock.Clock, statistics: { commits: number; jobs: number }) => {
  const { sequence } = options
  const { connection, path } = options.database
  const maxBatch = options.maxBatch ?? 256
  const maxBatchNanos = BigInt(Math.round((options.maxBatchMs ?? 10) * 1e6))
  /** Number of members at the head of the queue that the current batch contains. */
  let batchLength = 0
  /** Whether the batch changed rows, so that its commit is counted. */
  let hasChanged = false

  /** Commits a batch of the queue; returns why it failed. */
  const commit = (queue: ReadonlyArray<Member>): SqliteError | CommitUnknown | undefined => {
    const failure = writeBatch(queue) ?? commitBatch()
    return isWithoutRoom(failure) && options.makeRoom?.() === true ? (writeBatch(queue) ?? commitBatch()) : failure
  }

  const writeBatch = (queue: ReadonlyArray<Member>): SqliteError | undefined => {
    try {
      runBatch(queue, runPlainly)
      return undefined
    } catch (cause) {
      connection.rollback()
      if (isEnvironmental(cause)) return fromUnknown(cause, path)
    }
    try {
      runBatch(queue, runApart)
      return undefined
    } catch (cause) {
      connection.rollback()
      return fromUnknown(cause, path)
    }
  }

  const runBatch = (queue: ReadonlyArray<Member>, run: (member: Member) => void) => {
    batchLength = queue.length
    connection.begin()
    batchLength = 0
    const changesBefore = sequence === undefined ? 0 : connection.totalChanges
    const deadline = clock.monotonicTimeNanosUnsafe() + maxBatchNanos
    for (const member of queue) {
      batchLength++
      run(member)
      if (batchLength === maxBatch || clock.monotonicTimeNanosUnsafe() >= deadline) break
    }
    // A batch that wrote nothing needs no sync of the disk. The counter must not cause one.
    hasChanged = sequence !== undefined && connection.totalChanges !== changesBefore
    if (hasChanged) sequence?.advance(connection, clock.currentTimeMillisUnsafe())
  }

  const runPlainly = (member: Member) => member.run(connection)

  /** Runs a job in a savepoint. It is used in the second attempt at a batch, after a job of the first attempt has thrown. */
  const runApart = (member: Member) => {
    connection.exec("SAVEPOINT job")
    try {
      member.run(connection)
    } catch (cause) {
      if (isEnvironmental(cause)) throw cause
      connection.exec("ROLLBACK TO job")
      member.die(cause)
    }
    connection.exec("RELEASE job")
  }

  const commitBatch = (): SqliteError | CommitUnknown | undefined => {
    try {
      connection.commit()
      statistics.commits++
      statistics.jobs += batchLength
    } catch (cause) {
      const failure = fromUnknown(cause, path)
      // The page that ends the transaction is the last one that is written to the log, and it is not there.
      if (isWithoutRoom(failure) && connection.rollback()) return failure
      connection.abandon()
      return new CommitUnknown({ cause: failure })
    }
    try {
      if (hasChanged) sequence?.acknowledge()
      return undefined
    } catch (cause) {
      return new CommitUnknown({ cause: fromUnknown(cause, path) })
    }
  }

  return { commit, length: () => batchLength }
}

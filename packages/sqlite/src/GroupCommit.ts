/**
 * Commits the writes of many callers with one sync of the disk. All jobs that arrive while a batch is written go together into
 * the next transaction. Each caller gets its answer only after the COMMIT: as durable as a separate commit, and many times
 * faster.
 */
import { Clock, Context, Effect, Exit, Schema } from "effect"
import type { Statements } from "./Connection.ts"
import type { Database } from "./Database.ts"
import type { Sequence } from "./durability/Durability.ts"
import { fromUnknown, isEnvironmental, isWithoutRoom, SqliteError } from "./SqliteError.ts"

/**
 * A write in two synchronous steps. Both steps see the writes of earlier jobs of the batch. Both may run a second time after a
 * rollback, so they must have no effect except in the database.
 */
export interface Job<A, E = never> {
  /** Reads only. Any result except `undefined` refuses the job, which then writes nothing. */
  readonly check: (statements: Statements) => E | undefined
  /** Writes, and returns the result for the caller. An exception undoes only this job, and is a defect of its caller. */
  readonly write: (statements: Statements) => A
}

/**
 * The COMMIT itself, or the write to the witness after it, failed, for another reason than a write that was impossible: the job is
 * in the database completely or not at all. A read shows which.
 */
export class CommitUnknown extends Schema.TaggedError<CommitUnknown>()("CommitUnknown", { cause: SqliteError }) {
  override get message(): string {
    return `whether it was stored is unknown: ${this.cause.message}`
  }
}

/** Number of jobs, and number of COMMITs that contained them. Their quotient shows the effect of grouping. */
export interface Statistics {
  readonly commits: number
  readonly jobs: number
}

export interface GroupCommit {
  /**
   * Adds a job to the queue. If the caller is interrupted before its batch has started, the job is not run; later, it is
   * committed nevertheless. Fails with the job's own refusal, with `SqliteError` if the disk or the file failed and nothing of
   * the batch was written, or with `CommitUnknown`.
   */
  readonly submit: <A, E>(job: Job<A, E>) => Effect.Effect<A, E | SqliteError | CommitUnknown>
  /** The counters since the start; the object itself stays the same. */
  readonly statistics: Statistics
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

/**
 * Starts a batch some time after its first job arrived. The default, `setImmediate`, first lets Node process the I/O that is
 * ready, which adds further jobs to the batch. A simulation replaces it with its own event loop.
 */
export const Schedule = Context.Reference<(begin: () => void) => void>("@pay/sqlite/GroupCommitSchedule", {
  defaultValue: () => setImmediate
})

/**
 * Makes the only writer of a database.
 *
 * ```ts
 * const writer = yield* GroupCommit.make({ database })
 * yield* writer.submit({
 *   check: (db) => (db.prepare("SELECT 1 FROM seat WHERE id = ?").get(7) ? "taken" : undefined),
 *   write: (db) => db.prepare("INSERT INTO seat (id) VALUES (?)").run(7)
 * })
 * ```
 */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<GroupCommit> {
  const { sequence } = options
  const { connection, path } = options.database
  const maxBatch = options.maxBatch ?? 256
  const maxBatchNanos = BigInt(Math.round((options.maxBatchMs ?? 10) * 1e6))
  const clock = yield* Clock.Clock
  const later = yield* Schedule
  const statistics = { commits: 0, jobs: 0 }
  const queue: Array<Member> = []
  let scheduled = false
  /** Number of members at the head of the queue that the current batch contains. */
  let batchLength = 0
  /** Whether the batch changed rows, so that its commit is counted. */
  let hasChanged = false

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    later(commitNext)
  }

  const commitNext = () => {
    scheduled = false
    if (queue.length === 0) return
    const failure = runWithRoom()
    for (const member of queue.splice(0, batchLength)) member.settle(failure)
    if (queue.length > 0) schedule()
  }

  const runWithRoom = (): SqliteError | CommitUnknown | undefined => {
    const failure = writeBatch() ?? commitBatch()
    return isWithoutRoom(failure) && options.makeRoom?.() === true ? (writeBatch() ?? commitBatch()) : failure
  }

  const writeBatch = (): SqliteError | undefined => {
    try {
      runBatch(runPlainly)
      return undefined
    } catch (cause) {
      connection.rollback()
      if (isEnvironmental(cause)) return fromUnknown(cause, path)
    }
    try {
      runBatch(runApart)
      return undefined
    } catch (cause) {
      connection.rollback()
      return fromUnknown(cause, path)
    }
  }

  const runBatch = (run: (member: Member) => void) => {
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

  return {
    statistics,
    submit: <A, E>(job: Job<A, E>) =>
      Effect.callback<A, E | SqliteError | CommitUnknown>((resume) => {
        const member = new Submission(job, resume)
        queue.push(member)
        schedule()
        return Effect.sync(() => {
          const at = queue.indexOf(member)
          if (at >= 0) queue.splice(at, 1)
        })
      })
  }
})

interface Member {
  readonly run: (statements: Statements) => void
  readonly die: (defect: unknown) => void
  readonly settle: (failure: SqliteError | CommitUnknown | undefined) => void
}

class Submission<A, E> implements Member {
  readonly #job: Job<A, E>
  readonly #resume: (exit: Exit.Exit<A, E | SqliteError | CommitUnknown>) => void
  #exit: Exit.Exit<A, E> | undefined

  constructor(job: Job<A, E>, resume: (exit: Exit.Exit<A, E | SqliteError | CommitUnknown>) => void) {
    this.#job = job
    this.#resume = resume
  }

  run(statements: Statements): void {
    const refusal = this.#job.check(statements)
    this.#exit = refusal === undefined ? Exit.succeed(this.#job.write(statements)) : Exit.fail(refusal)
  }

  die(defect: unknown): void {
    this.#exit = Exit.die(defect)
  }

  settle(failure: SqliteError | CommitUnknown | undefined): void {
    if (failure !== undefined) this.#resume(Exit.fail(failure))
    else if (this.#exit !== undefined) this.#resume(this.#exit)
  }
}

/**
 * Many writers, one sync of the disk. All jobs that arrive while one batch is being written go together in the next
 * transaction, and each caller is answered only after its COMMIT: as durable as a commit of its own, many times faster.
 */
import { Clock, Context, Effect, Exit, Schema } from "effect"
import type { Statements } from "./Connection.ts"
import type { Database } from "./Database.ts"
import type { Sequence } from "./durability/Durability.ts"
import { fromUnknown, isEnvironmental, SqliteError } from "./SqliteError.ts"

/**
 * A decision to be written, in two synchronous steps. Both see what earlier jobs of the batch wrote, and both may be
 * run a second time after a rollback: they touch nothing but the database.
 */
export interface Job<A, E = never> {
  /** Reads only. Whatever it answers but `undefined` refuses the job, which then writes nothing. */
  readonly check: (statements: Statements) => E | undefined
  /** Writes, and gives what the caller is answered. A throw undoes this job alone, and is its caller's defect. */
  readonly write: (statements: Statements) => A
}

/** COMMIT itself failed, or its witness: the job is in the database as a whole, or not at all. Read to learn which. */
export class CommitUnknown extends Schema.TaggedError<CommitUnknown>()("CommitUnknown", { cause: SqliteError }) {}

/** How many jobs were answered by how many COMMITs; their quotient is what grouping saved. */
export interface Statistics {
  readonly commits: number
  readonly jobs: number
}

export interface GroupCommit {
  /**
   * Queues a job behind those that came before. A caller interrupted before its batch began has submitted nothing;
   * later, the job is committed all the same. Fails with the job's own refusal, with `SqliteError` if the disk or the
   * file failed and nothing of the batch was written, or with `CommitUnknown`.
   */
  readonly submit: <A, E>(job: Job<A, E>) => Effect.Effect<A, E | SqliteError | CommitUnknown>
  /** The figures so far; the object stays the same. */
  readonly statistics: Statistics
}

export interface Options {
  readonly database: Database
  /** Jobs in one transaction, at most: 256. */
  readonly maxBatch?: number
  /** How long one batch may go on taking jobs before it is committed, in milliseconds: 10. */
  readonly maxBatchMs?: number
  /** Counts the commits, and tells the store's witness. */
  readonly sequence?: Sequence
}

/**
 * Begins a batch after its first job came. The default, `setImmediate`, waits for the I/O that is ready: it brings the jobs that
 * can share this commit. A simulation puts its own event loop here.
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
  const { connection } = options.database
  const maxBatch = options.maxBatch ?? 256
  const maxBatchNanos = BigInt(Math.round((options.maxBatchMs ?? 10) * 1e6))
  const clock = yield* Clock.Clock
  const later = yield* Schedule
  const statistics = { commits: 0, jobs: 0 }
  const queue: Array<Member> = []
  let scheduled = false
  /** How many members, from the head of the queue, the batch has taken. */
  let taken = 0
  /** Whether the batch is to be counted. */
  let hasChanged = false

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    later(commitNext)
  }

  const commitNext = () => {
    scheduled = false
    if (queue.length === 0) return
    const failure = writeBatch() ?? commitBatch()
    for (const member of queue.splice(0, taken)) member.settle(failure)
    if (queue.length > 0) schedule()
  }

  const writeBatch = (): SqliteError | undefined => {
    try {
      runBatch(runPlainly)
      return undefined
    } catch (cause) {
      connection.rollback()
      if (isEnvironmental(cause)) return fromUnknown(cause)
    }
    try {
      runBatch(runApart)
      return undefined
    } catch (cause) {
      connection.rollback()
      return fromUnknown(cause)
    }
  }

  const runBatch = (run: (member: Member) => void) => {
    taken = queue.length
    connection.begin()
    taken = 0
    const changesBefore = sequence === undefined ? 0 : connection.totalChanges
    const deadline = clock.monotonicTimeNanosUnsafe() + maxBatchNanos
    for (const member of queue) {
      taken++
      run(member)
      if (taken === maxBatch || clock.monotonicTimeNanosUnsafe() >= deadline) break
    }
    // A batch that wrote nothing needs no sync of the disk, and must not get one by this.
    hasChanged = sequence !== undefined && connection.totalChanges !== changesBefore
    if (hasChanged) sequence?.advance(connection, clock.currentTimeMillisUnsafe())
  }

  const runPlainly = (member: Member) => member.run(connection)

  /** The second attempt at a batch in which a job threw: each has a savepoint of its own, which the first need not. */
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

  const commitBatch = (): CommitUnknown | undefined => {
    try {
      connection.commit()
      statistics.commits++
      statistics.jobs += taken
    } catch (cause) {
      connection.abandon()
      return new CommitUnknown({ cause: fromUnknown(cause) })
    }
    try {
      if (hasChanged) sequence?.acknowledge()
      return undefined
    } catch (cause) {
      return new CommitUnknown({ cause: fromUnknown(cause) })
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

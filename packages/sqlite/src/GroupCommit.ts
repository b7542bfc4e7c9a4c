/**
 * Commits the writes of many callers with one sync of the disk. All jobs that arrive while a batch is written go together into
 * the next transaction. Each caller gets its answer only after the COMMIT: as durable as a separate commit, and many times
 * faster.
 */
import { Clock, Context, Effect, Exit } from "effect"
import type { CommitUnknown, Options, Statistics } from "./CommitBatch.ts"
import * as CommitBatch from "./CommitBatch.ts"
import type { Statements } from "./Connection.ts"
import type { SqliteError } from "./SqliteError.ts"

export { CommitUnknown, type Options, type Statistics } from "./CommitBatch.ts"

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
  const clock = yield* Clock.Clock
  const later = yield* Schedule
  const statistics = { commits: 0, jobs: 0 }
  const batch = CommitBatch.make(options, clock, statistics)
  const queue: Array<CommitBatch.Member> = []
  let scheduled = false

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    later(commitNext)
  }

  const commitNext = () => {
    scheduled = false
    if (queue.length === 0) return
    const failure = batch.commit(queue)
    for (const member of queue.splice(0, batch.length())) member.settle(failure)
    if (queue.length > 0) schedule()
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

class Submission<A, E> implements CommitBatch.Member {
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

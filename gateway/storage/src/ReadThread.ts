/**
 * Reads a SQLite file in a thread of its own, on a connection that cannot write: however many rows are read, neither commits nor the event
 * loop wait. The thread starts with the first read, and reads that begin together are sent together.
 */
import { Worker } from "node:worker_threads"
import type * as Entity from "@pay/gateway/Entity"
import { StoreUnavailable } from "@pay/gateway/Store"
import { Effect, type Scope } from "effect"
import type { Query } from "./Find.ts"

type Row = Readonly<Record<string, Entity.Value>>

interface Question extends Query {
  readonly id: number
}

/** `error`: why the statement failed. */
interface Answer {
  readonly id: number
  readonly rows: ReadonlyArray<Row>
  readonly error?: string
}

/**
 * The program of the thread. The thread gets its text, because a bundle has one file: it uses nothing of this module. `null` ends it.
 */
const program = (): void => {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads")
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
  const database = new DatabaseSync(String(workerData), { readOnly: true, timeout: 1000 })
  database.exec("PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384")
  const statements = new Map<string, ReturnType<typeof database.prepare>>()
  const ask = ({ id, text, values }: Question): Answer => {
    try {
      const statement = statements.get(text) ?? database.prepare(text)
      statements.set(text, statement)
      return { id, rows: statement.all(...values) }
    } catch (error) {
      return { id, rows: [], error: String(error) }
    }
  }
  parentPort?.on("message", (questions: ReadonlyArray<Question> | null) => {
    if (questions !== null) return parentPort.postMessage(questions.map(ask))
    database.close()
    parentPort.close()
  })
}

const failed = (cause: unknown) => new StoreUnavailable({ outcomeUnknown: false, cause })

type Settle = (answer: Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>) => void

/** Returns what asks the thread. The thread ends with the scope; one that broke is replaced at the next read. */
export const make = (
  path: string
): Effect.Effect<(query: Query) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const waiting = new Map<number, Settle>()
    let worker: Worker | undefined
    let queue: Array<Question> = []
    let lastId = 0

    /** Fails what waits for a thread that broke. A thread that broke before has failed it already. */
    const broken = (ended: Worker, cause: unknown) => {
      if (worker !== ended) return
      worker = undefined
      const all = [...waiting.values()]
      waiting.clear()
      for (const settle of all) settle(Effect.fail(failed(cause)))
    }

    const start = (): Worker => {
      const started = new Worker(`(${program})()`, { eval: true, workerData: path, execArgv: [] })
      started.unref()
      started.on("message", (answers: ReadonlyArray<Answer>) => {
        for (const { error, id, rows } of answers) {
          waiting.get(id)?.(error === undefined ? Effect.succeed(rows) : Effect.fail(failed(error)))
          waiting.delete(id)
        }
      })
      started.on("error", (cause) => broken(started, cause))
      started.on("exit", () => broken(started, "the thread that reads has ended"))
      return started
    }

    const flush = () => {
      worker ??= start()
      const sent = queue
      queue = []
      worker.postMessage(sent)
    }

    yield* Effect.addFinalizer(() =>
      Effect.callback<void>((resume) => {
        const ending = worker
        if (ending === undefined) return resume(Effect.void)
        ending.ref()
        ending.once("exit", () => resume(Effect.void))
        ending.postMessage(null)
      })
    )

    return ({ text, values }) =>
      Effect.callback((resume) => {
        const id = ++lastId
        waiting.set(id, resume)
        queue.push({ id, text, values })
        if (queue.length === 1) queueMicrotask(flush)
        return Effect.sync(() => waiting.delete(id))
      })
  })

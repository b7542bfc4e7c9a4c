/**
 * The last acknowledged number of each channel of this process, in a small file outside of PostgreSQL. A database that lacks an
 * acknowledged commit was restored from a copy, or a standby without the commit took over. Such a database is opened only as a
 * restored one. The file is at most a second behind, and never ahead.
 */
import { type FileHandle, open, readFile, rename } from "node:fs/promises"
import { dirname } from "node:path"
import { Data, Effect, Schedule, Schema, type Scope } from "effect"

const Content = Schema.fromJsonString(
  Schema.Struct({
    /** The random name of the database, made with its schema. */
    database: Schema.String,
    /** The number of the last acknowledged batch of each channel. */
    writers: Schema.Record(Schema.String, Schema.Int),
    /** Business time of the newest of these batches. */
    atMs: Schema.Number
  })
)
export type Content = typeof Content.Type

/** The file cannot be read, understood or written. */
export class WitnessError extends Data.TaggedError("WitnessError")<{ readonly cause: unknown }> {}

const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, WitnessError> =>
  Effect.tryPromise({ try: work, catch: (cause) => new WitnessError({ cause }) })

const isMissing = ({ cause }: WitnessError): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ENOENT"

const decode = Schema.decodeUnknownEffect(Content)
const encode = Schema.encodeSync(Content)

/** Reads the file. Returns undefined if it does not exist; fails if it cannot be understood. */
export const read = (path: string): Effect.Effect<Content | undefined, WitnessError> =>
  attempt(() => readFile(path, "utf8")).pipe(
    Effect.flatMap((text) => Effect.mapError(decode(text), (cause) => new WitnessError({ cause }))),
    Effect.catch((error) => (isMissing(error) ? Effect.undefined : Effect.fail(error)))
  )

const synced = async (path: string, use: (file: FileHandle) => Promise<void>, flags: string): Promise<void> => {
  const file = await open(path, flags, 0o600)
  try {
    await use(file)
    await file.sync()
  } finally {
    await file.close()
  }
}

const replace = async (path: string, content: Content): Promise<void> => {
  const draft = `${path}.new`
  await synced(draft, (file) => file.writeFile(`${encode(content)}\n`), "w")
  await rename(draft, path)
  await synced(dirname(path), async () => {}, "r")
}

export interface ProcessWitness {
  readonly acknowledged: (writer: string, number: number, nowMs: number) => void
}

const every = Schedule.spaced("1 second")

/**
 * Writes the file at once, then after each second with acknowledged batches, and at the end. `before`: what the database has of the
 * process's earlier run, which the file says until this run has committed.
 */
export const make = Effect.fnUntraced(function* (
  path: string,
  database: string,
  before: Content | undefined
): Effect.fn.Return<ProcessWitness, WitnessError, Scope.Scope> {
  let writers: Content["writers"] = {}
  let content: Content = before ?? { database, writers, atMs: 0 }
  let written: Content | undefined
  const write = attempt(async () => {
    const current = content
    if (current === written) return
    await replace(path, current)
    written = current
  })
  const tried = Effect.catch(write, (cause) =>
    Effect.logError("The witness of the store cannot be written; it is tried again", cause)
  )
  yield* write
  yield* Effect.addFinalizer(() => tried)
  yield* Effect.forkScoped(Effect.repeat(tried, every))
  return {
    acknowledged: (writer, number, nowMs) => {
      writers = { ...writers, [writer]: number }
      content = { database, writers, atMs: nowMs }
    }
  }
})

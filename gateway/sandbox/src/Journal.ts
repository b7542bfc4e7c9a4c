/**
 * A file of entries, one JSON line each. An entry is written by one synchronous call before its answer is returned, so that the
 * bank or the issuer still has it after `kill -9`. The file is not synced to the disk, because a simulator need not survive a
 * power failure.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs"
import { Data, Effect, Result, Schema } from "effect"

/** The file cannot be opened, has a complete line that is not an entry, or does not fit on the disk. */
export class JournalError extends Data.TaggedError("JournalError")<{
  readonly path: string
  readonly message: string
}> {}

/** Appends entries to a file, and can remove all of them. */
export interface Journal<Entry> {
  readonly append: (entry: Entry) => void
  readonly clear: () => void
}

/** A journal that stores nothing. */
export const memory: Journal<unknown> = { append: () => {}, clear: () => {} }

const replay = <Entry>(
  path: string,
  text: string,
  schema: Schema.Codec<Entry, unknown>,
  apply: (entry: Entry) => void
): JournalError | undefined => {
  const decode = Schema.decodeUnknownResult(Schema.fromJsonString(schema))
  const lines = text.split("\n").slice(0, -1)
  for (const [index, line] of lines.entries()) {
    const entry = decode(line)
    if (Result.isFailure(entry))
      return new JournalError({ path, message: `line ${index + 1} is no entry: ${entry.failure.message}` })
    apply(entry.success)
  }
  return undefined
}

/**
 * Passes all earlier entries to `apply` in their order, and then appends new ones. An incomplete last line is removed. Without a
 * path nothing is stored.
 */
export const open = Effect.fnUntraced(function* <Entry>(
  path: string | undefined,
  schema: Schema.Codec<Entry, unknown>,
  apply: (entry: Entry) => void
) {
  if (path === undefined) return memory
  const file = yield* Effect.acquireRelease(
    Effect.try({
      try: () => openSync(path, "a+", 0o600),
      catch: (cause) => new JournalError({ path, message: String(cause) })
    }),
    (descriptor) => Effect.sync(() => closeSync(descriptor))
  )
  const text = readFileSync(path, "utf8")
  const problem = replay(path, text, schema, apply)
  if (problem !== undefined) return yield* problem
  let size = Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1))
  ftruncateSync(file, size)
  return {
    append: (entry) => {
      const line = Buffer.from(`${JSON.stringify(entry)}\n`)
      if (writeSync(file, line) < line.length) {
        ftruncateSync(file, size)
        throw new JournalError({ path, message: "the disk is full" })
      }
      size += line.length
    },
    clear: () => {
      ftruncateSync(file, 0)
      size = 0
    }
  } satisfies Journal<Entry>
})

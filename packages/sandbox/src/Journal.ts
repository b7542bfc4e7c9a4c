/**
 * Entries in a file, one JSON line each, written by one synchronous call before anybody hears the answer: what the bank
 * or the issuer has answered, it still knows after `kill -9`. It is not synced to the disk: a simulator need not survive a
 * power cut.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs"
import { Data, Effect, Result, Schema } from "effect"

/** The file cannot be opened, or holds a whole line that is no entry. */
export class JournalError extends Data.TaggedError("JournalError")<{
  readonly path: string
  readonly message: string
}> {}

export interface Journal<Entry> {
  readonly append: (entry: Entry) => void
  readonly clear: () => void
}

/** Keeps nothing. */
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
 * Tells `apply` all earlier entries in their order, then takes new ones. A last line that was torn off is cut away. Without
 * a path nothing is kept.
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

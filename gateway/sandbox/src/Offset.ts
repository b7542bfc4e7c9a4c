/**
 * The offset of business time from wall time, in milliseconds, stored in a file of one number. A sandbox that is started again
 * therefore does not go back to a time before that of its store.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { Data, Effect } from "effect"

/** The file cannot be read, or does not contain a whole number of milliseconds. */
export class OffsetError extends Data.TaggedError("OffsetError")<{ readonly path: string; readonly message: string }> {}

/** The offset in memory, and in its file if there is one. */
export interface Offset {
  readonly ms: () => number
  readonly set: (ms: number) => void
}

const write = (path: string, ms: number): void => {
  writeFileSync(`${path}.new`, `${ms}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** Reads the offset from a file. Without a path, or if the file does not exist, the offset starts at 0. */
export const open = Effect.fnUntraced(function* (path: string | undefined) {
  let current = 0
  if (path !== undefined && existsSync(path)) {
    const text = yield* Effect.try({
      try: () => readFileSync(path, "utf8"),
      catch: (cause) => new OffsetError({ path, message: String(cause) })
    })
    if (!/^\d{1,15}\n$/.test(text)) return yield* new OffsetError({ path, message: "holds no number of milliseconds" })
    current = Number(text)
  }
  return {
    ms: () => current,
    set: (ms) => {
      if (path !== undefined) write(path, ms)
      current = ms
    }
  } satisfies Offset
})

/**
 * The mark of the last commit of a store, in a small file outside of the database and its log, preferably on another disk. It is
 * written after each COMMIT and before a caller gets its answer. After a power cut it may be behind the store, by one second at
 * most, but never ahead.
 *
 * The file has two places that are written alternately, each with a checksum: if a write of one place was interrupted, the other
 * one is still valid.
 */
import "../OldNode.ts"
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync
} from "node:fs"
import { dirname } from "node:path"
import * as zlib from "node:zlib"
import { Context, Effect, Fiber } from "effect"
import type { Mark } from "./Mark.ts"

export type Testimony =
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Damaged" }
  | {
      readonly _tag: "Read"
      readonly mark: Mark
      /**
       * Digests of the database file from its last closing, with the opening that computed each: two, if nothing was committed
       * between two closings.
       */
      readonly files: ReadonlyArray<string>
    }

/** Distance of the two places in the file, so that they are in different sectors and pages. */
const placeBytes = 4096
const lineBytes = 256
const syncAfterMs = 1000

const lineOf = ({ committedAtMs, createdAtMs, sequence, storeId }: Mark, file = ""): string => {
  const mark = `pay witness 1 store=${storeId} sequence=${sequence} committed=${committedAtMs} created=${createdAtMs}`
  const content = file === "" ? mark : `${mark} file=${file}`
  return `${content} crc=${zlib.crc32(content).toString(16).padStart(8, "0")}`
}

const form =
  /^(?<said>pay witness 1 store=(?<storeId>\S+) sequence=(?<sequence>\d+) committed=(?<committed>-?\d+) created=(?<created>-?\d+)(?: file=(?<file>\S+))?) crc=(?<crc>[0-9a-f]{8}) *\n/

const testimonyOf = (text: string) => {
  const result = form.exec(text)?.groups
  if (result === undefined || zlib.crc32(result.said ?? "") !== Number.parseInt(result.crc ?? "", 16)) return undefined
  const mark: Mark = {
    storeId: result.storeId ?? "",
    sequence: Number(result.sequence),
    committedAtMs: Number(result.committed),
    createdAtMs: Number(result.created)
  }
  return { mark, file: result.file ?? "" }
}

/** Reads a witness. Throws if the file exists and cannot be read. */
export const read = (path: string): Testimony => {
  let text: string
  try {
    text = readFileSync(path, "latin1")
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return { _tag: "Missing" }
    throw cause
  }
  const content = [testimonyOf(text), testimonyOf(text.slice(placeBytes))].filter((each) => each !== undefined)
  const furthest = Math.max(...content.map(({ mark }) => mark.sequence))
  const [last, ...others] = content.filter(({ mark }) => mark.sequence === furthest)
  if (last === undefined) return { _tag: "Damaged" }
  const files = [last, ...others].map(({ file }) => file).filter((file) => file !== "")
  return { _tag: "Read", mark: last.mark, files }
}

const draftOf = (path: string): string => `${path}.new`

/** Throws if the file could not be written again. It is called before anything depends on the file. */
export const probe = (path: string): void => {
  const draft = draftOf(path)
  rmSync(draft, { force: true })
  closeSync(openSync(draft, "wx", 0o600))
  rmSync(draft)
}

/** Writes a new file durably, in place of an existing one. */
export const create = (path: string, mark: Mark): void => {
  const draft = draftOf(path)
  rmSync(draft, { force: true })
  const file = openSync(draft, "wx", 0o600)
  try {
    const line = Buffer.from(
      lineOf(mark)
        .padEnd(lineBytes - 1)
        .concat("\n"),
      "latin1"
    )
    for (const place of [0, placeBytes]) writeSync(file, line, 0, lineBytes, place)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
  const folder = openSync(dirname(path), "r")
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/**
 * Starts a sync of the witness. Commits do not wait for it. A simulation completes it at once, so that nothing depends on the
 * speed of the disk.
 */
export const Sync = Context.Reference<(file: number, done: (error: Error | null) => void) => void>(
  "@pay/sqlite/WitnessSync",
  { defaultValue: () => fdatasync }
)

/** The witness of an open store. */
export class Witness {
  readonly #file: number
  readonly #line = Buffer.alloc(lineBytes, " ", "latin1")
  readonly #begin: (sync: Effect.Effect<void>) => Fiber.Fiber<void>
  readonly #sync: Effect.Effect<void>
  #place = 0
  #written = false
  #isDue = false
  #syncing: Fiber.Fiber<void> | undefined
  #failure: unknown

  /** Opens the file. The delay of a sync uses the clock of the context. */
  constructor(path: string, context: Context.Context<never>) {
    this.#file = openSync(path, "r+")
    this.#begin = Effect.runForkWith(context)
    this.#sync = Effect.callback<void>((resume) => {
      this.#isDue = false
      this.#written = false
      Context.get(context, Sync)(this.#file, (error) => {
        if (error !== null) this.#failure = error
        resume(Effect.void)
      })
    }).pipe(Effect.uninterruptible, Effect.delay(syncAfterMs))
  }

  /** Writes one place of the file. Throws if this write or an earlier sync failed. */
  write(mark: Mark, file = ""): void {
    if (this.#failure !== undefined) {
      const failure = this.#failure
      this.#failure = undefined
      throw failure
    }
    this.#line.fill(" ")
    this.#line.write(lineOf(mark, file), "latin1")
    this.#line[lineBytes - 1] = 0x0a
    writeSync(this.#file, this.#line, 0, lineBytes, this.#place)
    this.#place = placeBytes - this.#place
    this.#written = true
    if (this.#isDue) return
    this.#isDue = true
    this.#syncing = this.#begin(this.#sync)
  }

  readonly close: Effect.Effect<void> = Effect.suspend(() =>
    this.#syncing === undefined ? Effect.void : Fiber.interrupt(this.#syncing)
  ).pipe(
    Effect.andThen(
      Effect.suspend(() => {
        try {
          if (this.#written) fdatasyncSync(this.#file)
          return Effect.void
        } catch (cause) {
          // The next opening compares the store with what the witness has.
          return Effect.logWarning("A witness could not be synced at its closing", cause)
        } finally {
          closeSync(this.#file)
        }
      })
    )
  )
}

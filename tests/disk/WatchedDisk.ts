/** A process whose writes and syncs are recorded in their order, and the files that a power cut would leave of it. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import * as Compiler from "../../scripts/Compiler.ts"
import * as ChildProcess from "../harness/ChildProcess.ts"

/** The folder that the library records, and the files of the record. */
export interface Watching {
  readonly data: string
  readonly journal: string
  readonly fault: string
}

export interface Place extends Watching {
  readonly folder: string
  readonly library: string
}

/** The library. It is compiled once: its name has the hash of its source, and a compilation that was cut short has another name. */
const compiled = (): string => {
  const source = join(import.meta.dirname, "disk.c")
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`).update(readFileSync(source))
  const folder = join(import.meta.dirname, "../../node_modules/.cache/pay")
  const library = join(folder, `disk-${hash.digest("hex")}.so`)
  if (existsSync(library)) return library
  mkdirSync(folder, { recursive: true })
  const beside = `${library}.${process.pid}`
  execFileSync(Compiler.find() ?? "cc", ["-shared", "-fPIC", "-O2", "-o", beside, source, "-ldl", "-lpthread"])
  renameSync(beside, library)
  return library
}

/** A new folder within `base`, and a link to the library in it. The loader of programs splits `LD_PRELOAD` at spaces, which the checkout's path may have. */
export const make = (base: string): Place => {
  const folder = mkdtempSync(join(base, "pay-disk-"))
  const library = join(folder, "disk.so")
  symlinkSync(compiled(), library)
  const data = join(folder, "data")
  mkdirSync(data, { mode: 0o700 })
  return { folder, data, library, journal: join(folder, "journal"), fault: join(folder, "fault") }
}

/** A new folder with a link to the library, removed with the scope. */
export const place = Effect.acquireRelease(
  Effect.sync(() => make(tmpdir())),
  ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

/** The environment of a process that records each folder in the data folder separately. */
export const environment = ({ data, library }: Place) => ({ LD_PRELOAD: library, PAY_DISK_FOLDER: data })

/** The folder whose subfolders this process records separately; undefined if it records none. */
export const watchedFolder = (): string | undefined =>
  process.env.PAY_DISK_JOURNAL === undefined ? process.env.PAY_DISK_FOLDER : undefined

/** The files of the record of such a subfolder. */
export const watching = (folder: string): Watching => ({ data: folder, journal: `${folder}.journal`, fault: folder })

/** Starts a program of `processes` on the data folder, watched as a whole; `ready` is the first line that it prints. */
export const start = (place: Place, program: string, ...args: ReadonlyArray<string>) =>
  ChildProcess.start({
    args: [join(import.meta.dirname, `processes/${program}.ts`), place.data, ...args],
    env: { PAY_DISK_JOURNAL: place.journal, PAY_DISK_FAULT: place.fault, ...environment(place) },
    ready: (line) => line
  })

export interface Step {
  /** Written, truncated, synced, created, unlinked, renamed. */
  readonly op: "W" | "T" | "S" | "C" | "U" | "R"
  readonly name: string
  readonly offset: number
  readonly data: Buffer
}

const isOp = (text: string): text is Step["op"] => /^[WTSCUR]$/.test(text)

export const steps = ({ journal }: Pick<Watching, "journal">): ReadonlyArray<Step> => {
  const bytes = readFileSync(journal)
  const read: Array<Step> = []
  for (let at = 0; at < bytes.length; ) {
    const op = String.fromCharCode(bytes[at] ?? 0)
    if (!isOp(op)) throw new Error(`no step at ${at}`)
    const name = at + 17 + bytes.readUInt32LE(at + 1)
    const end = name + bytes.readUInt32LE(at + 13)
    read.push({
      op,
      name: bytes.toString("utf8", at + 17, name),
      offset: Number(bytes.readBigUInt64LE(at + 5)),
      data: bytes.subarray(name, end)
    })
    at = end
  }
  return read
}

/** The result of a power cut for a write that was not yet synced: all of it is kept, nothing, or some of its sectors. */
export type WriteOutcome = "kept" | "dropped" | "torn"

const sectorBytes = 512

/** A file's content, changed in place. */
class Content {
  #bytes = Buffer.alloc(1 << 16)
  #length = 0

  static copy({ bytes }: Content): Content {
    const copy = new Content()
    copy.write(0, bytes)
    return copy
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  write(offset: number, data: Buffer): void {
    this.#reach(offset + data.length)
    data.copy(this.#bytes, offset)
  }

  truncate(length: number): void {
    this.#reach(length)
    this.#bytes.fill(0, length, this.#length)
    this.#length = length
  }

  #reach(length: number): void {
    if (length > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(length)])
    this.#length = Math.max(this.#length, length)
  }
}

const apply = (content: Content, { data, offset, op }: Step): void =>
  op === "W" ? content.write(offset, data) : content.truncate(offset)

/** Applies some sectors of a write, counted from the beginning of the file. */
const tear = (content: Content, step: Step, keeps: () => boolean): void => {
  if (step.op === "T") {
    if (keeps()) apply(content, step)
    return
  }
  const end = step.offset + step.data.length
  for (let at = step.offset, next = 0; at < end; at = next) {
    next = Math.min((Math.floor(at / sectorBytes) + 1) * sectorBytes, end)
    if (keeps()) content.write(at, step.data.subarray(at - step.offset, next - step.offset))
  }
}

/**
 * The files of a folder after some steps, and what is left of them where the power goes then. Names are made, removed and
 * changed in their order and at once, as file systems with a journal do it.
 */
export class Disk {
  readonly #files = new Map<string, { readonly synced: Content; pending: Array<Step> }>()

  follow(step: Step): void {
    const file = this.#files.get(step.name) ?? { synced: new Content(), pending: [] }
    this.#files.set(step.name, file)
    if (step.op === "W" || step.op === "T") file.pending.push(step)
    if (step.op === "S") {
      for (const each of file.pending) apply(file.synced, each)
      file.pending = []
    }
    if (step.op === "U" || step.op === "R") this.#files.delete(step.name)
    if (step.op === "R") this.#files.set(step.data.toString("utf8"), file)
  }

  leave(folder: string, outcomeOf: () => WriteOutcome, keeps: () => boolean): void {
    for (const [name, { pending, synced }] of this.#files) {
      const content = Content.copy(synced)
      for (const step of pending) {
        const outcome = outcomeOf()
        if (outcome === "kept") apply(content, step)
        if (outcome === "torn") tear(content, step, keeps)
      }
      writeFileSync(join(folder, name), content.bytes, { mode: 0o600 })
    }
  }
}

/** Returns the orders that the process recorded as acknowledged, from a file with one line each. */
export const acknowledged = (steps: ReadonlyArray<Step>): ReadonlyArray<string> =>
  steps
    .filter(({ name, op }) => op === "W" && name === "acknowledged")
    .flatMap(({ data }) => data.toString("utf8").split("\n"))
    .filter((line) => line !== "")

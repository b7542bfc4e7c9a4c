/**
 * Small files that only their owner may read. A file is written completely or not at all, and is durable before a function
 * returns.
 */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import { dirname } from "node:path"

const ownerOnly = 0o600
const othersBits = 0o077

/** Reads a file. Throws if the file does not exist, or if its group or other users may read or change it. */
export const read = (path: string): Buffer => {
  const file = fs.openSync(path, "r")
  try {
    const stats = fs.fstatSync(file)
    if (stats.isDirectory()) throw new Error(`${path} is a folder`)
    const mode = stats.mode & 0o777
    if ((mode & othersBits) !== 0) throw new Error(`${path} is open to others (mode ${mode.toString(8)}): chmod 600`)
    return fs.readFileSync(file)
  } finally {
    fs.closeSync(file)
  }
}

/** Creates a file and its folder. Throws `EEXIST` if the file exists: of two calls at once, one succeeds. */
export const create = (path: string, bytes: Uint8Array): void => {
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString("hex")}.draft`
  try {
    write(fs.openSync(draft, "wx", ownerOnly), bytes)
    fs.linkSync(draft, path)
    syncFolder(path)
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/** A change of a file that is under way. No second one can begin until this one has ended. */
export interface Change {
  /** Replaces the file by these bytes in one step: whoever reads it has the former bytes or these. */
  readonly commit: (bytes: Uint8Array) => void
  /** Ends the change without an effect. */
  readonly abandon: () => void
}

/**
 * Begins a change of a file. Throws if another one is under way or was interrupted, and if the file is a symbolic link or belongs to
 * another user, because the new file would be neither.
 */
export const beginChange = (path: string): Change => {
  const stats = fs.lstatSync(path)
  if (stats.isSymbolicLink()) throw new Error(`${path} is a symbolic link: name the file to which it leads`)
  if (stats.uid !== process.getuid?.())
    throw new Error(`${path} belongs to another user (${stats.uid}): run this command as that user`)
  const draft = `${path}.next`
  const file = openDraft(draft)
  return {
    commit: (bytes) => {
      write(file, bytes)
      fs.renameSync(draft, path)
      syncFolder(path)
    },
    abandon: () => fs.rmSync(draft, { force: true })
  }
}

const openDraft = (draft: string): number => {
  try {
    return fs.openSync(draft, "wx", ownerOnly)
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    throw new Error(`${draft} exists: another change is under way; if none is, one was interrupted: remove this file`)
  }
}

/** Writes all bytes durably, and closes the file. */
const write = (file: number, bytes: Uint8Array): void => {
  try {
    fs.writeFileSync(file, bytes)
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}

/** Overwrites the bytes of a file, then removes it. A file that does not exist causes no error. */
export const destroy = (path: string): void => {
  let file: number
  try {
    file = fs.openSync(path, "r+")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return
    throw error
  }
  try {
    fs.writeSync(file, randomBytes(fs.fstatSync(file).size), null, null, 0)
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
  fs.rmSync(path, { force: true })
  syncFolder(path)
}

const syncFolder = (path: string): void => {
  const folder = fs.openSync(dirname(path), "r")
  try {
    fs.fsyncSync(folder)
  } finally {
    fs.closeSync(folder)
  }
}

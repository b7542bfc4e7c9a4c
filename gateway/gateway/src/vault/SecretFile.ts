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
    const mode = fs.fstatSync(file).mode & 0o777
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
    const file = fs.openSync(draft, "wx", ownerOnly)
    try {
      fs.writeSync(file, bytes)
      fs.fsyncSync(file)
    } finally {
      fs.closeSync(file)
    }
    fs.linkSync(draft, path)
    syncFolder(path)
  } finally {
    fs.rmSync(draft, { force: true })
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

/** Files that are kept after a run, in a folder that only their owner can read. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"

/** Returns the user's folder for these files. */
export const folderOf = (env: Readonly<Record<string, string | undefined>>): string =>
  env.PAY_STATE || join(homedir(), ".pay")

/** Returns the text of a file, or `undefined` if it cannot be read. */
export const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** Writes a file atomically, or throws the given error. */
export const write = (path: string, text: string, error: Error): void => {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(`${path}.new`, text, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  } catch {
    throw error
  }
}

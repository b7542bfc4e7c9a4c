/**
 * One process per database file. Two writers would each believe in their own batch, so the second is turned away.
 *
 * The owner keeps a write transaction open on an empty database beside the file. That is a lock of the kernel, which
 * drops it when the process ends in any way: nothing to clean up after `kill -9`, and no number to be mistaken for a
 * later process of the same pid. The pid file only says whom to ask.
 */
import { chmodSync, closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { fromUnknown, InUse, SqliteError } from "./SqliteError.ts"

/** Files that this process has, by whatever lock file: one that was deleted meanwhile is made anew, and locks nobody out. */
const claimed = new Set<string>()

/** Takes the file for this process, or throws `InUse`; the answer gives it back. */
export const claim = (path: string): (() => void) => {
  const pidFile = `${path}.pid`
  const lockFile = `${path}.lock`
  if (claimed.has(path)) throw inUse(path, process.pid)
  privately(lockFile)
  const lock = new DatabaseSync(lockFile)
  try {
    lock.exec("BEGIN IMMEDIATE")
    rmSync(pidFile, { force: true })
    writeFileSync(pidFile, `${process.pid}\n`, { mode: ownerOnly })
  } catch (cause) {
    lock.close()
    const error = fromUnknown(cause)
    throw error.reason._tag === "Busy" ? inUse(path, readPid(pidFile)) : error
  }
  claimed.add(path)
  return () => {
    claimed.delete(path)
    rmSync(pidFile, { force: true })
    lock.close()
  }
}

const ownerOnly = 0o600

/** For its owner only, also where an earlier release made it. */
const privately = (path: string): void => {
  try {
    closeSync(openSync(path, "ax", ownerOnly))
  } catch {
    // It exists, or cannot be created: then SQLite says why.
  }
  if (existsSync(path) && statSync(path).uid === process.geteuid?.()) chmodSync(path, ownerOnly)
}

const inUse = (path: string, pid: number | undefined) =>
  new SqliteError({
    reason: InUse.make(pid === undefined ? { path } : { path, pid }),
    message: `${path} is in use by ${pid === undefined ? "another process" : `process ${pid}`}; stop it first`
  })

const readPid = (file: string): number | undefined => {
  try {
    const pid = Number(readFileSync(file, "utf8"))
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

/**
 * Allows only one process to write to a database file, because the batches of two writers would conflict. A second process
 * is refused.
 *
 * The owner keeps a write transaction open on an empty database beside the file. This is a lock of the kernel, which
 * releases it when the process ends in any way: after `kill -9` nothing has to be removed, and a later process with the same
 * pid is not mistaken for the owner. The pid file is only used for the message to the second process.
 */
import { chmodSync, closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { fromUnknown, InUse, SqliteError } from "./SqliteError.ts"

/**
 * Files that this process has reserved. The set also protects against a lock file that was deleted and created again, which
 * locks nothing.
 */
const claimed = new Set<string>()

/** Reserves the file for this process, or throws `InUse`. The returned function releases it. */
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

/** Creates the file so that only its owner can access it. Corrects the permissions of an existing file. */
const privately = (path: string): void => {
  try {
    closeSync(openSync(path, "ax", ownerOnly))
  } catch {
    // The file exists, or it cannot be created. In the second case SQLite reports the error when it opens the file.
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

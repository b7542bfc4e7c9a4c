/**
 * Allows only one process to write to a database file, because the batches of two writers would conflict. A second process
 * is refused.
 *
 * The owner keeps a write transaction open on an empty database beside the file. This is a lock of the kernel, which
 * releases it when the process ends in any way: after `kill -9` nothing has to be removed, and a later process with the same
 * pid is not mistaken for the owner. The pid file is only used for the message to the second process.
 *
 * This lock belongs to a name. `Database.open` also locks the file itself, which has other names in other containers.
 */
import { chmodSync, closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "./Sqlite.ts"
import { fromUnknown, InUse, Linked, SqliteError } from "./SqliteError.ts"

/**
 * Files that this process has reserved. The set also protects against a lock file that was deleted and created again, which
 * locks nothing.
 */
const claimed = new Set<string>()

/** Reserves the file for this process, or throws `InUse`. The returned function releases it. */
export const claim = (path: string): (() => void) => {
  const pidFile = `${path}.pid`
  const lockFile = lockFileOf(path)
  if (claimed.has(path)) throw inUse(path, process.pid)
  privately(lockFile)
  const lock = opened(lockFile, path)
  try {
    lock.exec("BEGIN IMMEDIATE")
    rmSync(pidFile, { force: true })
    writeFileSync(pidFile, `${process.pid}\n`, { mode: ownerOnly })
  } catch (cause) {
    lock.close()
    const error = fromUnknown(cause, path)
    throw error.reason._tag === "Busy" ? inUse(path, readPid(pidFile)) : error
  }
  claimed.add(path)
  return () => {
    claimed.delete(path)
    try {
      rmSync(pidFile, { force: true })
    } catch {
      // The disk is read-only. The pid is only for the message to a second process, and the lock decides.
    }
    lock.close()
  }
}

const ownerOnly = 0o600

/** Returns the path of the lock file of a database file. */
const lockFileOf = (path: string): string => `${path}.lock`

/** Returns the identity of the lock file. A process that has locked it knows that every earlier owner with this lock has ended. */
export const lockOf = (path: string): string => {
  const lock = statSync(lockFileOf(path), { bigint: true, throwIfNoEntry: false })
  return lock === undefined ? "" : `${lock.dev}:${lock.ino}`
}

const opened = (lockFile: string, path: string): DatabaseSync => {
  try {
    return new DatabaseSync(lockFile)
  } catch (cause) {
    throw fromUnknown(cause, path)
  }
}

/** Refuses a file with several names. Each name would have a lock and a log of its own. */
export const refuseLinked = (path: string): void => {
  const names = existsSync(path) ? statSync(path).nlink : 1
  if (names < 2) return
  throw new SqliteError({
    reason: Linked.make({ path }),
    message: `${path} has ${names} names (hard links), and two processes that use two of them would destroy it. Remove the other names (find FOLDER -samefile '${path}'), or put a copy in its place`
  })
}

/** Creates the file so that only its owner can access it. Corrects the permissions of an existing file. */
const privately = (path: string): void => {
  try {
    closeSync(openSync(path, "ax", ownerOnly))
  } catch {
    // The file exists, or it cannot be created. In the second case SQLite reports the error when it opens the file.
  }
  if (existsSync(path) && statSync(path).uid === process.geteuid?.()) chmodSync(path, ownerOnly)
}

/** Returns the error for a file that another process has open. */
export const inUse = (path: string, pid?: number): SqliteError =>
  new SqliteError({
    reason: InUse.make(pid === undefined ? { path } : { path, pid }),
    message:
      pid === undefined
        ? `${path} is in use by another process, perhaps in another container or under another name; stop it first. If there is none, its file system cannot lock files: use a local disk`
        : `${path} is in use by process ${pid}; stop it first`
  })

const readPid = (file: string): number | undefined => {
  try {
    const pid = Number(readFileSync(file, "utf8"))
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

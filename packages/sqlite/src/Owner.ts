/**
 * One process per database file. Two writers would each believe in their own batch, so the second is turned away.
 *
 * The owner keeps a write transaction open on an empty database beside the file. That is a lock of the kernel, which
 * drops it when the process ends in any way: nothing to clean up after `kill -9`, and no number to be mistaken for a
 * later process of the same pid. The pid file only says whom to ask.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { fromUnknown, InUse, SqliteError } from "./SqliteError.ts"

/** Takes the file for this process, or throws `InUse`; the answer gives it back. */
export const claim = (path: string): (() => void) => {
  const pidFile = `${path}.pid`
  const lock = new DatabaseSync(`${path}.lock`)
  try {
    lock.exec("BEGIN IMMEDIATE")
    writeFileSync(pidFile, `${process.pid}\n`)
  } catch (cause) {
    lock.close()
    const error = fromUnknown(cause)
    throw error.reason._tag === "Busy" ? inUse(path, readPid(pidFile)) : error
  }
  return () => {
    rmSync(pidFile, { force: true })
    lock.close()
  }
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

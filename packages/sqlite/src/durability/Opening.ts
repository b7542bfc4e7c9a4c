/**
 * Identifies an opening of a store, and the process that made it, so that a later process can decide whether that one
 * still runs.
 */
import { randomUUID } from "node:crypto"
import { readFileSync, statSync } from "node:fs"

/** Returns a unique identifier of an opening. It contains the process and the file. */
export const make = (path: string): string =>
  [randomUUID(), fileOf(path), process.pid, startOf(process.pid) ?? ""].join(" ")

/**
 * Returns the pid of another process that has this file open; undefined if there is none. It works on Linux only, where
 * the start time of a process can be read.
 */
export const runningElsewhere = (owner: string, path: string): number | undefined => {
  const [, file, pid = "", ...start] = owner.split(" ")
  const began = start.join(" ")
  const isRunning = began !== "" && Number(pid) !== process.pid && startOf(Number(pid)) === began
  return isRunning && file === fileOf(path) ? Number(pid) : undefined
}

/** Returns the identity of a file. A copy is a different file, with any name. */
const fileOf = (path: string): string => {
  const { dev, ino } = statSync(path)
  return `${dev}:${ino}`
}

/** Flag of a process that is ending, which is set before its files are closed: PF_EXITING of the kernel's `sched.h`. */
const exiting = 0x4

/**
 * Returns when a process started, in ticks since the boot of the machine; undefined if it has ended, or if this is
 * unknown.
 */
const startOf = (pid: number): string | undefined => {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The program's name is in brackets, and may itself contain blanks and brackets.
    const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const isEnding = "ZX".includes(state) || (Number(fields[5]) & exiting) !== 0
    return isEnding ? undefined : `${boot} ${fields[18]}`
  } catch {
    return undefined
  }
}

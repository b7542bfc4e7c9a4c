/**
 * Identifies an opening of a store, the process that made it and the file that it opened. A later process can decide whether that
 * process still runs, and whether its own file is that one or a copy.
 */
import { randomUUID } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { Context } from "effect"

/** Returns a unique identifier of an opening. It contains the identities of the file and of its lock, and the process. */
export const make = (file: string, lock: string): string =>
  [randomUUID(), file, lock, process.pid, startOf(process.pid) ?? ""].join(" ")

/** Whether the process of the opening had this lock. If this process has it now, the opening has ended. */
export const isUnder = (owner: string, lock: string): boolean => lock !== "" && owner.split(" ")[2] === lock

/**
 * Returns the pid of another process that has this file open; undefined if there is none. It works on Linux only, where
 * the start time of a process can be read.
 */
export const runningElsewhere = (owner: string, file: string): number | undefined => {
  const [, , , pid = "", ...start] = owner.split(" ")
  const began = start.join(" ")
  const isRunning = began !== "" && Number(pid) !== process.pid && startOf(Number(pid)) === began
  return isRunning && isOf(owner, file) ? Number(pid) : undefined
}

/**
 * Returns the identity of a file: its inode, and when it was created. A copy is another file, with any name. The time of creation
 * tells apart files of two file systems that have the same inode. The number of the device is left out, because it may change when a
 * machine starts again.
 */
export const fileOf = (path: string): string => {
  const { birthtimeNs, ctimeNs, ino } = statSync(path, { bigint: true })
  // Some file systems do not keep the time of creation. It is then reported as zero, or as the time of the last change.
  return `${ino}:${birthtimeNs === 0n || birthtimeNs === ctimeNs ? "" : birthtimeNs}`
}

/** Reads the identity of a file. A simulation replaces it: what it leaves of a file after a fault stands for that file. */
export const FileOf = Context.Reference<(path: string) => string>("@pay/sqlite/FileOf", { defaultValue: () => fileOf })

/** Whether the opening was of this file. */
export const isOf = (owner: string, file: string): boolean => isSame(owner.split(" ")[1], file)

const isSame = (one = "", other: string): boolean => {
  const [inode, created = ""] = one.split(":")
  const [otherInode, otherCreated = ""] = other.split(":")
  return inode === otherInode && (created === "" || otherCreated === "" || created === otherCreated)
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

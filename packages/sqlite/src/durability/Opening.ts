/** The process that has a store open, so that a later one can tell whether it still runs. */
import { randomUUID } from "node:crypto"
import { readFileSync, statSync } from "node:fs"

/** Unique; names the process, and the file that it opened. */
export const make = (path: string): string =>
  [randomUUID(), fileOf(path), process.pid, startOf(process.pid) ?? ""].join(" ")

/** The pid, where another process has this file open as far as can be told: only Linux tells when a process began. */
export const runningElsewhere = (owner: string, path: string): number | undefined => {
  const [, file, pid = "", ...start] = owner.split(" ")
  const began = start.join(" ")
  const isRunning = began !== "" && Number(pid) !== process.pid && startOf(Number(pid)) === began
  return isRunning && file === fileOf(path) ? Number(pid) : undefined
}

/** A copy is another file, by whatever name. */
const fileOf = (path: string): string => {
  const { dev, ino } = statSync(path)
  return `${dev}:${ino}`
}

/** Set before a process lets go of its files: PF_EXITING of the kernel's `sched.h`. */
const exiting = 0x4

/** When it began, in ticks of this boot of the machine; undefined: it has ended, or nobody can say. */
const startOf = (pid: number): string | undefined => {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The program's name stands in brackets, and may have blanks and brackets of its own.
    const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const isEnding = "ZX".includes(state) || (Number(fields[5]) & exiting) !== 0
    return isEnding ? undefined : `${boot} ${fields[18]}`
  } catch {
    return undefined
  }
}

/** The process that has a store open, so that a later one can tell whether it still runs. */
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"

/** Unique, and names the process. */
export const make = (): string => [randomUUID(), process.pid, startOf(process.pid) ?? ""].join(" ")

/** The pid, where another process has it open as far as can be told: only Linux tells when a process began. */
export const runningElsewhere = (owner: string): number | undefined => {
  const [, pid = "", ...start] = owner.split(" ")
  const began = start.join(" ")
  return began !== "" && Number(pid) !== process.pid && startOf(Number(pid)) === began ? Number(pid) : undefined
}

/** When it began, in ticks of this boot of the machine; undefined: it has ended, or nobody can say. */
const startOf = (pid: number): string | undefined => {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The program's name stands in brackets, and may have blanks and brackets of its own.
    const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return "ZX".includes(state) ? undefined : `${boot} ${fields[18]}`
  } catch {
    return undefined
  }
}

/**
 * The processes that a crash test started, with everything that they started: also what left its group, lost its parent, or runs
 * in the background. They are known by a variable of their environment, which each process inherits, and by their parents.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"

interface Row {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly isMarked: boolean
}

const pids = (): ReadonlyArray<number> =>
  readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))

/** The text of a file of `/proc`. Empty if the process has ended, or belongs to another user. */
const text = (path: string): string => {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return ""
  }
}

/** The fields of a process after its name, from its state on. The name, in parentheses, may contain blanks and parentheses. */
const fieldsOf = (pid: number): ReadonlyArray<string> => {
  const stat = text(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
}

/** When a process began, in ticks since the start of the machine. 0 if that cannot be seen. */
export const begunTicks = (pid: number): number => Number(fieldsOf(pid)[19] ?? 0)

const linux = (mark: string): ReadonlyArray<Row> =>
  pids().flatMap((pid) => {
    const [state, parent, group] = fieldsOf(pid)
    if (state === undefined || state === "" || state === "Z" || state === "X") return []
    const isMarked = `\0${text(`/proc/${pid}/environ`)}`.includes(`\0${mark}\0`)
    return [{ pid, parent: Number(parent), group: Number(group), isMarked }]
  })

/** `ps` of macOS and BSD: with `-E` it appends the environment to the command. */
const others = (mark: string): ReadonlyArray<Row> =>
  execFileSync("ps", ["-Eww", "-axo", "pid=,ppid=,pgid=,state=,command="], { encoding: "latin1", maxBuffer: 64 << 20 })
    .split("\n")
    .flatMap((line) => {
      const [, pid, parent, group, state = "Z"] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)/.exec(line) ?? []
      if (pid === undefined || state.startsWith("Z")) return []
      return [{ pid: Number(pid), parent: Number(parent), group: Number(group), isMarked: line.includes(` ${mark}`) }]
    })

const rows = (mark: string): ReadonlyArray<Row> => (process.platform === "linux" ? linux(mark) : others(mark))

/** The numbers of all running processes with the mark, `NAME=value`, and of those that began under `roots`. */
export const family = (mark: string, roots: ReadonlySet<number>): ReadonlyArray<number> => {
  const all = rows(mark)
  const members = new Set(
    all.filter(({ group, isMarked, pid }) => isMarked || roots.has(pid) || roots.has(group)).map(({ pid }) => pid)
  )
  for (let before = -1; before !== members.size; ) {
    before = members.size
    for (const { parent, pid } of all) if (members.has(parent)) members.add(pid)
  }
  members.delete(process.pid)
  return [...members]
}

const kill = (pid: number, signal: NodeJS.Signals = "SIGKILL"): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

/** Whether a process of the group is there. */
export const hasGroup = (pid: number): boolean => {
  try {
    return process.platform !== "win32" && process.kill(-pid, 0)
  } catch {
    return false
  }
}

/** Sends a signal to a process and its group; on Windows to the process. */
export const signalGroup = (pid: number, signal: NodeJS.Signals): void =>
  kill(process.platform === "win32" ? pid : -pid, signal)

/** Kills a process and its group, without what left the group. */
export const killGroup = (pid: number): void => {
  if (process.platform === "win32") killOnWindows(new Set([pid]))
  else kill(-pid)
}

/** Ends a tree of processes on Windows. */
const killOnWindows = (roots: ReadonlySet<number>): void => {
  for (const root of roots) {
    try {
      execFileSync("taskkill", ["/PID", String(root), "/T", "/F"], { stdio: "ignore" })
    } catch {
      // It has ended.
    }
  }
}

/** Kills the family and everything that it starts meanwhile. Returns how many processes are still there. */
export const killAll = (mark: string, roots: ReadonlySet<number>): number => {
  if (process.platform === "win32") {
    killOnWindows(roots)
    return 0
  }
  // A child without the mark is known by its parent only, as long as this one lives.
  const left = family(mark, roots)
  for (const root of roots) kill(-root)
  for (const pid of left) kill(pid)
  return left.length
}

const listening = "0A"

/** Ports on which somebody listens, by the number of the socket. */
const sockets = (): ReadonlyMap<string, number> =>
  new Map(
    ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) =>
      text(path)
        .split("\n")
        .slice(1)
        .flatMap((line) => {
          const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/)
          return state === listening ? [[inode, Number.parseInt(local.split(":")[1] ?? "", 16)] as const] : []
        })
    )
  )

/** The numbers of the sockets that a process has. */
const socketsOf = (pid: number): ReadonlyArray<string> => {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((file) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${file}`)) ?? []
      return inode ?? []
    })
  } catch {
    return []
  }
}

/** The ports on which the processes listen, as far as that can be seen: on Linux. */
export const portsOf = (pids: ReadonlyArray<number>): ReadonlyArray<number> => {
  if (process.platform !== "linux") return []
  const all = sockets()
  const ports = pids.flatMap((pid) => socketsOf(pid).flatMap((inode) => all.get(inode) ?? []))
  return [...new Set(ports)].sort((one, other) => one - other)
}

/** The number of the process that listens on a port. Undefined if it belongs to another user, or elsewhere than on Linux. */
export const listenerOn = (port: number): number | undefined => {
  if (process.platform !== "linux") return undefined
  const all = sockets()
  return pids().find((each) => socketsOf(each).some((inode) => all.get(inode) === port))
}

/** The process that listens on a port, with its command. */
export const nameOfListener = (port: number): string | undefined => {
  const pid = listenerOn(port)
  return pid === undefined ? undefined : `process ${pid}: ${text(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()}`
}

/** Signals to a process and to each of its children, as the processes of a PostgreSQL server are. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { Effect } from "effect"

/** The parent stands after the state, which follows the name in brackets; undefined for a process that has ended meanwhile. */
const parentOf = (id: string): number | undefined => {
  const file = `/proc/${id}/stat`
  return existsSync(file) ? Number(/^.*\) \S (\d+)/s.exec(readFileSync(file, "utf8"))?.[1]) : undefined
}

const childrenOf = (main: number): ReadonlyArray<number> =>
  existsSync("/proc/self/stat")
    ? readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name) && parentOf(name) === main)
        .map(Number)
    : [...spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).stdout.matchAll(/(\d+) +(\d+)/g)]
        .filter(([, , parent]) => Number(parent) === main)
        .map(([, id]) => Number(id))

/** A child may have ended by itself. */
const send = (id: number, signal: NodeJS.Signals) => Effect.ignore(Effect.try(() => process.kill(id, signal)))

/** Sends SIGSTOP to the process first, so that it starts no more children. */
export const pauseAll = Effect.fnUntraced(function* (main: number) {
  yield* send(main, "SIGSTOP")
  const children = childrenOf(main)
  yield* Effect.forEach(children, (id) => send(id, "SIGSTOP"), { discard: true })
  return children
})

export const resumeAll = (main: number) =>
  Effect.suspend(() => Effect.forEach([...childrenOf(main), main], (id) => send(id, "SIGCONT"), { discard: true }))

export const killAll = Effect.fnUntraced(function* (main: number) {
  const children = yield* pauseAll(main)
  yield* Effect.forEach([main, ...children], (id) => send(id, "SIGKILL"), { discard: true })
})

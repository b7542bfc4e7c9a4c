/** Programs that a crash test starts: without a shell, in a group of their own, with an end. */
import { type ChildProcess, spawn } from "node:child_process"
import { Effect } from "effect"
import type { Reply } from "../template/Matching.ts"
import * as Guard from "./Guard.ts"
import * as ProcessTable from "./ProcessTable.ts"

/** The variable that all processes of one run inherit, by which they are found again. */
const markName = "PAY_CRASHTEST_RUN"

export interface Place {
  readonly folder: string
  /** Beside the variables of this process. */
  readonly env: Readonly<Record<string, string>>
}

/** The programs of one run. */
export interface Programs {
  /** Starts a program. `onOutput` gets both of its streams. With pipes, it reads the file 3 and writes into the file 4. */
  readonly spawn: (
    command: ReadonlyArray<string>,
    onOutput: () => (piece: Uint8Array) => void,
    options?: { readonly hasPipes: boolean }
  ) => ChildProcess
  /** Runs a program to its end, or to the end of the time. Without an exit code: it was killed. */
  readonly run: (
    command: ReadonlyArray<string>,
    timeoutMs: number
  ) => Effect.Effect<Reply & { readonly problem?: string }>
  /** Processes that run now, with what they started. */
  readonly family: () => ReadonlyArray<number>
  /** Makes a process one of the family that has neither its mark nor a parent in it. */
  readonly adopt: (pid: number) => void
  /** Sends a signal to the group of each program, and remembers their children, of which some may lose their parent now. */
  readonly ask: (signal: NodeJS.Signals) => void
  /** Kills everything that was started here, and waits for its end. */
  readonly killAll: Effect.Effect<void>
  readonly killAllNow: () => void
}

const longestOutput = 1_048_576
const pollMs = 10
/** Turns for which a process that was killed may take to end, or may start others: 10 seconds. */
const mostTurns = 1000

/** Whether a program cannot be started at all, and why. */
export const startProblem = (program: string, error: Error): string =>
  "code" in error && error.code === "ENOENT"
    ? /\s/.test(program)
      ? `"${program}" is no program: give the program and its arguments as words of their own`
      : `${program} is not installed, or not in PATH`
    : "code" in error && error.code === "EACCES"
      ? `${program} may not be executed: chmod +x`
      : `${program} cannot be started: ${error.message}`

const make = ({ env, folder }: Place, id: string, guard: Guard.Guard): Programs => {
  const mark = `${markName}=${id}`
  const roots = new Set<number>()

  /** Another process may get the number, unless a process of its group remains. */
  const forget = (pid: number) => {
    if (ProcessTable.hasGroup(pid)) return
    roots.delete(pid)
    guard.forget(pid)
  }

  const start: Programs["spawn"] = ([program = "", ...args], onOutput, { hasPipes } = { hasPipes: false }) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...env, [markName]: id },
      stdio: ["ignore", "pipe", "pipe", ...(hasPipes ? (["pipe", "pipe"] as const) : [])],
      detached: process.platform !== "win32",
      windowsHide: true
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", onOutput()).on("error", () => undefined)
    const { pid } = child
    if (pid !== undefined) {
      roots.add(pid)
      guard.watch(pid)
      child.once("exit", () => forget(pid))
    }
    return child
  }

  const killAllNow = (): number => {
    const left = ProcessTable.killAll(mark, roots)
    if (left === 0) for (const root of [...roots]) forget(root)
    return left
  }

  const killAll = Effect.gen(function* () {
    for (let turn = 0; turn < mostTurns && killAllNow() > 0; turn += 1) yield* Effect.sleep(pollMs)
  })

  const run: Programs["run"] = (command, timeoutMs) =>
    Effect.callback<Reply & { readonly problem?: string }>((resume) => {
      const pieces: Array<string> = []
      let length = 0
      const decoder = new TextDecoder()
      const child = start(command, () => (piece) => {
        length += piece.length
        if (length <= longestOutput) pieces.push(decoder.decode(piece, { stream: true }))
      })
      const end = () => {
        if (child.pid !== undefined) ProcessTable.killGroup(child.pid)
        for (const stream of [child.stdout, child.stderr]) stream?.destroy()
      }
      child.on("error", (error) => resume(Effect.succeed({ text: "", problem: startProblem(command[0] ?? "", error) })))
      child.on("exit", (code, signal) => {
        // Its output arrives after it has ended; what it left in the background may hold the pipe for ever.
        const done = () => {
          const text = pieces.join("")
          resume(Effect.succeed(code === null ? { text, problem: `was ended by ${signal}` } : { exit: code, text }))
        }
        child.once("close", done)
        setTimeout(done, closeMs).unref()
      })
      return Effect.sync(end)
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMs,
        orElse: () => Effect.succeed({ text: "", problem: "did not end in time" })
      })
    )

  return {
    spawn: start,
    run,
    killAll,
    ask: (signal) => {
      for (const pid of ProcessTable.family(mark, roots)) roots.add(pid)
      for (const root of roots) ProcessTable.signalGroup(root, signal)
    },
    adopt: (pid) => {
      roots.add(pid)
      guard.watch(pid)
    },
    killAllNow: () => void killAllNow(),
    family: () => ProcessTable.family(mark, roots)
  }
}

/** How long the output of a program that has ended may take, in milliseconds. */
const closeMs = 500

/** Programs of which none remains at the end of the scope, also if this process ends without closing it. */
export const scoped = (place: Place, id: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const guard = Guard.start(`${markName}=${id}`)
      const programs = make(place, id, guard)
      process.on("exit", programs.killAllNow)
      return { programs, guard }
    }),
    ({ guard, programs }) =>
      Effect.andThen(
        programs.killAll,
        Effect.sync(() => {
          process.off("exit", programs.killAllNow)
          guard.end()
        })
      )
  ).pipe(Effect.map(({ programs }) => programs))

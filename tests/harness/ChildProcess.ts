/** A program as a process beside the test: read line by line, killed without warning, or asked to stop. */
import { type SpawnOptions, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { Deferred, Effect } from "effect"
import { compileCache } from "../../scripts/Workspace.ts"
import * as Bundles from "./Bundles.ts"

export interface Options<A> {
  /** Default: Node, with a program of ours as its first argument. */
  readonly program?: string
  readonly args: ReadonlyArray<string>
  /** Its folder and its user, if they are not the test's. */
  readonly place?: Pick<SpawnOptions, "cwd" | "uid" | "gid">
  readonly env?: Readonly<Record<string, string>>
  /** Reads in a line of its output that it is ready. */
  readonly ready: (line: string) => A | undefined
  /** Is called with each line of its output and of its errors. Without it the test's own output has the errors. */
  readonly onLine?: (line: string) => void
}

export interface ChildProcess<A> {
  /** What it printed when it was ready; a defect with its last lines if it ended before. */
  readonly ready: Effect.Effect<A>
  readonly signal: (signal: NodeJS.Signals) => Effect.Effect<void>
  /** How it ended: exit code, or the signal's name. */
  readonly ended: Effect.Effect<number | string>
  readonly isOver: () => boolean
  /** `kill -9`: nothing of it runs any more when this completes. */
  readonly kill: Effect.Effect<void>
  readonly pid: number | undefined
  /** Sends it a line; nothing happens where it has ended. */
  readonly write: (line: string) => void
  /** Closes the pipes from which its output is read: what it writes from now on fails. */
  readonly closeOutput: Effect.Effect<void>
}

const lastLines = 20

/**
 * Programs share what Node has compiled of them: that halves the time of a start. A program that is going to be killed writes it with
 * `flushCompileCache`.
 */
export const environment = () => ({ ...process.env, NODE_COMPILE_CACHE: Bundles.compiled() ?? compileCache })

/** Starts it, and does not wait. */
export const launch = <A>({ args, env, onLine, place, program = process.execPath, ready }: Options<A>) =>
  Effect.sync((): ChildProcess<A> => {
    const started = Deferred.makeUnsafe<A>()
    const over = Deferred.makeUnsafe<number | string>()
    const child = spawn(
      program,
      args.map((each) => Bundles.start(each)),
      {
        ...place,
        stdio: ["pipe", "pipe", onLine === undefined ? "inherit" : "pipe"],
        env: { ...environment(), ...env }
      }
    )
    child.stdin?.on("error", () => undefined)
    const lines: Array<string> = []
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface(stream).on("line", (line) => {
        if (lines.push(line) > lastLines) lines.shift()
        onLine?.(line)
        const value = ready(line)
        if (value !== undefined) Deferred.doneUnsafe(started, Effect.succeed(value))
      })
    }
    let isOver = false
    child.on("exit", (code, signal) => {
      isOver = true
      const end = code ?? signal ?? "gone"
      const early = new Error(`${args.join(" ")} ended with ${end} before it was ready:\n${lines.join("\n")}`)
      Deferred.doneUnsafe(started, Effect.die(early))
      Deferred.doneUnsafe(over, Effect.succeed(end))
    })
    const signal = (name: NodeJS.Signals) => Effect.sync(() => void child.kill(name))
    const ended = Deferred.await(over)
    const kill = Effect.andThen(signal("SIGKILL"), Effect.asVoid(ended))
    const write = (line: string) => void child.stdin?.write(`${line}\n`)
    const closeOutput = Effect.sync(() => {
      for (const stream of [child.stdout, child.stderr]) stream?.destroy()
    })
    return {
      pid: child.pid,
      signal,
      ended,
      kill,
      write,
      closeOutput,
      isOver: () => isOver,
      ready: Deferred.await(started)
    }
  })

/** Starts it, waits until it is ready, and kills it when the scope closes. */
export const start = Effect.fnUntraced(function* <A>(options: Options<A>) {
  const child = yield* Effect.acquireRelease(launch(options), ({ kill }) => kill)
  return { ...child, ready: yield* child.ready }
})

/** Runs the program to its end and returns the lines that it printed. Kills it if the test ends first. */
export const run = (args: ReadonlyArray<string>) =>
  Effect.callback<ReadonlyArray<string>>((resume) => {
    const child = spawn(
      process.execPath,
      args.map((each) => Bundles.start(each)),
      { stdio: ["ignore", "pipe", "inherit"], env: environment() }
    )
    const lines: Array<string> = []
    createInterface(child.stdout).on("line", (line) => lines.push(line))
    child.on("close", () => resume(Effect.succeed(lines)))
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

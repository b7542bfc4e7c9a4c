/** Starts a program of this repository as a child process, which ends with the scope at the latest. */
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { Deferred, Effect, Schema } from "effect"

export class ProgramEnded extends Schema.TaggedError<ProgramEnded>()("ProgramEnded", {
  name: Schema.String,
  output: Schema.String
}) {
  override get message(): string {
    return `${this.name} did not start: ${this.output}`
  }
}

export interface Options {
  /** The program's name in error messages. */
  readonly name: string
  readonly script: string
  readonly env: Readonly<Record<string, string>>
  /** Matches the line of output that reports readiness. Its first group is the program's address. */
  readonly ready: RegExp
}

export interface Program {
  /** The program's address, from the line that {@link Options.ready} matches. */
  readonly address: string
  readonly processId: number
  /** Completes when the process has ended, for any reason. */
  readonly end: Effect.Effect<void>
  readonly kill: (signal: NodeJS.Signals) => Effect.Effect<void>
}

const attached = new URL("./Attached.ts", import.meta.url).href

const keptLines = 20

export const start = Effect.fnUntraced(function* ({ env, name, ready, script }: Options) {
  const listening = yield* Deferred.make<string, ProgramEnded>()
  const ended = yield* Deferred.make<void>()
  const output: Array<string> = []
  const child: ChildProcess = yield* Effect.acquireRelease(
    Effect.sync(() =>
      // The child's end of the IPC channel closes when this process ends, even if this process is killed.
      spawn(process.execPath, ["--import", attached, script], {
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        env: { ...env }
      })
    ),
    (child) => Effect.sync(() => void child.kill())
  )
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface(stream).on("line", (line) => {
      if (output.length < keptLines) output.push(line)
      const match = ready.exec(line)?.[1]
      if (match !== undefined) Deferred.doneUnsafe(listening, Effect.succeed(match))
    })
  }
  child.on("exit", () => {
    Deferred.doneUnsafe(listening, Effect.fail(new ProgramEnded({ name, output: output.join(" ") })))
    Deferred.doneUnsafe(ended, Effect.void)
  })
  const address = yield* Deferred.await(listening)
  const program: Program = {
    address,
    processId: child.pid ?? 0,
    end: Deferred.await(ended),
    kill: (signal) => Effect.sync(() => void child.kill(signal))
  }
  return program
})

/** A process that has a file open as its only writer. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"
import { Effect } from "effect"

/** The program of the process. */
export const program = fileURLToPath(new URL("processes/Own.ts", import.meta.url))

/** A process that has the file open, and writes a row for each line that it reads. */
interface First {
  readonly pid: number
  /** Sends a line, and returns the answer. */
  readonly tell: (line: string) => Promise<string>
  readonly signal: (name: NodeJS.Signals) => Promise<void>
}

type Child = ChildProcessByStdio<Writable, Readable, null>

const killed = async (child: Child): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGKILL")
  await once(child, "exit")
}

/** Starts the process, and waits until it has the file open. */
export const first = (path: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const child: Child = spawn(process.execPath, [program, path], { stdio: ["pipe", "pipe", "inherit"] })
        const output = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
        assert.strictEqual((await output.next()).value, "open")
        return { child, output }
      }),
      ({ child }) => Effect.promise(() => killed(child))
    ),
    ({ child, output }): First => ({
      pid: child.pid ?? 0,
      tell: async (line) => {
        child.stdin.write(`${line}\n`)
        return String((await output.next()).value)
      },
      signal: async (name) => {
        if (name === "SIGKILL") await killed(child)
        else child.kill(name)
      }
    })
  )

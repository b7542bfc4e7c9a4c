/** Runs the program in this process: with streams of its own, so that several runs do not mix. */
import { EventEmitter } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { run } from "../src/Run.ts"
import * as Io from "../src/terminal/Io.ts"
import type { InProcess, RunResult } from "./Pay.ts"

/** A state folder that does not exist, instead of the one of the user who runs the tests. */
export const unusedState = join(tmpdir(), `pay-unused-state-${process.pid}`)

const collecting = (onText: (text: string) => void): Writable =>
  new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _, done) => {
      onText(chunk.toString())
      done()
    }
  })

/** Runs the program in this process. A signal has an effect only if the program listens to it. */
export const inProcess = async (
  args: ReadonlyArray<string>,
  { clock, env = {}, input = "", isTerminal = false, onError, onOutput, onStart, running }: InProcess
): Promise<RunResult> => {
  const output = { out: "", err: "" }
  const signals = new EventEmitter()
  const kill = (signal: NodeJS.Signals) => void signals.emit(signal)
  const io: Io.Io = {
    env: { PAY_STATE: unusedState, ...env },
    stdin: Readable.from(input === "" ? [] : [Buffer.from(input)]),
    stdout: Object.assign(
      collecting((text) => {
        output.out += text
        onOutput?.(output.out, kill)
      }),
      isTerminal ? { isTTY: true, columns: 100 } : {}
    ),
    stderr: collecting((text) => {
      output.err += text
      onError?.(output.err, kill)
    }),
    signals,
    ...(clock !== undefined && { clock })
  }
  const ended = running === undefined ? run(args, io) : Io.within(io, () => running(args))
  onStart?.(kill)
  return { code: await ended, ...output }
}

/** The input and output of one run of the program. A process has its own streams; a test provides others and needs no process. */
import type { AsyncLocalStorage } from "node:async_hooks"
import type { Clock } from "effect"

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: Stream
  readonly stderr: Stream
  /** The emitter of SIGINT and SIGTERM. */
  readonly signals: NodeJS.EventEmitter
  /** The clock of effects. The default is real time. */
  readonly clock?: Clock.Clock
}

/** Storage for the {@link Io} of a run. It is created at its first use, because loaded modules slow down the start. */
let runs: AsyncLocalStorage<Partial<Io>> | undefined

/** Returns the streams and variables of the current run, or `undefined` if it uses those of the process. */
export const current = (): Partial<Io> | undefined => runs?.getStore()

/** Runs a function with other streams and variables. Those that are not given stay unchanged. */
export const within = <A>(io: Partial<Io>, run: () => Promise<A>): Promise<A> => {
  runs ??= new (process.getBuiltinModule("node:async_hooks").AsyncLocalStorage)()
  return runs.run({ ...current(), ...io }, run)
}

export const stdin = (): Io["stdin"] => current()?.stdin ?? process.stdin

export const stdout = (): Stream => current()?.stdout ?? process.stdout

export const stderr = (): Stream => current()?.stderr ?? process.stderr

export const signals = (): NodeJS.EventEmitter => current()?.signals ?? process

/** What one run of the program reads and writes. A process has its own streams; a test gives others, without a process. */
import type { AsyncLocalStorage } from "node:async_hooks"
import type { Clock } from "effect"

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: Stream
  readonly stderr: Stream
  /** Emits SIGINT and SIGTERM. */
  readonly signals: NodeJS.EventEmitter
  /** The clock of effects; undefined: real time. */
  readonly clock?: Clock.Clock
}

/** Made for the first run that needs it: most of a start is what it loads. */
let runs: AsyncLocalStorage<Partial<Io>> | undefined

/** The streams and variables that this run was given; undefined: those of the process. */
export const current = (): Partial<Io> | undefined => runs?.getStore()

/** What is not given stays as it is. */
export const within = <A>(io: Partial<Io>, run: () => Promise<A>): Promise<A> => {
  runs ??= new (process.getBuiltinModule("node:async_hooks").AsyncLocalStorage)()
  return runs.run({ ...current(), ...io }, run)
}

export const stdin = (): Io["stdin"] => current()?.stdin ?? process.stdin

export const stdout = (): Stream => current()?.stdout ?? process.stdout

export const stderr = (): Stream => current()?.stderr ?? process.stderr

export const signals = (): NodeJS.EventEmitter => current()?.signals ?? process

/** Runs an effect until it ends or the user stops it. */
import { Cause, Clock, Effect, Exit, Option } from "effect"
import * as Io from "./Io.ts"

export type Ended<A, E> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Failed"; readonly error: E }
  | { readonly _tag: "Stopped" }

/**
 * Runs the effect. SIGINT and SIGTERM interrupt it; a second signal ends the process immediately. With `onFirst`, the first signal
 * calls this instead, the second interrupts, and the third ends the process.
 */
export const run = async <A, E>(program: Effect.Effect<A, E>, onFirst?: () => void): Promise<Ended<A, E>> => {
  const source = Io.signals()
  const stop = new AbortController()
  let first = onFirst
  const onSignal = () => {
    if (first !== undefined) {
      first()
      first = undefined
      return
    }
    ignore()
    stop.abort()
  }
  const ignore = () => {
    for (const signal of signals) source.removeListener(signal, onSignal)
  }
  for (const signal of signals) source.on(signal, onSignal)
  const clock = Io.current()?.clock
  const timed = clock === undefined ? program : Effect.provideService(program, Clock.Clock, clock)
  const exit = await Effect.runPromiseExit(timed, { signal: stop.signal })
  ignore()
  if (Exit.isSuccess(exit)) return { _tag: "Done", value: exit.value }
  if (stop.signal.aborted) return { _tag: "Stopped" }
  const error = Cause.findErrorOption(exit.cause)
  if (Option.isSome(error)) return { _tag: "Failed", error: error.value }
  throw Cause.squash(exit.cause)
}

const signals = ["SIGINT", "SIGTERM"] as const

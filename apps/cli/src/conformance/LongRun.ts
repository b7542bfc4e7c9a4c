/** A run of minutes: it says how far it is, and ends early with what it has. */
import { Deferred, Effect } from "effect"
import * as Io from "../terminal/Io.ts"
import * as Output from "../terminal/Output.ts"
import * as Program from "../terminal/Program.ts"

/** The time between two lines of progress where no line can change, in milliseconds. */
const linesEveryMs = 10_000

export interface Progress {
  /** Says how far the run is. */
  readonly show: (line: string, elapsedMs: number) => void
  /** On a terminal, prints lines that stay, and says how far the run is. */
  readonly print: (lines: string | undefined, line: string) => void
  readonly end: () => void
}

/** Prints progress on standard error: one changing line on a terminal, and otherwise a line at times. */
export const progress = (): Progress => {
  const screen = Output.screen()
  if (screen === undefined) {
    let nextMs = linesEveryMs
    const show = (line: string, elapsedMs: number) => {
      if (elapsedMs < nextMs) return
      nextMs = elapsedMs + linesEveryMs
      Io.stderr().write(`${Output.safe(line)}\n`)
    }
    return { show, print: () => undefined, end: () => undefined }
  }
  const erase = "\r\u001b[2K"
  const show = (line: string) => screen.write(`${erase}${Output.safe(line.slice(0, screen.columns() - 3))}`)
  return {
    show,
    print: (lines, line) => {
      if (lines !== undefined) screen.write(`${erase}${Output.safe(lines)}\n`)
      show(line)
    },
    end: () => screen.write(erase)
  }
}

/**
 * Runs a program whose `stop` succeeds with the reason at the first SIGINT or SIGTERM, and at the limit. The second signal interrupts
 * the program.
 */
export const run = <A, E>(
  program: (stop: Effect.Effect<string>) => Effect.Effect<A, E>,
  limitSeconds: number | undefined
): Promise<Program.Ended<A, E>> => {
  const stopped = Deferred.makeUnsafe<string>()
  const signalled = Deferred.await(stopped)
  const late = `the limit of ${limitSeconds} s for the run is reached`
  const stop =
    limitSeconds === undefined
      ? signalled
      : Effect.raceFirst(signalled, Effect.as(Effect.sleep(`${limitSeconds} seconds`), late))
  return Program.run(program(stop), () => Deferred.doneUnsafe(stopped, Effect.succeed("it was stopped")))
}

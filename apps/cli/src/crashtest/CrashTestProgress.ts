/** Displays how far a crash test is: as one changing line on a terminal, elsewhere as a line every ten seconds. */
import * as Numbers from "@pay/crashtest/Numbers"
import type { Progress } from "@pay/crashtest/Tally"
import { Clock, Effect, Schedule } from "effect"
import * as Output from "../terminal/Output.ts"

const eraseLine = "\r\u001b[2K"

/** Returns the milliseconds that are left, judged by what was done until now. `undefined`: not known yet. */
const remainingMs = ({ done, planned }: Progress, elapsedMs: number): number | undefined =>
  done === 0 || planned <= done ? undefined : (elapsedMs / done) * (planned - done)

const roughly = (ms: number): string =>
  ms < 90_000 ? `${Math.max(1, Math.round(ms / 1000))} s` : `${Math.round(ms / 60_000)} min`

export interface Times {
  /** Time since the planned payments began, in milliseconds. */
  readonly elapsedMs: number
  /** Time until the run is ended, in milliseconds. Absent: it ends with its last payment. */
  readonly limitMs?: number
}

/** Returns the line about a progress: `312 of 1,000 payments, 4 findings, about 40 s left`. */
export const line = (progress: Progress, { elapsedMs, limitMs }: Times): string => {
  const { done, findings, phase, planned } = progress
  if (planned === 0) return phase
  const left = remainingMs(progress, elapsedMs)
  const limited = left === undefined || limitMs === undefined ? left : Math.min(left, Math.max(0, limitMs - elapsedMs))
  const parts = [
    `${Numbers.whole(done)} of ${Numbers.counted(planned, "payment")}`,
    Numbers.counted(findings, "finding"),
    ...(limited === undefined ? [] : [`about ${roughly(limited)} left`])
  ]
  return parts.join(", ")
}

/** Returns the first parts of a line that are whole within so many columns. */
const fitted = (text: string, columns: number): string => {
  if (text.length <= columns) return text
  const end = text.lastIndexOf(", ", columns)
  return text.slice(0, end === -1 ? columns : end)
}

interface Display {
  readonly everySeconds: number
  readonly draw: (text: string) => void
  readonly end: () => void
}

const display = (screen: Output.Screen | undefined, say: (text: string) => void): Display =>
  screen === undefined
    ? { everySeconds: 10, draw: say, end: () => undefined }
    : {
        everySeconds: 1,
        draw: (text) => screen.write(`${eraseLine}${Output.safe(fitted(text, screen.columns() - 3))}`),
        end: () => screen.write(eraseLine)
      }

/** Returns what a run tells its progress to. The display ends with the scope. `say` prints a line. */
export const make = Effect.fnUntraced(function* (
  screen: Output.Screen | undefined,
  say: (text: string) => void,
  limitMs?: number
) {
  const { draw, end, everySeconds } = display(screen, say)
  let progress: Progress = { done: 0, planned: 0, findings: 0, phase: "starting" }
  let beganAtMs = yield* Clock.currentTimeMillis
  yield* Effect.addFinalizer(() => Effect.sync(end))
  yield* Effect.map(Clock.currentTimeMillis, (nowMs) =>
    draw(line(progress, { elapsedMs: nowMs - beganAtMs, ...(limitMs !== undefined && { limitMs }) }))
  ).pipe(Effect.repeat(Schedule.spaced(`${everySeconds} seconds`)), Effect.forkScoped)
  return (next: Progress) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => {
      if (next.phase !== progress.phase) beganAtMs = nowMs
      progress = next
    })
})

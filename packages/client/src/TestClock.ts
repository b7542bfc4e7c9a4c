/** Durations as a test writes them. */
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import { Clock, DateTime, Effect } from "effect"
import { InvalidSettingError } from "./main.ts"

const form = /^(\d{1,5}) ?(second|minute|hour|day|week|month|year)s?$/

const units = {
  second: "seconds",
  minute: "minutes",
  hour: "hours",
  day: "days",
  week: "weeks",
  month: "months",
  year: "years"
} as const

const isUnit = (word: string): word is keyof typeof units => Object.hasOwn(units, word)

/** Returns the length of a duration such as `1 month` that begins at this time, in milliseconds. `undefined` if it is none. */
export const lengthMs = (duration: unknown, fromMs: number): number | undefined => {
  const [, count = "", unit = ""] = form.exec(String(duration)) ?? []
  if (!isUnit(unit)) return undefined
  const from = DateTime.makeUnsafe(fromMs)
  return DateTime.toEpochMillis(DateTime.add(from, { [units[unit]]: Number(count) })) - fromMs
}

const notADuration = 'The duration must be like "30 minutes", "7 days" or "1 month".'

/** Moves the time of the gateway. A text that is no duration is an `InvalidSettingError`. */
export const advance = (duration: string) =>
  Effect.gen(function* () {
    const { offsetMs } = yield* SandboxClock
    const ms = lengthMs(duration, (yield* Clock.currentTimeMillis) + (yield* offsetMs))
    if (ms === undefined) return yield* Effect.die(new InvalidSettingError({ message: notADuration, retryable: false }))
    return yield* Sandbox.advance(ms)
  })

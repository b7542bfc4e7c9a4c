/** Operations on the business time of a sandbox gateway, as values like those of `@pay/gateway/OperatorApi`. */
import { type Group, OperatorOperation as Operation, OperatorParameter as Parameter } from "@pay/gateway/OperatorApi"
import { Schema } from "effect"

const Now = Schema.Struct({ now: Parameter.Time, offsetMs: Schema.Int })
const message = ({ now }: typeof Now.Encoded) => `It is ${now} in the sandbox.`
const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const form = /^(\d{1,6})([smhd])$/

/** Returns the duration of a text such as `45d` or `30m`, in milliseconds. `undefined` if the text is not a duration. */
export const durationMs = (text: string): number | undefined => {
  const [, count, unit = ""] = form.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (unitMs[unit] ?? 0)
}

export const showClock = Operation.make("showClock", {
  method: "GET",
  path: "/sandbox/clock",
  command: "clock show",
  about: "Shows the business time of a sandbox gateway.",
  input: Schema.Struct({}),
  answer: Now,
  message
})

export const advanceClock = Operation.make("advanceClock", {
  method: "POST",
  path: "/sandbox/clock/advance",
  carrier: "query",
  command: "clock advance",
  operands: ["by"],
  about: "Advances business time through everything that becomes due, in order.",
  input: Schema.Struct({
    by: Schema.String.check(
      Schema.isPattern(form, { message: "must be a number and a unit: 45d, 12h, 30m or 10s" })
    ).annotate(Parameter.info({ value: "TIME", about: "How far: 45d, 12h, 30m or 10s." }))
  }),
  answer: Now,
  message
})

export const resetClock = Operation.make("resetClock", {
  method: "POST",
  path: "/sandbox/clock/reset",
  command: "clock reset",
  about: "Sets business time back to wall time.",
  input: Schema.Struct({}),
  answer: Now,
  message
})

export const all: ReadonlyArray<Operation.OperatorOperation> = [showClock, advanceClock, resetClock]

/** The text above the flags of `pay clock` in its help. */
export const group: Group = {
  summary: "Show or advance the business time of a sandbox gateway.",
  about:
    "The clock stops at everything that becomes due, in order: holds lapse, recurring payments are charged, callbacks are repeated. reset sets business time back to wall time. Signatures always use wall time.",
  examples: ["pay clock advance 45d"]
}

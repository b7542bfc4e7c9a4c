/** What `npm run soak` is asked for. */
import { parseArgs } from "node:util"
import { Data, Effect } from "effect"

export interface Arguments {
  readonly seed: number
  readonly minutes: number
  /** So many recurring payments that are due at once, instead of failures. */
  readonly recurring: number | undefined
  /** Writes the result into docs/operators/soak.md. */
  readonly writes: boolean
}

export class WrongArguments extends Data.TaggedError("WrongArguments")<{ readonly message: string }> {}

export const usage = `npm run soak -- [--minutes M] [--seed N] [--write]
npm run soak -- --recurring COUNT [--write]

  --minutes M        how long failures are injected; fractions are allowed (default 5)
  --seed N           which failures, in which order (default 1)
  --recurring COUNT  charges so many recurring payments that are due at once
  --write            writes the result into docs/operators/soak.md`

const options = {
  minutes: { type: "string", default: "5" },
  seed: { type: "string", default: "1" },
  recurring: { type: "string" },
  write: { type: "boolean", default: false }
} as const

const number = (name: string, text: string, isRight: (value: number) => boolean, what: string) => {
  const value = Number(text)
  return text !== "" && isRight(value)
    ? Effect.succeed(value)
    : Effect.fail(new WrongArguments({ message: `--${name} must be ${what}, not "${text}"` }))
}

const isPositive = (value: number) => Number.isFinite(value) && value > 0
const isWhole = (value: number) => Number.isSafeInteger(value) && value >= 0

export const read = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const { values } = yield* Effect.try({
    try: () => parseArgs({ args: [...args], options, allowPositionals: false }),
    catch: (cause) => new WrongArguments({ message: cause instanceof Error ? cause.message : String(cause) })
  })
  const { minutes, recurring, seed, write } = values
  const parsed: Arguments = {
    minutes: yield* number("minutes", minutes, isPositive, "a number above 0"),
    seed: yield* number("seed", seed, isWhole, "a whole number"),
    recurring:
      recurring === undefined
        ? undefined
        : yield* number("recurring", recurring, (value) => isWhole(value) && value > 0, "a whole number above 0"),
    writes: write
  }
  return parsed
})

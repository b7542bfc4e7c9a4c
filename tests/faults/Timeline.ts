/** Tables of what an order shows over business time: `0s unknown, 4s unknown, 6s approved`. */
import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import * as World from "../harness/World.ts"

const unitMs: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }

interface Moment {
  readonly text: string
  readonly atMs: number
  readonly expected: string
}

const moments = (timeline: string): ReadonlyArray<Moment> =>
  timeline.split(",").map((text) => {
    const [, number, unit = "", expected] = /^\s*(\d+)(s|min|h|d) (.+?)\s*$/.exec(text) ?? []
    if (number === undefined || expected === undefined) throw new Error(`not a moment: "${text}"`)
    return { text, atMs: Number(number) * (unitMs[unit] ?? 0), expected }
  })

/** Lets time pass from moment to moment and compares what `look` sees. */
export const follow = Effect.fnUntraced(function* <E, R>(timeline: string, look: Effect.Effect<string, E, R>) {
  const startMs = yield* Clock.currentTimeMillis
  yield* World.settled
  const values: Array<string> = []
  for (const { atMs, text } of moments(timeline)) {
    yield* World.pass(startMs + atMs - (yield* Clock.currentTimeMillis))
    values.push(`${text.trim().split(" ")[0]} ${yield* look}`)
  }
  assert.deepStrictEqual(
    values,
    moments(timeline).map(({ text }) => text.trim())
  )
})

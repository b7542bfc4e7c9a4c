/** The disk of a simulated world: power cuts that drop what was not synced, and a disk that is full. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as WatchedDisk from "./WatchedDisk.ts"

const Answer = Schema.fromJsonString(
  Schema.Struct({
    counts: Schema.Record(Schema.String, Schema.Number),
    hash: Schema.String,
    problems: Schema.Array(Schema.String)
  })
)

const run = Effect.fnUntraced(function* (seed: number, rounds: number, fault: string) {
  const place = yield* WatchedDisk.place
  const args = [join(import.meta.dirname, "processes/Simulate.ts"), `${seed}`, `${rounds}`, fault]
  const env = { ...process.env, ...WatchedDisk.environment(place) }
  const { stdout } = yield* Effect.promise(() => promisify(execFile)(process.execPath, args, { env }))
  return yield* Schema.decodeEffect(Answer)(stdout)
})

const timeoutMs = 180_000

describe("a simulated world on a watched disk", () => {
  it.live(
    "finds all that it had after each power cut, and when its disk was full; the same for the same seed",
    () =>
      Effect.gen(function* () {
        const [one, other] = yield* Effect.all([run(2, 3, ""), run(2, 3, "")], { concurrency: 2 })
        assert.deepStrictEqual(one.problems, [])
        assert.isAtLeast(one.counts["step powerCut"] ?? 0, 3)
        assert.strictEqual(one.hash, other.hash)
      }),
    timeoutMs
  )

  it.live.each(["log", "database"])(
    "finds that the %s is not synced",
    (fault) =>
      Effect.gen(function* () {
        for (let seed = 1; seed <= 10; seed++) {
          const { problems } = yield* run(seed, 3, fault)
          if (problems.length > 0) return
        }
        assert.fail("not found")
      }),
    timeoutMs
  )
})

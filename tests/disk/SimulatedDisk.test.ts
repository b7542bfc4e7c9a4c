/** The disk of a simulated world: power cuts that drop unsynced writes, and a full disk. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Bundles from "../harness/Bundles.ts"
import * as ChildProcess from "../harness/ChildProcess.ts"
import * as WatchedDisk from "./WatchedDisk.ts"

const Answer = Schema.fromJsonString(
  Schema.Struct({
    counts: Schema.Record(Schema.String, Schema.Number),
    hash: Schema.String,
    problems: Schema.Array(Schema.String)
  })
)

const program = Effect.fnUntraced(function* (name: string, ...given: ReadonlyArray<string | number>) {
  const place = yield* WatchedDisk.place
  const args = [Bundles.start(join(import.meta.dirname, `processes/${name}.ts`)), ...given.map(String)]
  const env = { ...ChildProcess.environment(), ...WatchedDisk.environment(place) }
  const { stdout } = yield* Effect.promise(() => promisify(execFile)(process.execPath, args, { env }))
  return yield* Schema.decodeEffect(Answer)(stdout)
})

const run = (seed: number, rounds: number, fault: string) => program("Simulate", seed, rounds, fault)

/** One of these seeds detects a disk that does not sync. So far the first does. */
const seeds = Array.from({ length: 10 }, (_, index) => 3 + index)
const timeoutMs = 180_000

describe("a simulated world on a recorded disk", () => {
  it.live(
    "keeps all acknowledged data after power cuts and with a full disk, the same for the same seed",
    () =>
      Effect.gen(function* () {
        const [one, other] = yield* Effect.all([run(3, 3, ""), run(3, 3, "")], { concurrency: 2 })
        assert.deepStrictEqual(one.problems, [])
        assert.isAtLeast(one.counts["step powerCut"] ?? 0, 3)
        assert.strictEqual(one.hash, other.hash)
      }),
    timeoutMs
  )

  it.live.each(["log", "database"])(
    "detects that the %s is not synced",
    (fault) =>
      Effect.gen(function* () {
        for (const seed of seeds) {
          const { problems } = yield* run(seed, 3, fault)
          if (problems.length > 0) return
        }
        assert.fail("not found")
      }),
    timeoutMs
  )
})

describe("durable flows of a simulated world on a recorded disk", () => {
  const flows = (seed: number, fault = "") => program("DurableFlows", seed, 80, fault)

  it.live(
    "have their reported status after each power cut, the same for the same seed",
    () =>
      Effect.gen(function* () {
        const [one, again, other] = yield* Effect.all([flows(3), flows(3), flows(4)], { concurrency: 2 })
        assert.deepStrictEqual([...one.problems, ...other.problems], [])
        assert.isAtLeast((one.counts.cuts ?? 0) + (other.counts.cuts ?? 0), 3)
        assert.strictEqual(one.hash, again.hash)
      }),
    timeoutMs
  )

  it.live(
    "continue after the disk was full",
    () =>
      Effect.gen(function* () {
        const { counts, problems } = yield* flows(6, "full")
        assert.deepStrictEqual(problems, [])
        assert.isAtLeast(counts["step fullDisk"] ?? 0, 3)
      }),
    timeoutMs
  )

  it.live(
    "are detected as lost if their log is not synced",
    () =>
      Effect.gen(function* () {
        for (const seed of seeds) {
          const { problems } = yield* flows(seed, "log")
          if (problems.some((problem) => problem.includes("'s flow "))) return
        }
        assert.fail("not found")
      }),
    timeoutMs
  )
})

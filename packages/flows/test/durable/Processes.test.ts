import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import * as Clocks from "../../../schema/test/Clocks.ts"
import { temporaryFile } from "../../../sqlite/test/TemporaryFolder.ts"
import * as Durable from "../../src/durable/Durable.ts"
import { FlowEngine } from "../../src/engine/FlowEngine.ts"
import { Book, Purchase, processWith, purchase, purchases } from "./Fixture.ts"
import { Walk } from "./processes/Walk.ts"

const program = fileURLToPath(new URL("processes/Walk.ts", import.meta.url))

/** Runs the process once: its output, and whether it was killed. */
const walk = (path: string, killAt: number, when: string) =>
  Effect.sync(() => {
    const { signal, stdout } = spawnSync(process.execPath, [program, path, `${path}.book`, `${killAt}`, when], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"]
    })
    return { lines: stdout.trim().split("\n"), killed: signal === "SIGKILL" }
  })

describe("a process killed at every step of a durable flow", () => {
  it.live(
    "is continued by the next process, which repeats only the step without a record",
    () =>
      Effect.gen(function* () {
        const path = yield* temporaryFile
        const kills = [
          [1, "before"],
          [1, "after"],
          [2, "before"],
          [1, "after"],
          [2, "before"],
          [1, "after"]
        ] as const
        for (const [line, when] of kills) {
          const { killed, lines: output } = yield* walk(path, line, when)
          assert.isTrue(killed)
          assert.strictEqual(output[0], "started")
        }
        assert.deepStrictEqual((yield* walk(path, 0, "")).lines, ["started", "first second third"])
        const lines = readFileSync(`${path}.book`, "utf8").trim().split("\n")
        assert.deepStrictEqual(lines, ["first", "first", "second", "second", "third", "third"])
        // A flow that has ended returns its outcome and runs no step.
        assert.deepStrictEqual((yield* walk(path, 1, "before")).lines, ["started", "first second third"])
      }),
    60_000
  )
})

describe("a file of durable flows", () => {
  it.effect("is refused if it is already open", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const layer = Walk.layer.pipe(Layer.provideMerge(Durable.layer({ path })))
      yield* Layer.build(layer)
      const refused = yield* Effect.flip(Layer.build(Layer.fresh(layer)))
      assert.isTrue(refused._tag === "SqliteError" && refused.reason._tag === "InUse")
    })
  )
})

describe("a jump of the clock", () => {
  it.live("continues every flow that is due, although no timer fired", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const { wall } = Clocks
      let aheadMs = 0
      const clock = Clocks.make({
        nowMs: () => wall.currentTimeMillisUnsafe() + aheadMs,
        monotonicNanos: () => wall.monotonicTimeNanosUnsafe(),
        sleep: (duration) => wall.sleep(duration)
      })
      yield* processWith(purchases(path, { tickMs: 5 }))(
        Effect.gen(function* () {
          const durable = yield* FlowEngine
          yield* Purchase.start(purchase("1"))
          yield* durable.settled
          aheadMs -= 3_600_000
          yield* Purchase.start(purchase("2"))
          yield* durable.settled
          assert.strictEqual((yield* Purchase.poll("1"))._tag, "Waiting")
          aheadMs += 25 * 3_600_000
          assert.strictEqual((yield* Purchase.ended("1"))._tag, "Succeeded")
          assert.strictEqual((yield* Purchase.ended("2"))._tag, "Succeeded")
        })
      ).pipe(Effect.provideService(Clock.Clock, clock))
    }).pipe(Effect.provide(Book.layer))
  )
})

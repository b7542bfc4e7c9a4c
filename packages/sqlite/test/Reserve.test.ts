import { existsSync, statSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import * as Reserve from "../src/Reserve.ts"
import { temporaryFile } from "./TemporaryFolder.ts"

const bytes = 1 << 20

describe("a reserve on the disk", () => {
  it.live("is made at the start, is given up once, and is made again by itself", () =>
    Effect.gen(function* () {
      const path = `${yield* temporaryFile}.reserve`
      const reserve = yield* Reserve.make({ path, bytes })
      assert.isTrue(reserve.isComplete())
      assert.strictEqual(statSync(path).size, bytes)
      assert.isTrue(reserve.release())
      assert.isFalse(reserve.isComplete())
      assert.isFalse(reserve.release())
      yield* Effect.repeat(
        Effect.sync(() => reserve.isComplete()),
        { schedule: Schedule.spaced("20 millis"), until: (is) => is }
      )
      assert.strictEqual(statSync(path).size, bytes)
    })
  )

  it.live("is made again if an earlier start left a part of it", () =>
    Effect.gen(function* () {
      const path = `${yield* temporaryFile}.reserve`
      writeFileSync(path, "a part")
      const reserve = yield* Reserve.make({ path, bytes })
      assert.isTrue(reserve.isComplete())
      assert.strictEqual(statSync(path).size, bytes)
    })
  )

  it.live("does not exist if it has no size, and never makes the store short", () =>
    Effect.gen(function* () {
      const path = `${yield* temporaryFile}.reserve`
      const reserve = yield* Reserve.make({ path, bytes: 0 })
      assert.isFalse(reserve.release())
      assert.isTrue(reserve.isComplete())
      assert.isFalse(existsSync(path))
    })
  )
})

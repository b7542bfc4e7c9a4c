/** Collections that keep parts of texts of others, in processes whose memory is too small for the whole texts: 200 MB. */
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ChildProcess from "../harness/ChildProcess.ts"

const program = join(import.meta.dirname, "processes/keep.ts")

it.live.each(["early callbacks", "signals of flows"])("%s keep no more than the part", (name) =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* ChildProcess.run(["--max-old-space-size=100", program, name]), ["kept"])
  })
)

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cases } from "../workflows/Cases.ts"
import * as Frozen from "./Frozen.ts"
import * as Journal from "./Journal.ts"

/** A flow that an earlier version began is found and resumed by these names. */
describe.each(cases)("the stored names of the durable flow $name", (flow) => {
  it.effect("are unchanged", () =>
    Effect.gen(function* () {
      const written = yield* Journal.ofCase(flow)
      assert.deepStrictEqual(Frozen.unlisted("flows", written), [])
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cases } from "../workflows/Cases.ts"
import * as Frozen from "./Frozen.ts"
import * as Journal from "./Journal.ts"

/** A flow that an earlier version began is found and resumed by these names. */
describe.each(cases)("what the durable flow $name writes", (flow) => {
  it.effect("is named as it was", () =>
    Effect.gen(function* () {
      const written = yield* Journal.ofCase(flow)
      assert.deepStrictEqual(Frozen.unlisted("flows", written), [])
    })
  )
})

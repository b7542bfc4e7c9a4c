import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import * as Pages from "../../src/http/Pages.ts"

describe("a page that cannot be served", () => {
  it.effect("is a notice after a defect", () =>
    Effect.map(
      Pages.orNotice(Effect.die(new Error("broken")), () => "a notice"),
      (answer) => assert.strictEqual(answer, "a notice")
    )
  )

  it.effect("stays interrupted when the gateway stops", () =>
    Effect.map(
      Effect.exit(
        Pages.orNotice(Effect.interrupt, () => {
          throw new Error("a notice that nobody reads")
        })
      ),
      (exit) => assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
    )
  )
})

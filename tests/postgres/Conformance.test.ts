/** The sandbox gateway on PostgreSQL passes the checks whose answers depend on its store. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Check } from "../../tools/conformance/src/Check.ts"
import * as TestRun from "../gateways/TestRun.ts"
import * as TestDatabase from "./TestDatabase.ts"

/** Refusals that come before the store is asked are those of the gateway on SQLite. */
const isStored = ({ id }: Check): boolean => !/^(missing|values|rules|spellings|control|oauth|request)\//.test(id)

describe("the sandbox gateway on PostgreSQL", () => {
  it.live("passes the conformance suite", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.forStore(yield* TestDatabase.server)
      const baseUrl = yield* TestRun.gateway({ database: { url: Redacted.make(url) } })
      const run = yield* TestRun.at(baseUrl, { isWanted: isStored })
      assert.deepStrictEqual(TestRun.problems(run), [])
      assert.isAbove(run.results.length, 100)
    })
  )
})

/** This repository's gateway passes the conformance suite, and every check names a clause that exists. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Conformance from "@pay/conformance/Conformance"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as TestRun from "./TestRun.ts"

const assumptions = readFileSync(join(import.meta.dirname, "../../docs/assumptions.md"), "utf8")

describe("the conformance suite", () => {
  it.live("is passed by the sandbox gateway on SQLite, which lacks nothing", () =>
    Effect.gen(function* () {
      const run = yield* TestRun.at(yield* TestRun.gateway())
      assert.deepStrictEqual(TestRun.problems(run), [])
      assert.lengthOf(run.results, Conformance.checks.length)
    })
  )

  it("has checks of every operation, each under an id of its own", () => {
    const ids = Conformance.checks.map(({ id }) => id)
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const { command, signing } of PayApi.all) {
      const kinds = ["way", "values", "request", signing._tag === "Control" ? "control" : "oauth"]
      for (const kind of kinds)
        assert(
          ids.some((id) => id.startsWith(`${kind}/${command}`)),
          `${kind} of ${command}`
        )
    }
  })

  it("names rows of docs/assumptions.md", () => {
    for (const { clause, id } of Conformance.checks)
      if (clause.document === "assumptions") assert.include(assumptions, `\n| ${clause.title} | `, id)
  })
})

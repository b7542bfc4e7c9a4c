/** The suite finds defects: a sample of those that `npm run conformance:planted` plants, each by the checks that are about it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { planted } from "../simulation/planted/Planted.ts"
import * as GuidePage from "./GuidePage.ts"
import * as PlantedGateway from "./PlantedGateway.ts"

const sample: ReadonlyArray<readonly [defect: string, checks: RegExp]> = [
  ["a wrong control is accepted", /^control\/sale\//],
  ["a refund is not counted on its order", /^states\/sale-return/],
  ["an issuer's refusal is treated as an authentication", /^threeds\/gateway\/refused/]
]

describe("a planted defect", () => {
  it.live.each(sample)("is found: %s", ([name, checks]) =>
    Effect.gen(function* () {
      const defect = planted.find((each) => each.name === name)
      assert(defect?.atApi.is === true)
      const run = yield* PlantedGateway.run(defect.patch, { isWanted: ({ id }) => checks.test(id) })
      assert(run.results.some(({ outcome }) => outcome._tag === "Failed"))
    })
  )

  it("has a reason if the API does not show it", () => {
    for (const { atApi, name } of planted) if (!atApi.is) assert.isAbove(atApi.because.length, 10, name)
    assert.isAtLeast(planted.filter(({ atApi }) => atApi.is).length, 35)
  })
})

describe("the page of the suite", () => {
  it("keeps the guide and the part of the other command", () => {
    const reports = GuidePage.replaced("Guide\n", "conformance", "reports")
    const both = GuidePage.replaced(reports, "conformance:planted", "defects")
    const later = GuidePage.replaced(
      GuidePage.replaced(both, "conformance", "new reports"),
      "conformance:planted",
      "new"
    )
    const parts = later.split(/<!-- Written by npm run (.+) from here on\. -->/).map((part) => part.trim())
    assert.deepStrictEqual(parts, ["Guide", "conformance", "new reports", "conformance:planted", "new"])
    const plantedFirst = GuidePage.replaced("Guide\n", "conformance:planted", "new")
    assert.strictEqual(GuidePage.replaced(plantedFirst, "conformance", "new reports"), later)
  })
})

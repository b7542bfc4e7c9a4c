/** The suite finds defects: a sample of those that `npm run conformance:planted` plants, each by the checks that are about it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { defects } from "../planted/Defects.ts"
import * as PlantedGateway from "./PlantedGateway.ts"

const sample: ReadonlyArray<readonly [defect: string, checks: RegExp]> = [
  ["a wrong control is accepted", /^control\/sale\//],
  ["a refund is not counted on its order", /^states\/sale-return/],
  ["an issuer's refusal is treated as an authentication", /^threeds\/gateway\/refused/]
]

describe("a planted defect", () => {
  it.live.each(sample)("is found: %s", ([name, checks]) =>
    Effect.gen(function* () {
      const defect = defects.find((each) => each.name === name)
      assert(defect?.atApi.is === true)
      const run = yield* PlantedGateway.run(defect.patch, { isWanted: ({ id }) => checks.test(id) })
      assert(run.results.some(({ outcome }) => outcome._tag === "Failed"))
    })
  )
})

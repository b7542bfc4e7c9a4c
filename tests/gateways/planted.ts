/**
 * `npm run conformance:planted`: runs the conformance suite against the gateway of this repository, then against the gateway with
 * each planted defect that the API shows, one at a time, and prints which check finds it.
 */

import type * as Conformance from "@pay/conformance/Conformance"
import * as Report from "@pay/conformance/Report"
import { Effect } from "effect"
import type { Check } from "../../tools/conformance/src/Check.ts"
import type { Defect } from "../planted/Defect.ts"
import { defects } from "../planted/Defects.ts"
import * as PlantedGateway from "./PlantedGateway.ts"
import * as TestRun from "./TestRun.ts"

const [part = ""] = process.argv.slice(2)

/** The checks of stored states come first: they find most defects, and are fewer. */
const isQuick = ({ id }: Check): boolean => !/^(missing|values|rules|spellings|request)\//.test(id)

const failureOf = ({ results }: Conformance.Run): Conformance.Result | undefined =>
  results.find(({ outcome }) => outcome._tag === "Failed")

const find = Effect.fnUntraced(function* ({ patch }: Defect) {
  const quick = failureOf(yield* PlantedGateway.run(patch, { isWanted: isQuick }))
  return quick ?? failureOf(yield* PlantedGateway.run(patch, { isWanted: (check) => !isQuick(check) }))
})

const run = await Effect.runPromise(Effect.scoped(Effect.flatMap(TestRun.gateway(), (baseUrl) => TestRun.at(baseUrl))))
console.log(Report.text(run))
const visible = defects.filter(({ atApi, name }) => atApi.is && name.includes(part))
let foundCount = 0
for (const [index, each] of visible.entries()) {
  const failure = await Effect.runPromise(find(each))
  if (failure !== undefined) foundCount += 1
  const verdict = failure === undefined ? "NOT FOUND" : `found by ${failure.check.id}`
  console.log(`${index + 1} of ${visible.length}: ${verdict}  ${each.name}`)
}
console.log(`${foundCount} of ${visible.length} planted defects that the API shows were found`)
process.exit(Report.isPassed(run) && foundCount >= 0.95 * visible.length ? 0 : 1)

/**
 * `npm run conformance:planted`: runs the conformance suite against the gateway of this repository, then against the gateway with
 * each planted defect that the API shows, one at a time, and writes what it found into docs/conformance.md.
 */
import type { Check } from "@pay/conformance/Check"
import type * as Conformance from "@pay/conformance/Conformance"
import * as Report from "@pay/conformance/Report"
import { Effect } from "effect"
import type { Planted } from "../simulation/planted/Patch.ts"
import { planted } from "../simulation/planted/Planted.ts"
import * as GuidePage from "./GuidePage.ts"
import * as PlantedGateway from "./PlantedGateway.ts"
import * as PlantedPage from "./PlantedPage.ts"
import * as TestRun from "./TestRun.ts"

const [part = ""] = process.argv.slice(2)
const wanted = planted.filter(({ name }) => name.includes(part))

/** The checks of stored states come first: they find most defects, and are fewer. */
const isQuick = ({ id }: Check): boolean => !/^(missing|values|rules|spellings|request)\//.test(id)

const failureOf = ({ results }: Conformance.Run): Conformance.Result | undefined =>
  results.find(({ outcome }) => outcome._tag === "Failed")

const find = Effect.fnUntraced(function* ({ patch }: Planted) {
  const quick = failureOf(yield* PlantedGateway.run(patch, { isWanted: isQuick }))
  return quick ?? failureOf(yield* PlantedGateway.run(patch, { isWanted: (check) => !isQuick(check) }))
})

const run = await Effect.runPromise(Effect.scoped(Effect.flatMap(TestRun.gateway(), (baseUrl) => TestRun.at(baseUrl))))
console.log(Report.text(run))
const rows: Array<PlantedPage.Row> = []
for (const each of wanted) {
  const failure = each.atApi.is ? await Effect.runPromise(find(each)) : undefined
  rows.push({ planted: each, failure })
  console.log(`${rows.length} of ${wanted.length}: ${PlantedPage.verdict({ planted: each, failure })}  ${each.name}`)
}
if (part === "") {
  GuidePage.write("conformance:planted", PlantedPage.write(rows))
}
const visible = rows.filter(({ planted }) => planted.atApi.is)
const missed = visible.filter(({ failure }) => failure === undefined)
console.log(`${visible.length - missed.length} of ${visible.length} planted defects that the API shows were found`)
process.exit(Report.isPassed(run) && missed.length / Math.max(visible.length, 1) <= 0.05 ? 0 : 1)

import { assert, describe, it } from "@effect/vitest"
import * as TextTable from "../../../../packages/schema/test/TextTable.ts"
import * as ThreeDSStages from "../../src/threeds/decide/ThreeDSStages.ts"

/** The next stage for every stage and event. A dot means that the event is refused. */
const table = `
            | enrol  | method | areq      | challenge | pareq  | result | done
notEnrolled    | done   | .      | .         | .         | .      | .      | .
methodOffered  | method | .      | .         | .         | .      | .      | .
noMethod       | areq   | .      | .         | .         | .      | .      | .
browserMissing | method | .      | .         | .         | .      | .      | .
pareqIssued    | pareq  | .      | .         | .         | .      | .      | .
failed         | done   | .      | done      | .         | .      | .      | .
methodEnded    | .      | areq   | .         | .         | .      | .      | .
finished       | done   | .      | done      | .         | .      | .      | .
challengeAsked | challenge | .   | challenge | .         | .      | .      | .
challengeEnded | .      | .      | .         | result    | .      | .      | .
paresVerified  | .      | .      | .         | .         | result | .      | .
reported       | .      | .      | .         | .         | .      | done   | .
absent         | .      | .      | .         | .         | .      | result | .
givenUp        | .      | .      | .         | .         | .      | done   | .
deadline       | .      | areq   | .         | result    | done   | .      | .
`

describe("a 3-D Secure authentication", () => {
  const [header = [], ...rows] = TextTable.rows(table)
  const stages = header.slice(header[0] === "" ? 1 : 0)

  it("has no stage and no event beyond this table", () => {
    assert.deepStrictEqual(stages, Object.keys(ThreeDSStages.stages))
    const events = new Set(Object.values(ThreeDSStages.stages).flatMap((on) => Object.keys(on)))
    assert.deepStrictEqual(new Set(rows.map(([event]) => event)), events)
  })

  const isEvent = (text: string): text is ThreeDSStages.StageEvent =>
    Object.values(ThreeDSStages.stages).some((on) => text in on)
  const isStage = (text: string): text is keyof typeof ThreeDSStages.stages => text in ThreeDSStages.stages

  const cells = rows.flatMap(([event = "", ...targets]) =>
    targets.map((target, index) => [event, stages[index] ?? "", target] as const)
  )
  it.each(cells)("moves on the event %s at stage %s to: %s", (event, stage, target) => {
    assert.isTrue(isEvent(event) && isStage(stage))
    if (!isEvent(event) || !isStage(stage)) return
    assert.strictEqual(ThreeDSStages.next(stage, event) ?? ".", target)
  })

  it("has a deadline only in the browser's stages", () => {
    assert.deepStrictEqual(
      stages.filter((stage) => isStage(stage) && ThreeDSStages.waitsForBrowser(stage)),
      ["method", "challenge", "pareq"]
    )
  })
})

describe("the transStatus of 3-D Secure 2", () => {
  it.each([
    ["Y", "authenticated"],
    ["A", "authenticated"],
    ["N", "refused"],
    ["R", "refused"],
    ["U", "unavailable"],
    ["C", "unavailable"],
    ["D", "unavailable"],
    ["I", "unavailable"],
    ["y", "unavailable"],
    ["", "unavailable"]
  ] as const)("%j means %s", (transStatus, ruling) => assert.strictEqual(ThreeDSStages.meaningOf(transStatus), ruling))
})

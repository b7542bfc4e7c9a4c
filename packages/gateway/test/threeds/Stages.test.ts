import { assert, describe, it } from "@effect/vitest"
import * as ThreeDSStages from "../../src/threeds/ThreeDSStages.ts"

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
finished       | .      | .      | done      | .         | .      | .      | .
challengeAsked | .      | .      | challenge | .         | .      | .      | .
challengeEnded | .      | .      | .         | result    | .      | .      | .
paresVerified  | .      | .      | .         | .         | result | .      | .
reported       | .      | .      | .         | .         | .      | done   | .
absent         | .      | .      | .         | .         | .      | result | .
givenUp        | .      | .      | .         | .         | .      | done   | .
deadline       | .      | areq   | .         | result    | done   | .      | .
`

describe("a 3-D Secure authentication", () => {
  const [header = [], ...rows] = table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
  const stages = header.slice(header[0] === "" ? 1 : 0)

  it("has no stage and no event beyond this table", () => {
    assert.deepStrictEqual(stages, Object.keys(ThreeDSStages.stages))
    const happenings = new Set(Object.values(ThreeDSStages.stages).flatMap((on) => Object.keys(on)))
    assert.deepStrictEqual(new Set(rows.map(([happening]) => happening)), happenings)
  })

  const isHappening = (text: string): text is ThreeDSStages.Happening =>
    Object.values(ThreeDSStages.stages).some((on) => text in on)
  const isStage = (text: string): text is keyof typeof ThreeDSStages.stages => text in ThreeDSStages.stages

  const cells = rows.flatMap(([happening = "", ...targets]) =>
    targets.map((target, index) => [happening, stages[index] ?? "", target] as const)
  )
  it.each(cells)("goes on %s from stage %s to %s", (happening, stage, target) => {
    assert.isTrue(isHappening(happening) && isStage(stage))
    if (!isHappening(happening) || !isStage(stage)) return
    assert.strictEqual(ThreeDSStages.next(stage, happening) ?? ".", target)
  })

  it("has a deadline only in the browser's stages", () => {
    assert.deepStrictEqual(
      stages.filter((stage) => isStage(stage) && ThreeDSStages.isBrowsers(stage)),
      ["method", "challenge", "pareq"]
    )
  })
})

describe("a transStatus of 3-D Secure 2", () => {
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
  ] as const)("of %j means %s", (transStatus, ruling) => assert.strictEqual(ThreeDSStages.ruling(transStatus), ruling))
})

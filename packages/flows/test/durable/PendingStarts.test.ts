import { assert, describe, it } from "@effect/vitest"
import * as PendingStarts from "../../src/durable/PendingStarts.ts"

const begun = { fields: { cvv2: "begun" }, isReopened: false }
const renewed = { fields: { cvv2: "renewed" }, isReopened: true }

describe("two concurrent starts of one flow", () => {
  it("keep the fields of the second start if the first one is interrupted", () => {
    const starts = PendingStarts.make()
    const first = starts.hold("1", begun)
    starts.hold("1", renewed)
    first.release()
    assert.deepStrictEqual(starts.take("1"), renewed)
    assert.isUndefined(starts.take("1"))
  })

  it("restart the flow if either of them asks for a restart", () => {
    const starts = PendingStarts.make()
    starts.hold("1", begun)
    starts.hold("1", renewed)
    assert.deepStrictEqual(starts.take("1"), { fields: begun.fields, isReopened: true })
    assert.isUndefined(starts.take("1"))
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as PendingStarts from "../../src/durable/PendingStarts.ts"

const begun = { fields: { cvv2: "begun" }, isReopened: false }
const renewed = { fields: { cvv2: "renewed" }, isReopened: true }

describe("two concurrent starts of one flow", () => {
  it("keep the fields of the second start if the first one is interrupted", () => {
    const room = PendingStarts.make()
    const first = room.seat("1", begun)
    room.seat("1", renewed)
    first.leave()
    assert.deepStrictEqual(room.take("1"), renewed)
    assert.isUndefined(room.take("1"))
  })

  it("restart the flow if either of them asks for a restart", () => {
    const room = PendingStarts.make()
    room.seat("1", begun)
    room.seat("1", renewed)
    assert.deepStrictEqual(room.take("1"), { fields: begun.fields, isReopened: true })
    assert.isUndefined(room.take("1"))
  })
})

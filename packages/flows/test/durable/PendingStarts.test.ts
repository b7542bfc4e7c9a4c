import { assert, describe, it } from "@effect/vitest"
import * as PendingStarts from "../../src/durable/PendingStarts.ts"

const begun = { fields: { cvv2: "begun" }, isReopened: false }
const renewed = { fields: { cvv2: "renewed" }, isReopened: true }

describe("of two that begin one flow at once", () => {
  it("one that leaves takes only its own along", () => {
    const room = PendingStarts.make()
    const first = room.seat("1", begun)
    room.seat("1", renewed)
    first.leave()
    assert.deepStrictEqual(room.take("1"), renewed)
    assert.isUndefined(room.take("1"))
  })

  it("the run is a renewed one if either of them renews it", () => {
    const room = PendingStarts.make()
    room.seat("1", begun)
    room.seat("1", renewed)
    assert.deepStrictEqual(room.take("1"), { fields: begun.fields, isReopened: true })
    assert.isUndefined(room.take("1"))
  })
})

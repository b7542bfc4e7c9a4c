import { assert, describe, it } from "@effect/vitest"
import * as PendingStarts from "../../src/durable/PendingStarts.ts"

const one = { cvv2: "one" }
const two = { cvv2: "two" }

describe("two concurrent starts of one flow", () => {
  it("keep the fields of the second start if the first one is interrupted", () => {
    const starts = PendingStarts.make()
    const first = starts.hold("1", one)
    starts.hold("1", two)
    first.release()
    assert.strictEqual(starts.take("1"), two)
    assert.isUndefined(starts.take("1"))
  })

  it("leave no fields after the first run has taken its own", () => {
    const starts = PendingStarts.make()
    starts.hold("1", one)
    starts.hold("1", two)
    assert.strictEqual(starts.take("1"), one)
    assert.isUndefined(starts.take("1"))
  })
})

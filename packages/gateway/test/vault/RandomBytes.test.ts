import { assert, describe, it } from "@effect/vitest"
import * as Envelope from "../../src/vault/Envelope.ts"

describe("RandomBytes", () => {
  it("fills what it is asked to, again and again, and forgets what it gave", () => {
    const pool = Buffer.alloc(64)
    const fill = Envelope.randomFill(pool)
    const given = Array.from({ length: 100 }, () => {
      const target = Buffer.alloc(28, "-")
      fill(target, 4, 20)
      assert.deepStrictEqual([target.toString("latin1", 0, 4), target.toString("latin1", 24)], ["----", "----"])
      const bytes = target.subarray(4, 24)
      assert.isFalse(pool.includes(bytes))
      return bytes.toString("hex")
    })
    assert.strictEqual(new Set(given).size, 100)
    assert.notInclude(given, "00".repeat(20))
  })
})

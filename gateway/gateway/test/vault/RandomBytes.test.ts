import { assert, describe, it } from "@effect/vitest"
import * as Envelope from "../../src/vault/Envelope.ts"

describe("random bytes from the pool", () => {
  it("fill exactly the requested range, never repeat, and are erased from the pool", () => {
    const pool = Buffer.alloc(64)
    const fill = Envelope.randomFill(pool)
    const results = Array.from({ length: 100 }, () => {
      const target = Buffer.alloc(28, "-")
      fill(target, 4, 20)
      assert.deepStrictEqual([target.toString("latin1", 0, 4), target.toString("latin1", 24)], ["----", "----"])
      const bytes = target.subarray(4, 24)
      assert.isFalse(pool.includes(bytes))
      return bytes.toString("hex")
    })
    assert.strictEqual(new Set(results).size, 100)
    assert.notInclude(results, "00".repeat(20))
  })
})

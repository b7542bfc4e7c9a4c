import { assert, describe, it } from "@effect/vitest"
import * as SerialNumber from "../../src/kernel/SerialNumber.ts"

describe("serial-numbers", () => {
  for (const requestId of ["0", "47821354", "9223372036854775807"]) {
    it(`lead back to request ${requestId}, under whatever salt`, () => {
      assert.strictEqual(SerialNumber.requestId(SerialNumber.first(requestId)), requestId)
      const again = SerialNumber.again(requestId, "0123456789abcdef")
      assert.strictEqual(SerialNumber.requestId(again), requestId)
      assert.strictEqual(SerialNumber.requestId(again.toUpperCase()), requestId)
      assert.notStrictEqual(again, SerialNumber.first(requestId))
    })
  }

  it("have the public shape", () => {
    assert.strictEqual(SerialNumber.first("47821354"), "00000000-0000-0000-0000-000002d9b22a")
  })

  for (const text of [
    "",
    "47821354",
    "00000000-0000-0000-0000-00000000000g",
    "00000000-0000-0000-0000-0000000000000"
  ]) {
    it(`"${text}" is none`, () => assert.isUndefined(SerialNumber.requestId(text)))
  }
})

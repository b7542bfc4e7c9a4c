import { assert, describe, it } from "@effect/vitest"
import * as SerialNumber from "../../src/kernel/SerialNumber.ts"

describe("a serial-number", () => {
  for (const requestId of ["0", "47821354", "9223372036854775807"]) {
    it(`gives the identifier of its request, with any salt: ${requestId}`, () => {
      assert.strictEqual(SerialNumber.requestId(SerialNumber.first(requestId)), requestId)
      const again = SerialNumber.again(requestId, "0123456789abcdef")
      assert.strictEqual(SerialNumber.requestId(again), requestId)
      assert.strictEqual(SerialNumber.requestId(again.toUpperCase()), requestId)
      assert.notStrictEqual(again, SerialNumber.first(requestId))
    })
  }

  it("has the form of the specification", () => {
    assert.strictEqual(SerialNumber.first("47821354"), "00000000-0000-0000-0000-000002d9b22a")
  })

  for (const text of [
    "",
    "47821354",
    "00000000-0000-0000-0000-00000000000g",
    "00000000-0000-0000-0000-0000000000000"
  ]) {
    it(`is not recognized in another form: "${text}"`, () => assert.isUndefined(SerialNumber.requestId(text)))
  }
})

import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Parameter from "../../src/operators/OperatorParameter.ts"

it("a note of an operator is stored without card numbers, and otherwise as it was written", () => {
  const decode = Schema.decodeUnknownSync(Parameter.note("The reason."))
  assert.strictEqual(decode("card 4444 5555-6666 1111 12/35, Ms Smith"), "card [number] 12/35, Ms Smith")
  assert.strictEqual(decode("order 119603123456789012 refunded"), "order 119603123456789012 refunded")
  assert.strictEqual(decode("half \ud83d, none \0"), "half \\ud83d, none \\u0000")
  assert.throws(() => decode(""))
  assert.throws(() => decode("x".repeat(2001)))
})

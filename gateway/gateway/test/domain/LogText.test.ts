import { assert, it } from "@effect/vitest"
import * as LogText from "../../src/kernel/LogText.ts"

const texts: ReadonlyArray<readonly [text: string, logged: string]> = [
  ["timeout after 20000 ms", "timeout after 20000 ms"],
  ["card 4444555566661111 was refused", "card [number] was refused"],
  ["card 4444 5555 6666 1111 was refused", "card [number] was refused"],
  ["4444-5555-6666-1111", "[number]"],
  ["track 44445555666611112512101123456789", "track [number]"],
  ["reference 4444555566661112-sale-0", "reference 4444555566661112-sale-0"],
  ["two\r\nlines", "two lines"],
  [`${"x".repeat(489)} 4444555566661111`, `${"x".repeat(489)} [number]`],
  [`${"x".repeat(495)}4444555566661111`, `${"x".repeat(495)}[numb`],
  [`${"and 4444 5555 6666 1111 ".repeat(20)}`, `${"and [number] ".repeat(20)}`],
  [`${"x".repeat(499)}4${"        444555566661111"}`, `${"x".repeat(499)}[`],
  ["x".repeat(600), "x".repeat(500)]
]

it.each(texts)("text from outside is logged without card numbers and on one line: %s", (text, logged) =>
  assert.strictEqual(LogText.of(text), logged)
)

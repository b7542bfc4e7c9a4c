import { assert, describe, it } from "@effect/vitest"
import * as TextTable from "../../../../packages/schema/test/TextTable.ts"
import * as Repeat from "../../src/orders/decide/Repeat.ts"
import type { BankRequest } from "../../src/orders/record/OrderRequest.ts"
import { request } from "./Sample.ts"

const requestOf = (changes: Partial<Repeat.RepeatableRequest> = {}): Repeat.RepeatableRequest => ({
  operation: "CAPTURE",
  fingerprintLike: () => "v1.f",
  idempotencyKey: undefined,
  amountMinor: 4_000,
  nowMs: 2_000,
  repeatWindowMs: 10_000,
  ...changes
})

/** Changes to the request that arrives: a capture of 40.00 of 100.00 within the repeat window. */
const arriving: Readonly<Record<string, Partial<Repeat.RepeatableRequest>>> = {
  late: { nowMs: 11_000 },
  "40.01": { amountMinor: 4_001 },
  "100.00": { amountMinor: 10_000 },
  "other content": { fingerprintLike: () => "v1.g" },
  "of 40.00": { wholeMinor: 4_000 },
  "of 40.01": { wholeMinor: 4_001 },
  "no amount": { amountMinor: undefined },
  "key k": { idempotencyKey: "k" },
  "key l": { idempotencyKey: "l" },
  once: { once: true }
}

/** Changes to the earlier request: a capture of 40.00. */
const stored: Readonly<Record<string, Partial<BankRequest>>> = {
  capture: {},
  "no amount": { hasAmount: 0, amountMinor: 10_000 },
  "key k": { idempotencyKey: "k" },
  approved: { progress: "approved" },
  unknown: { progress: "unknown" },
  declined: { progress: "declined" },
  return: { operation: "RETURN" }
}

const table = `
case                                                                                 | request                    | earlier             | verdict
no earlier request                                                                   |                            | none                | New
the same partial amount                                                              |                            | capture             | Ambiguous
the same partial amount, approved                                                    |                            | approved            | Ambiguous
the same partial amount, outcome unknown                                             |                            | unknown             | Ambiguous
the same partial amount, declined                                                    |                            | declined            | New
the same partial amount, after the repeat window                                     | late                       | capture             | New
another amount                                                                       | 40.01                      | capture             | New
the same partial amount of another operation                                         |                            | return              | New
the whole amount by its number, after one without an amount and with another comment | 100.00, other content      | no amount           | New
the whole amount by its number, after one without an amount                          | 100.00                     | no amount           | Replay
the whole amount by its number, twice                                                | of 40.00                   | capture             | Replay
the whole amount by its number, twice, with another comment                          | of 40.00, other content    | capture             | Ambiguous
the whole amount by its number, twice, after the repeat window                       | of 40.00, late             | capture             | Replay
the whole amount by its number, the first one declined                               | of 40.00                   | declined            | New
a partial amount, twice                                                              | of 40.01                   | capture             | Ambiguous
without an amount, twice                                                             | no amount                  | no amount           | Replay
without an amount, twice, with another comment                                       | no amount, other content   | no amount           | Replay
without an amount, twice, the first one declined                                     | no amount                  | no amount, declined | New
without an amount, after a partial amount                                            | no amount                  | capture             | New
the same key and content                                                             | key k                      | key k               | Replay
the same key, even if it was declined                                                | key k                      | key k, declined     | Replay
the same key, other content                                                          | key k, other content       | key k               | KeyTaken
another key, the same partial amount                                                 | key l                      | key k               | New
the whole amount by its number, after a declined one without an amount               | 100.00                     | no amount, declined | New
an operation that happens once, first time                                           | once                       | none                | New
an operation that happens once, after another operation                              | once                       | return              | New
an operation that happens once, after a declined one                                 | once                       | declined            | Replay
an operation that happens once, second time under another key                        | once, key l                | key k               | Replay
an operation that happens once, first time with a key                                | once, key l                | none                | New
an operation that happens once, with the same key and other content                  | once, key k, other content | key k               | KeyTaken
a key of another operation                                                           | key k                      | key k, return       | New
`
const [, ...cases] = TextTable.rows(table)

describe("a follow-up compared with the earlier requests", () => {
  for (const [name, candidate = "", earlier = "", verdict] of cases) {
    it(`is new, repeated or ambiguous: ${name}: ${verdict}`, () => {
      const before = earlier === "none" ? [] : [request(TextTable.changes(stored, earlier))]
      assert.strictEqual(Repeat.judge(requestOf(TextTable.changes(arriving, candidate)), before)._tag, verdict)
    })
  }
})

import { assert, describe, it } from "@effect/vitest"
import type { OrderRequest } from "../../src/orders/OrderRequest.ts"
import * as Repeat from "../../src/orders/Repeat.ts"
import { request } from "./Sample.ts"

const asked = (changes: Partial<Repeat.Asked> = {}): Repeat.Asked => ({
  operation: "CAPTURE",
  fingerprintLike: () => "v1.f",
  idempotencyKey: undefined,
  amountMinor: 4_000,
  nowMs: 2_000,
  repeatWindowMs: 10_000,
  ...changes
})
const keyed = request({ idempotencyKey: "k" })
const whole = request({ amountGiven: 0, amountMinor: 10_000 })

const table: ReadonlyArray<readonly [string, Repeat.Asked, ReadonlyArray<OrderRequest>, Repeat.Verdict["_tag"]]> = [
  ["nothing before", asked(), [], "New"],
  ["an equal part before", asked(), [request()], "Ambiguous"],
  ["an equal part, approved", asked(), [request({ progress: "approved" })], "Ambiguous"],
  ["an equal part, unknown", asked(), [request({ progress: "unknown" })], "Ambiguous"],
  ["an equal part, declined", asked(), [request({ progress: "declined" })], "New"],
  ["an equal part, a day ago", asked({ nowMs: 11_000 }), [request()], "New"],
  ["another amount", asked({ amountMinor: 4_001 }), [request()], "New"],
  ["an equal part of another operation", asked(), [request({ operation: "RETURN" })], "New"],
  [
    "a remainder of the same amount before",
    asked({ amountMinor: 10_000, fingerprintLike: () => "v1.g" }),
    [whole],
    "New"
  ],
  ["a whole one that named its amount, twice", asked({ amountMinor: 10_000 }), [whole], "Replay"],
  ["a remainder twice", asked({ amountMinor: undefined }), [whole], "Replay"],
  [
    "a remainder twice, with another comment",
    asked({ amountMinor: undefined, fingerprintLike: () => "v1.g" }),
    [whole],
    "Replay"
  ],
  [
    "a remainder twice, the first one declined",
    asked({ amountMinor: undefined }),
    [{ ...whole, progress: "declined" }],
    "New"
  ],
  ["a remainder after a part", asked({ amountMinor: undefined }), [request()], "New"],
  ["the same key and content", asked({ idempotencyKey: "k" }), [keyed], "Replay"],
  [
    "the same key, even if it was declined",
    asked({ idempotencyKey: "k" }),
    [{ ...keyed, progress: "declined" }],
    "Replay"
  ],
  ["the same key, other content", asked({ idempotencyKey: "k", fingerprintLike: () => "v1.g" }), [keyed], "KeyTaken"],
  ["another key, an equal part", asked({ idempotencyKey: "l" }), [keyed], "New"],
  [
    "a whole one that named its amount, the first one declined",
    asked({ amountMinor: 10_000 }),
    [{ ...whole, progress: "declined" }],
    "New"
  ],
  ["what happens once only", asked({ once: true }), [], "New"],
  ["what happens once only, after another operation", asked({ once: true }), [request({ operation: "RETURN" })], "New"],
  [
    "what happens once only, even if it was declined",
    asked({ once: true }),
    [request({ progress: "declined" })],
    "Replay"
  ],
  ["what happens once only, under another key", asked({ once: true, idempotencyKey: "l" }), [keyed], "Replay"],
  ["what happens once only, under a first key", asked({ once: true, idempotencyKey: "l" }), [], "New"],
  [
    "what happens once only, the same key, other content",
    asked({ once: true, idempotencyKey: "k", fingerprintLike: () => "v1.g" }),
    [keyed],
    "KeyTaken"
  ],
  ["a key of another operation", asked({ idempotencyKey: "k" }), [{ ...keyed, operation: "RETURN" }], "New"]
]

describe("which earlier request a new one repeats", () => {
  for (const [name, wish, earlier, verdict] of table) {
    it(`${name}: ${verdict}`, () => assert.strictEqual(Repeat.judge(wish, earlier)._tag, verdict))
  }
})

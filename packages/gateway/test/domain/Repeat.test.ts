import { assert, describe, it } from "@effect/vitest"
import type { OrderRequest } from "../../src/orders/OrderRequest.ts"
import * as Repeat from "../../src/orders/Repeat.ts"
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
const keyed = request({ idempotencyKey: "k" })
const whole = request({ amountGiven: 0, amountMinor: 10_000 })

const table: ReadonlyArray<
  readonly [string, Repeat.RepeatableRequest, ReadonlyArray<OrderRequest>, Repeat.Verdict["_tag"]]
> = [
  ["nothing before", requestOf(), [], "New"],
  ["an equal part before", requestOf(), [request()], "Ambiguous"],
  ["an equal part, approved", requestOf(), [request({ progress: "approved" })], "Ambiguous"],
  ["an equal part, unknown", requestOf(), [request({ progress: "unknown" })], "Ambiguous"],
  ["an equal part, declined", requestOf(), [request({ progress: "declined" })], "New"],
  ["an equal part, a day ago", requestOf({ nowMs: 11_000 }), [request()], "New"],
  ["another amount", requestOf({ amountMinor: 4_001 }), [request()], "New"],
  ["an equal part of another operation", requestOf(), [request({ operation: "RETURN" })], "New"],
  [
    "a remainder of the same amount before",
    requestOf({ amountMinor: 10_000, fingerprintLike: () => "v1.g" }),
    [whole],
    "New"
  ],
  ["a whole one that named its amount, twice", requestOf({ amountMinor: 10_000 }), [whole], "Replay"],
  ["all there is by its amount, twice", requestOf({ wholeMinor: 4_000 }), [request()], "Replay"],
  [
    "all there is by its amount, with another comment",
    requestOf({ wholeMinor: 4_000, fingerprintLike: () => "v1.g" }),
    [request()],
    "Ambiguous"
  ],
  ["all there is by its amount, a day ago", requestOf({ wholeMinor: 4_000, nowMs: 11_000 }), [request()], "Replay"],
  [
    "all there is by its amount, declined",
    requestOf({ wholeMinor: 4_000 }),
    [request({ progress: "declined" })],
    "New"
  ],
  ["a part of what there is, twice", requestOf({ wholeMinor: 4_001 }), [request()], "Ambiguous"],
  ["a remainder twice", requestOf({ amountMinor: undefined }), [whole], "Replay"],
  [
    "a remainder twice, with another comment",
    requestOf({ amountMinor: undefined, fingerprintLike: () => "v1.g" }),
    [whole],
    "Replay"
  ],
  [
    "a remainder twice, the first one declined",
    requestOf({ amountMinor: undefined }),
    [{ ...whole, progress: "declined" }],
    "New"
  ],
  ["a remainder after a part", requestOf({ amountMinor: undefined }), [request()], "New"],
  ["the same key and content", requestOf({ idempotencyKey: "k" }), [keyed], "Replay"],
  [
    "the same key, even if it was declined",
    requestOf({ idempotencyKey: "k" }),
    [{ ...keyed, progress: "declined" }],
    "Replay"
  ],
  [
    "the same key, other content",
    requestOf({ idempotencyKey: "k", fingerprintLike: () => "v1.g" }),
    [keyed],
    "KeyTaken"
  ],
  ["another key, an equal part", requestOf({ idempotencyKey: "l" }), [keyed], "New"],
  [
    "a whole one that named its amount, the first one declined",
    requestOf({ amountMinor: 10_000 }),
    [{ ...whole, progress: "declined" }],
    "New"
  ],
  ["what happens once only", requestOf({ once: true }), [], "New"],
  [
    "what happens once only, after another operation",
    requestOf({ once: true }),
    [request({ operation: "RETURN" })],
    "New"
  ],
  [
    "what happens once only, even if it was declined",
    requestOf({ once: true }),
    [request({ progress: "declined" })],
    "Replay"
  ],
  ["what happens once only, under another key", requestOf({ once: true, idempotencyKey: "l" }), [keyed], "Replay"],
  ["what happens once only, under a first key", requestOf({ once: true, idempotencyKey: "l" }), [], "New"],
  [
    "what happens once only, the same key, other content",
    requestOf({ once: true, idempotencyKey: "k", fingerprintLike: () => "v1.g" }),
    [keyed],
    "KeyTaken"
  ],
  ["a key of another operation", requestOf({ idempotencyKey: "k" }), [{ ...keyed, operation: "RETURN" }], "New"]
]

describe("which earlier request a new one repeats", () => {
  for (const [name, wish, earlier, verdict] of table) {
    it(`${name}: ${verdict}`, () => assert.strictEqual(Repeat.judge(wish, earlier)._tag, verdict))
  }
})

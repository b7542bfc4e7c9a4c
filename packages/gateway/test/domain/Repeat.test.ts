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
  ["no earlier request", requestOf(), [], "New"],
  ["the same partial amount", requestOf(), [request()], "Ambiguous"],
  ["the same partial amount, approved", requestOf(), [request({ progress: "approved" })], "Ambiguous"],
  ["the same partial amount, outcome unknown", requestOf(), [request({ progress: "unknown" })], "Ambiguous"],
  ["the same partial amount, declined", requestOf(), [request({ progress: "declined" })], "New"],
  ["the same partial amount, after the repeat window", requestOf({ nowMs: 11_000 }), [request()], "New"],
  ["another amount", requestOf({ amountMinor: 4_001 }), [request()], "New"],
  ["the same partial amount of another operation", requestOf(), [request({ operation: "RETURN" })], "New"],
  [
    "the whole amount by its number, after one without an amount and with another comment",
    requestOf({ amountMinor: 10_000, fingerprintLike: () => "v1.g" }),
    [whole],
    "New"
  ],
  [
    "the whole amount by its number, after one without an amount",
    requestOf({ amountMinor: 10_000 }),
    [whole],
    "Replay"
  ],
  ["the whole amount by its number, twice", requestOf({ wholeMinor: 4_000 }), [request()], "Replay"],
  [
    "the whole amount by its number, twice, with another comment",
    requestOf({ wholeMinor: 4_000, fingerprintLike: () => "v1.g" }),
    [request()],
    "Ambiguous"
  ],
  [
    "the whole amount by its number, twice, after the repeat window",
    requestOf({ wholeMinor: 4_000, nowMs: 11_000 }),
    [request()],
    "Replay"
  ],
  [
    "the whole amount by its number, the first one declined",
    requestOf({ wholeMinor: 4_000 }),
    [request({ progress: "declined" })],
    "New"
  ],
  ["a partial amount, twice", requestOf({ wholeMinor: 4_001 }), [request()], "Ambiguous"],
  ["without an amount, twice", requestOf({ amountMinor: undefined }), [whole], "Replay"],
  [
    "without an amount, twice, with another comment",
    requestOf({ amountMinor: undefined, fingerprintLike: () => "v1.g" }),
    [whole],
    "Replay"
  ],
  [
    "without an amount, twice, the first one declined",
    requestOf({ amountMinor: undefined }),
    [{ ...whole, progress: "declined" }],
    "New"
  ],
  ["without an amount, after a partial amount", requestOf({ amountMinor: undefined }), [request()], "New"],
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
  ["another key, the same partial amount", requestOf({ idempotencyKey: "l" }), [keyed], "New"],
  [
    "the whole amount by its number, after a declined one without an amount",
    requestOf({ amountMinor: 10_000 }),
    [{ ...whole, progress: "declined" }],
    "New"
  ],
  ["an operation that happens once, first time", requestOf({ once: true }), [], "New"],
  [
    "an operation that happens once, after another operation",
    requestOf({ once: true }),
    [request({ operation: "RETURN" })],
    "New"
  ],
  [
    "an operation that happens once, after a declined one",
    requestOf({ once: true }),
    [request({ progress: "declined" })],
    "Replay"
  ],
  [
    "an operation that happens once, second time under another key",
    requestOf({ once: true, idempotencyKey: "l" }),
    [keyed],
    "Replay"
  ],
  ["an operation that happens once, first time with a key", requestOf({ once: true, idempotencyKey: "l" }), [], "New"],
  [
    "an operation that happens once, with the same key and other content",
    requestOf({ once: true, idempotencyKey: "k", fingerprintLike: () => "v1.g" }),
    [keyed],
    "KeyTaken"
  ],
  ["a key of another operation", requestOf({ idempotencyKey: "k" }), [{ ...keyed, operation: "RETURN" }], "New"]
]

describe("a follow-up compared with the earlier requests", () => {
  for (const [name, candidate, earlier, verdict] of table) {
    it(`is new, repeated or ambiguous: ${name}: ${verdict}`, () =>
      assert.strictEqual(Repeat.judge(candidate, earlier)._tag, verdict))
  }
})

/** What an operator proposes about a request that the bank left unknown. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Order } from "../../src/orders/Order.ts"
import * as ResolveOrder from "../../src/reconciliation/ResolveOrder.ts"
import { guardsOf } from "../domain/Written.ts"
import { bob, changed, creation, later, many, nothing, proposal, propose, unknown, work } from "./Resolving.ts"

describe("a proposal", () => {
  it.effect.each([
    ["is kept for a second person", {}, undefined, undefined],
    ["names the request where more than one is unknown", { requests: [creation, later] }, "2", undefined],
    ["must name it", { requests: [creation, later] }, undefined, "more than one request is unknown: name one of 2, 5"],
    ["names no other order's", { requests: [creation, { ...later, orderId: "404" }] }, "5", nothing],
    ["names one that is there", {}, "404", nothing],
    ["is about what is unknown", { requests: [{ ...creation, progress: "approved" }] }, undefined, nothing],
    ["is about a request", { requests: [] }, undefined, nothing],
    ["is about an order", { order: { ...unknown, orderId: "404" } }, undefined, "there is no such order"],
    [
      "finds what is unknown among many requests",
      { requests: [...many, later], item: { ...work, itemId: "bank:5", subject: "5" } },
      undefined,
      undefined
    ],
    [
      "finds what is unknown behind as many as are read at once",
      { requests: [...many.slice(1), later, { ...later, requestId: "6" }] },
      undefined,
      "more than one request is unknown: name one of 5, 6"
    ],
    [
      "is about what is unknown, also where it is named",
      { requests: [{ ...creation, progress: "approved" }] },
      "2",
      "the bank's answer is not unknown: there is nothing to settle by hand"
    ],
    [
      "is not taken where the bank is not asked any more",
      { item: null },
      undefined,
      "the bank is not asked for it any more"
    ]
  ] as const)("%s", ([, given, requestId, expected]) =>
    Effect.gen(function* () {
      const { did, refused } = yield* propose(given, {}, requestId)
      assert.strictEqual(refused, expected)
      assert.lengthOf(did.decisions, expected === undefined ? 1 : 0)
    })
  )

  it.effect("of an approval brings the bank's code", () =>
    Effect.gen(function* () {
      const { refused } = yield* propose({}, { outcome: "approved" })
      assert.strictEqual(refused, "give the approval code that the bank named")
    })
  )

  it.effect.each([
    ["is the first", {}, 1, ["no resolutions key 2", "orders 1 v3"]],
    [
      "replaces another one",
      { proposal: { ...proposal, version: 4, evidence: "Mr Jones" } },
      5,
      ["resolutions 2 v4", "orders 1 v3"]
    ],
    [
      "replaces one that was confirmed",
      { proposal: { ...proposal, confirmedBy: bob } },
      2,
      ["resolutions 2 v1", "orders 1 v3"]
    ],
    ["is the same again", { proposal }, 1, undefined]
  ] as const)("%s", ([, given, version, guards]) =>
    Effect.gen(function* () {
      const { did, resolution } = yield* propose(given)
      assert.strictEqual(resolution?.version, version)
      assert.deepStrictEqual(did.decisions.map(guardsOf), guards === undefined ? [] : [[...guards]])
    })
  )

  it.effect("is refused where the order changed meanwhile", () =>
    Effect.gen(function* () {
      const { refused } = yield* propose({ meanwhile: [[Decision.put(Order, { ...unknown, version: 9 })]] })
      assert.strictEqual(refused, changed)
    })
  )
})

describe("the digest of a proposal", () => {
  it.each([
    ["requestId", "3"],
    ["reference", "1-sale-1"],
    ["said", "approved"],
    ["amountMinor", 1],
    ["evidence", "Mr Jones"],
    ["approvalCode", "A1"],
    ["processorTxId", "T1"],
    ["proposedBy", bob]
  ] as const)("covers %s", (name, value) =>
    assert.notStrictEqual(ResolveOrder.digestOf({ ...proposal, [name]: value }), ResolveOrder.digestOf(proposal))
  )
})

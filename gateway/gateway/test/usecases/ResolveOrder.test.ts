/** The proposal of an operator for a request with an unknown outcome. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Order } from "../../src/orders/record/Order.ts"
import * as ResolveOrder from "../../src/reconciliation/ResolveOrder.ts"
import { guardsOf } from "../domain/Written.ts"
import { bob, changed, creation, later, many, nothing, proposal, propose, unknown, work } from "./Resolving.ts"

describe("the proposal of a resolution", () => {
  it.effect.each([
    ["is stored for a second operator", {}, undefined, undefined],
    ["names its request if several are unknown", { requests: [creation, later] }, "2", undefined],
    [
      "is refused without its request if several are unknown",
      { requests: [creation, later] },
      undefined,
      "more than one request is unknown: name one of 2, 5"
    ],
    ["is refused for a request of another order", { requests: [creation, { ...later, orderId: "404" }] }, "5", nothing],
    ["is refused for a missing request", {}, "404", nothing],
    ["is refused if no request is unknown", { requests: [{ ...creation, progress: "approved" }] }, undefined, nothing],
    ["is refused for an order without requests", { requests: [] }, undefined, nothing],
    ["is refused for a missing order", { order: { ...unknown, orderId: "404" } }, undefined, "there is no such order"],
    [
      "finds the unknown request among more than one page",
      { requests: [...many, later], job: { ...work, jobId: "bank:5", subject: "5" } },
      undefined,
      undefined
    ],
    [
      "finds unknown requests at the end of a page and after it",
      { requests: [...many.slice(1), later, { ...later, requestId: "6" }] },
      undefined,
      "more than one request is unknown: name one of 5, 6"
    ],
    [
      "is refused if the named request is not unknown",
      { requests: [{ ...creation, progress: "approved" }] },
      "2",
      "the bank's answer is not unknown: there is nothing to settle by hand"
    ],
    [
      "is refused if there is no job for the request any more",
      { job: null },
      undefined,
      "the bank is not asked for it any more"
    ]
  ] as const)("%s", ([, setup, requestId, expected]) =>
    Effect.gen(function* () {
      const { recording, refused } = yield* propose(setup, {}, requestId)
      assert.strictEqual(refused, expected)
      assert.lengthOf(recording.decisions, expected === undefined ? 1 : 0)
    })
  )

  it.effect("is refused for an approval without the bank's approval code", () =>
    Effect.gen(function* () {
      const { refused } = yield* propose({}, { outcome: "approved" })
      assert.strictEqual(refused, "give the approval code that the bank named")
    })
  )

  it.effect.each([
    ["is stored only if there is no other proposal", {}, 1, ["no resolutions key 2", "orders 1 v3"]],
    [
      "replaces an earlier one",
      { proposal: { ...proposal, version: 4, evidence: "Mr Jones" } },
      5,
      ["resolutions 2 v4", "orders 1 v3"]
    ],
    [
      "replaces a confirmed one",
      { proposal: { ...proposal, confirmedBy: bob } },
      2,
      ["resolutions 2 v1", "orders 1 v3"]
    ],
    ["is written once when it is repeated", { proposal }, 1, undefined]
  ] as const)("%s", ([, setup, version, guards]) =>
    Effect.gen(function* () {
      const { recording, resolution } = yield* propose(setup)
      assert.strictEqual(resolution?.version, version)
      assert.deepStrictEqual(recording.decisions.map(guardsOf), guards === undefined ? [] : [[...guards]])
    })
  )

  it.effect("is refused if the order changed at the same time", () =>
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
    ["outcome", "approved"],
    ["amountMinor", 1],
    ["evidence", "Mr Jones"],
    ["approvalCode", "A1"],
    ["processorTxId", "T1"],
    ["proposedBy", bob]
  ] as const)("covers %s", (name, value) =>
    assert.notStrictEqual(ResolveOrder.digestOf({ ...proposal, [name]: value }), ResolveOrder.digestOf(proposal))
  )
})

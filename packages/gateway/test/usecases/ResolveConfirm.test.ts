/** What a second operator confirms, and what comes in between. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Order } from "../../src/orders/Order.ts"
import type { OrderRequest } from "../../src/orders/OrderRequest.ts"
import { outcomeColumn } from "../../src/orders/outcomes/Resolve.ts"
import * as ResolveOrder from "../../src/reconciliation/ResolveOrder.ts"
import { preauth, request, sale } from "../domain/Sample.ts"
import { guardsOf, keysOf } from "../domain/Written.ts"
import {
  acceptedAtMs,
  alice,
  bob,
  changed,
  confirm,
  creation,
  type Given,
  nothing,
  proposal,
  resolve,
  unknown,
  work
} from "./Resolving.ts"
import * as World from "./World.ts"

describe("a confirmation", () => {
  it.effect("settles the order, as long as all that was read stands", () =>
    Effect.gen(function* () {
      const order = { ...unknown, callbackUrl: "https://shop.example/a" }
      const { audit, did, resolution, state } = yield* confirm({ order, claim: { token: "mine", leaseUntilMs: 9 } })
      assert.deepStrictEqual([state, resolution?.confirmedBy], ["declined", bob])
      assert.deepStrictEqual(
        did.started.map(({ itemId }) => itemId),
        ["callback:1-1"]
      )
      assert.deepStrictEqual(did.decisions.map(guardsOf), [["orders 1 v3", "resolutions 2 v1"]])
      assert.deepStrictEqual(audit, ["order.resolve.confirm done"])
    })
  )

  const moved = (version: number) => [Decision.put(Order, { ...unknown, version })]
  const cases: ReadonlyArray<
    readonly [
      what: string,
      given: Given,
      actor: "operator:alice" | "operator:bob",
      refused: string | undefined,
      commits: number
    ]
  > = [
    ["is a second person's", {}, alice, "whoever proposed it cannot confirm it: a second person must", 1],
    [
      "is of what is proposed now",
      { proposal: { ...proposal, evidence: "Mr Jones" } },
      bob,
      "this is not what is proposed now: read the proposal, then confirm that",
      1
    ],
    [
      "is of what nobody has confirmed",
      { proposal: { ...proposal, confirmedBy: alice } },
      bob,
      "nobody has proposed how to settle it: resolve it first",
      0
    ],
    ["is of the order as it was proposed", { order: { ...unknown, amountMinor: 9_000 } }, bob, changed, 0],
    ["is of the request as it was proposed", { requests: [{ ...creation, sequence: 1 }] }, bob, changed, 0],
    ["is not taken where the bank is not asked any more", { item: null }, bob, changed, 0],
    [
      "is not taken where it may be sent again",
      { requests: [{ ...creation, acceptedAtMs: World.nowMs }] },
      bob,
      "it may still be sent to the bank again: propose this 15 minutes after its acceptance (orders.resubmitWithinMs)",
      0
    ],
    ["is not taken of an order that has ended", { order: sale() }, bob, changed, 0],
    ["is tried again where somebody wrote meanwhile", { meanwhile: [moved(4), moved(4)] }, bob, undefined, 2],
    ["gives up after five times", { meanwhile: [4, 5, 6, 7, 8, 9].map(moved) }, bob, changed, 5]
  ]
  it.effect.each(cases)("%s", ([, given, actor, refused, commits]) =>
    Effect.gen(function* () {
      const of = given.proposal?.confirmedBy === alice ? given.proposal : proposal
      const done = yield* confirm(given, actor, of)
      assert.strictEqual(done.refused, refused)
      assert.lengthOf(done.did.decisions, commits)
    })
  )

  it.effect("is of the outcome that is proposed", () =>
    Effect.gen(function* () {
      const confirmation = { as: "approved", digest: ResolveOrder.digestOf(proposal) } as const
      const named = { orderId: "1", requestId: undefined, actor: bob } as const
      const { audit, state } = yield* resolve({ proposal }, (use) => use.confirm(named, confirmation))
      assert.deepStrictEqual([state, audit], ["unknown", ["order.resolve.confirm refused"]])
    })
  )

  it.effect("is of what somebody proposed", () =>
    Effect.gen(function* () {
      const confirmation = { as: "declined", digest: ResolveOrder.digestOf(proposal) } as const
      const named = { orderId: "1", requestId: undefined, actor: bob } as const
      const { refused } = yield* resolve({}, (use) => use.confirm(named, confirmation))
      assert.strictEqual(refused, "nobody has proposed how to settle it: resolve it first")
    })
  )

  it.effect("settles a payout by the rail's table", () =>
    Effect.gen(function* () {
      const its: OrderRequest = { ...creation, action: "pay" }
      const { state } = yield* confirm(
        {
          order: { ...unknown, kind: "payout", state: "uncertain" },
          requests: [its],
          item: { ...work, itemId: "rail:2", kind: "rail" },
          proposal: { ...proposal, reference: "1-pay-0" }
        },
        bob,
        { ...proposal, reference: "1-pay-0" }
      )
      assert.strictEqual(state, "declined")
    })
  )

  const confirmed = { ...proposal, confirmedBy: bob }
  const ended = { order: sale({ state: "declined" }), requests: [{ ...creation, progress: "declined" as const }] }
  it.effect.each([
    ["again is answered again", confirmed, bob, confirmed, undefined],
    ["again by another person is none", confirmed, alice, confirmed, nothing],
    ["again of another outcome is none", confirmed, bob, { ...confirmed, [outcomeColumn]: "approved" }, nothing],
    ["again of another proposal is none", confirmed, bob, { ...confirmed, evidence: "Mr Jones" }, nothing]
  ] as const)("%s", ([, existing, actor, of, refused]) =>
    Effect.gen(function* () {
      const done = yield* confirm({ ...ended, proposal: existing }, actor, of)
      assert.strictEqual(done.refused, refused)
      assert.deepStrictEqual(done.did.decisions, [])
    })
  )

  it.effect("again of another outcome than the digest's is none", () =>
    Effect.gen(function* () {
      const confirmation = { as: "approved", digest: ResolveOrder.digestOf(confirmed) } as const
      const named = { orderId: "1", requestId: undefined, actor: bob } as const
      const { refused } = yield* resolve({ ...ended, proposal: confirmed }, (use) => use.confirm(named, confirmation))
      assert.strictEqual(refused, nothing)
    })
  )

  it.effect.each([
    ["a list of amounts, which ends with it", { ...unknown, amountsLeft: "400" }, creation, 1],
    ["one amount, of which there is no list", unknown, creation, 0],
    [
      "a capture of such an order, which is no amount of the list",
      preauth({ amountsLeft: "400", capturingMinor: 4_000, movingCount: 1 }),
      request({ progress: "unknown", acceptedAtMs }),
      0
    ]
  ] as const)("is of %s", ([, order, its, attempts]) =>
    Effect.gen(function* () {
      const reference = its.action === "sale" ? "1-sale-0" : "1-capture-1"
      const of = { ...proposal, reference, amountMinor: its.amountMinor }
      const done = yield* confirm({ order, requests: [its], proposal: of }, bob, of)
      assert.isUndefined(done.refused)
      assert.lengthOf(done.records, 1 + attempts)
      assert.deepStrictEqual(
        keysOf(done.did.decisions[0] ?? { writes: [] }).filter((row) => row === "requests 2"),
        ["requests 2"]
      )
    })
  )
})

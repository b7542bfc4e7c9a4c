/** The confirmation of a second operator, and changes since the proposal. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Order } from "../../src/orders/record/Order.ts"
import type { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as ResolveOrder from "../../src/reconciliation/ResolveOrder.ts"
import type { OperatorAccount } from "../../src/signin/decide/OperatorAccount.ts"
import { preauth, request, sale } from "../domain/Sample.ts"
import { guardsOf, keysOf } from "../domain/Written.ts"
import {
  acceptedAtMs,
  alice,
  bob,
  changed,
  confirm,
  creation,
  nothing,
  proposal,
  resolve,
  type Setup,
  unknown,
  work
} from "./Resolving.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

describe("the confirmation of a proposed resolution", () => {
  it.effect("ends the order, and commits only to the rows that were read", () =>
    Effect.gen(function* () {
      const order = { ...unknown, callbackUrl: "https://shop.example/a" }
      const { audit, recording, resolution, state } = yield* confirm({
        order,
        claim: { token: "mine", leaseUntilMs: 9 }
      })
      assert.deepStrictEqual([state, resolution?.confirmedBy], ["declined", bob])
      assert.deepStrictEqual(
        recording.started.map(({ jobId }) => jobId),
        ["callback:1-1"]
      )
      assert.deepStrictEqual(recording.decisions.map(guardsOf), [["orders 1 v3", "resolutions 2 v1"]])
      assert.deepStrictEqual(audit, ["order.resolve.confirm done"])
    })
  )

  const moved = (version: number) => [Decision.put(Order, { ...unknown, version })]
  const bobs: OperatorAccount = {
    name: "bob",
    version: 1,
    tokenHash: "h",
    roles: "finance",
    tokenMadeBy: alice,
    createdAtMs: 1,
    changedAtMs: 1
  }
  const cases: ReadonlyArray<
    readonly [
      what: string,
      setup: Setup,
      actor: "operator:alice" | "operator:bob",
      refused: string | undefined,
      commits: number
    ]
  > = [
    ["is refused to the operator who proposed it", {}, alice, "you proposed this: a second person must confirm it", 1],
    [
      "is refused to an operator whose token the proposer made",
      { operators: [bobs] },
      bob,
      "operator:alice made the token of bob and may know it: bob first replaces it (pay operator token)",
      1
    ],
    [
      "is refused for an earlier proposal",
      { proposal: { ...proposal, evidence: "Mr Jones" } },
      bob,
      "the current proposal differs: read it, then confirm it",
      1
    ],
    [
      "is refused for a confirmed proposal",
      { proposal: { ...proposal, confirmedBy: alice } },
      bob,
      "there is no proposal to confirm: propose an outcome first",
      0
    ],
    [
      "is refused if the order changed since the proposal",
      { order: { ...unknown, amountMinor: 9_000 } },
      bob,
      changed,
      0
    ],
    [
      "is refused if the request changed since the proposal",
      { requests: [{ ...creation, sequence: 1 }] },
      bob,
      changed,
      0
    ],
    ["is refused if there is no job for the request any more", { job: null }, bob, changed, 0],
    [
      "is refused if the request may be sent again",
      { requests: [{ ...creation, acceptedAtMs: ScriptedServices.nowMs }] },
      bob,
      "it may still be sent to the bank again: propose this 15 minutes after its acceptance (orders.resubmitWithinMs)",
      0
    ],
    ["is refused for an order that has ended", { order: sale() }, bob, changed, 0],
    ["is tried again if another process wrote the order", { meanwhile: [moved(4), moved(4)] }, bob, undefined, 2],
    ["gives up after five attempts", { meanwhile: [4, 5, 6, 7, 8, 9].map(moved) }, bob, changed, 5]
  ]
  it.effect.each(cases)("%s", ([, setup, actor, refused, commits]) =>
    Effect.gen(function* () {
      const of = setup.proposal?.confirmedBy === alice ? setup.proposal : proposal
      const done = yield* confirm(setup, actor, of)
      assert.strictEqual(done.refused, refused)
      assert.lengthOf(done.recording.decisions, commits)
    })
  )

  it.effect("is refused for another outcome than the proposed one", () =>
    Effect.gen(function* () {
      const confirmation = { as: "approved", digest: ResolveOrder.digestOf(proposal) } as const
      const named = { orderId: "1", requestId: undefined, actor: bob } as const
      const { audit, state } = yield* resolve({ proposal }, (use) => use.confirm(named, confirmation))
      assert.deepStrictEqual([state, audit], ["unknown", ["order.resolve.confirm refused"]])
    })
  )

  it.effect("is refused without a proposal", () =>
    Effect.gen(function* () {
      const confirmation = { as: "declined", digest: ResolveOrder.digestOf(proposal) } as const
      const named = { orderId: "1", requestId: undefined, actor: bob } as const
      const { refused } = yield* resolve({}, (use) => use.confirm(named, confirmation))
      assert.strictEqual(refused, "there is no proposal to confirm: propose an outcome first")
    })
  )

  it.effect("ends a payout by the lifecycle of payouts", () =>
    Effect.gen(function* () {
      const requestRow: OrderRequest = { ...creation, action: "pay" }
      const { state } = yield* confirm(
        {
          order: { ...unknown, kind: "payout", state: "unknown" },
          requests: [requestRow],
          job: { ...work, jobId: "rail:2", kind: "rail" },
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
    ["gets the same response when it is repeated", confirmed, bob, confirmed, undefined],
    ["is refused when another operator repeats it", confirmed, alice, confirmed, nothing],
    [
      "is refused when it is repeated with another outcome",
      confirmed,
      bob,
      { ...confirmed, outcome: "approved" },
      nothing
    ],
    [
      "is refused when it is repeated for another proposal",
      confirmed,
      bob,
      { ...confirmed, evidence: "Mr Jones" },
      nothing
    ]
  ] as const)("%s", ([, existing, actor, of, refused]) =>
    Effect.gen(function* () {
      const done = yield* confirm({ ...ended, proposal: existing }, actor, of)
      assert.strictEqual(done.refused, refused)
      assert.deepStrictEqual(done.recording.decisions, [])
    })
  )

  it.effect("is refused when it is repeated with another outcome than its digest's", () =>
    Effect.gen(function* () {
      const confirmation = { as: "approved", digest: ResolveOrder.digestOf(confirmed) } as const
      const named = { orderId: "1", requestId: undefined, actor: bob } as const
      const { refused } = yield* resolve({ ...ended, proposal: confirmed }, (use) => use.confirm(named, confirmation))
      assert.strictEqual(refused, nothing)
    })
  )

  it.effect.each([
    ["of a list of amounts", { ...unknown, remainingAmounts: "400" }, creation, 1],
    ["of one amount", unknown, creation, 0],
    [
      "of a capture of an order with a list of amounts",
      preauth({ remainingAmounts: "400", capturingMinor: 4_000, inFlightCount: 1 }),
      request({ progress: "unknown", acceptedAtMs }),
      0
    ]
  ] as const)("records an attempt only for a list of amounts: %s", ([, order, requestRow, attempts]) =>
    Effect.gen(function* () {
      const reference = requestRow.action === "sale" ? "1-sale-0" : "1-capture-1"
      const of = { ...proposal, reference, amountMinor: requestRow.amountMinor }
      const done = yield* confirm({ order, requests: [requestRow], proposal: of }, bob, of)
      assert.isUndefined(done.refused)
      assert.lengthOf(done.records, 1 + attempts)
      assert.deepStrictEqual(
        keysOf(done.recording.decisions[0] ?? { writes: [] }).filter((row) => row === "requests 2"),
        ["requests 2"]
      )
    })
  )
})

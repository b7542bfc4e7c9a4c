/** What a second approver may see and decide: by whose signature, about what, and once. */
import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Statement from "@pay/signing/Approval"
import { Cause, Effect, Exit, Layer } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { defaults } from "../../src/kernel/Settings.ts"
import { Order } from "../../src/orders/Order.ts"
import { OrderRequest } from "../../src/orders/OrderRequest.ts"
import { Approval } from "../../src/payouts/Approval.ts"
import * as DecideApproval from "../../src/payouts/DecideApproval.ts"
import { Payout } from "../../src/recipients/Recipient.ts"
import { payout, request, sale } from "../domain/Sample.ts"
import { rowsOf } from "../domain/Written.ts"
import * as Rail from "./Rail.ts"
import * as World from "./World.ts"

const ada = generateKeyPairSync("ed25519")
const bea = generateKeyPairSync("ed25519")
const approvers = [
  { name: "ada", key: ada.publicKey },
  { name: "bea", key: bea.publicKey }
]

const waiting = sale({ kind: "payout", state: "waiting", authorizedMinor: 0, capturedMinor: 0, createdAtMs: 1 })
const pay: OrderRequest = { ...request({ sequence: 0, amountMinor: 10_000 }), operation: "PAYOUT", action: "pay" }
const approval: Approval = {
  orderId: "1",
  version: 1,
  merchantId: "shop",
  requestId: "2",
  state: "waiting",
  askedAtMs: 1,
  expiresAtMs: 90_000,
  approver: null,
  signature: null,
  decidedAtMs: null
}

interface Given extends World.Script, Rail.Script {
  readonly order?: Order
  readonly request?: OrderRequest
  readonly approval?: Approval
  readonly isCopy?: boolean
}

type Use<A> = (use: Effect.Success<typeof DecideApproval.make>) => Effect.Effect<A, unknown>

const run = <A>(given: Given, use: Use<A>) => {
  const did = World.nothing()
  const requests: Array<string> = []
  return Effect.gen(function* () {
    yield* World.given(
      [
        Decision.append(Order, given.order ?? waiting),
        Decision.append(OrderRequest, given.request ?? pay),
        Decision.append(Payout, payout()),
        Decision.append(Approval, given.approval ?? approval),
        ...(given.isCopy === true ? [Rail.copy] : [])
      ],
      did
    )
    const exit = yield* Effect.exit(use(yield* DecideApproval.make))
    const failed = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
    const text =
      failed instanceof DecideApproval.ApprovalRefused
        ? `${failed.reason}: ${failed.message}`
        : failed instanceof Error
          ? failed.message
          : "done"
    const { decisions } = did
    const state = decisions.flatMap((decision) => rowsOf(decision, "orders")).at(-1)?.state
    return {
      text,
      state,
      requests,
      commits: decisions.length,
      value: Exit.isSuccess(exit) ? exit.value : undefined
    }
  }).pipe(Effect.provide(Layer.provideMerge(Rail.layer(given, requests), World.layer({ approvers, ...given }, did))))
}

const statement: Statement.Statement = {
  decision: "approve",
  orderId: "1",
  amount: "100.00 USD",
  recipient: "v1.r",
  approver: "ada"
}
const decide = (given: Given, changes: Partial<Statement.Statement> = {}, key = ada.privateKey) => {
  const signed = { ...statement, ...changes }
  return run(given, (use) => use.decide(signed, Statement.sign(signed, key)))
}

const stranger = /^Unknown: no payout with this number waits for this approver/
const reject = { decision: "reject" } as const

describe("a decision", () => {
  const versions = (...all: ReadonlyArray<number>) =>
    all.map((version) => [Decision.put(Order, { ...waiting, version })])
  const approved: Approval = { ...approval, state: "approved" }
  const cases: ReadonlyArray<
    readonly [
      what: string,
      given: Given,
      changes: Partial<Statement.Statement>,
      expected: RegExp,
      state: string | undefined
    ]
  > = [
    ["lets it be paid", {}, {}, /^done$/, "paying"],
    ["refuses it", {}, reject, /^done$/, "declined"],
    ["is an approver's", {}, { approver: "bea" }, stranger, undefined],
    ["is an approver's of this merchant", {}, { approver: "cleo" }, stranger, undefined],
    ["is of this payout", {}, { orderId: "404" }, stranger, undefined],
    ["is of this amount", {}, { amount: "100.01 USD" }, /^Differs: /, undefined],
    ["is of this recipient", {}, { recipient: "v1.s" }, /^Differs: /, undefined],
    [
      "again is answered again",
      { approval: approved, order: { ...waiting, state: "paying" } },
      {},
      /^done$/,
      undefined
    ],
    [
      "after another one is too late",
      { approval: approved, order: { ...waiting, state: "paying" } },
      reject,
      /^Decided: the payout no longer waits: it is approved$/,
      undefined
    ],
    [
      "after its time is too late",
      { approval: { ...approval, expiresAtMs: 1 } },
      {},
      /^Decided: the payout no longer waits: it is out of time$/,
      undefined
    ],
    [
      "after its end is too late",
      { approval: { ...approval, state: "lapsed" } },
      {},
      /^Decided: the payout no longer waits: it is lapsed$/,
      undefined
    ],
    ["is tried again where somebody wrote meanwhile", { meanwhile: versions(4, 4) }, {}, /^done$/, "paying"]
  ]
  it.effect.each(cases)("%s", ([, given, changes, expected, state]) =>
    Effect.gen(function* () {
      const done = yield* decide(given, changes)
      assert.match(done.text, expected)
      assert.strictEqual(done.state, state)
      if (state !== undefined) assert.strictEqual(done.value?.order.state, state)
      assert.deepStrictEqual(done.requests, [])
    })
  )

  it.effect("gives up after five times", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* decide({ meanwhile: versions(4, 5, 6, 7, 8, 9) })).commits, 5)
    })
  )

  it.effect.each([
    ["no payment", { ...pay, action: "sale" }],
    ["no request", { ...pay, requestId: "3" }]
  ] as const)("is a defect where it is about %s", ([, its]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* decide({ request: its })).text, "the approval of order 1 names no payment")
    })
  )
})

describe("on a restored copy, a decision", () => {
  const paid = { isCopy: true, existing: { "1-pay-0": Rail.approved } }
  const unclear = { isCopy: true, existing: { "1-pay-0": { _tag: "CannotSay" } } } as const
  const lapsed: Approval = { ...approval, state: "lapsed" }
  const cases: ReadonlyArray<
    readonly [
      what: string,
      given: Given,
      changes: Partial<Statement.Statement>,
      expected: RegExp,
      state: string | undefined,
      requests: number
    ]
  > = [
    ["to refuse stands where the rail knows of no payment", { isCopy: true }, reject, /^done$/, "declined", 1],
    ["to refuse is too late where it was paid", paid, reject, /^Decided: .* it was sent before/, "paying", 1],
    ["to refuse waits where the rail cannot say", unclear, reject, /cannot say yet/, undefined, 1],
    [
      "to refuse is too late where it no longer waits",
      { ...paid, approval: lapsed },
      reject,
      /it is lapsed$/,
      undefined,
      0
    ],
    ["to let it be paid stands: the rail is asked before it is sent", paid, {}, /^done$/, "paying", 0]
  ]
  it.effect.each(cases)("%s", ([, given, changes, expected, state, requestCount]) =>
    Effect.gen(function* () {
      const done = yield* decide(given, changes)
      assert.match(done.text, expected)
      assert.deepStrictEqual([done.state, done.requests.length], [state, requestCount])
    })
  )
})

describe("what waits is shown", () => {
  const nowSeconds = World.wallMs / 1000
  const skewSeconds = defaults.clockSkewMs / 1000
  const list = (changes: Partial<Statement.List>, key = ada.privateKey) => {
    const signed = {
      decision: "list",
      merchant: "shop",
      approver: "ada",
      timestampSeconds: nowSeconds,
      ...changes
    } as const
    return run({}, (use) => use.list(signed, Statement.sign(signed, key), { limit: 10, after: undefined }))
  }
  it.effect.each([
    ["to the merchant's approver", {}, ada, /^done$/],
    ["to another one of them", { approver: "bea" }, bea, /^done$/],
    ["not to whoever signs for another", { approver: "bea" }, ada, /^Unknown: this merchant has no such approver/],
    ["not to a stranger", { approver: "cleo" }, ada, /^Unknown: this merchant has no such approver/],
    ["not to another merchant's", { merchant: "other" }, ada, /^Unknown: this merchant has no such approver/],
    ["for a while", { timestampSeconds: nowSeconds - skewSeconds }, ada, /^done$/],
    ["not for ever", { timestampSeconds: nowSeconds - skewSeconds - 1 }, ada, /^Skewed/],
    ["not long ahead", { timestampSeconds: nowSeconds + skewSeconds + 1 }, ada, /^Skewed/]
  ] as const)("%s", ([, changes, keys, expected]) =>
    Effect.gen(function* () {
      const { text, value } = yield* list(changes, keys.privateKey)
      assert.match(text, expected)
      assert.strictEqual(value?.payouts.length, text === "done" ? 1 : undefined)
    })
  )

  it.effect.each([
    ["in full, to who looks now", nowSeconds, /^done$/],
    ["in full, not by a look of long ago", nowSeconds - skewSeconds - 1, /^Skewed/]
  ] as const)("%s", ([, timestampSeconds, expected]) =>
    Effect.gen(function* () {
      const look = { decision: "look", orderId: "1", approver: "ada", timestampSeconds } as const
      const { text } = yield* run({}, (use) => use.look(look, Statement.sign(look, ada.privateKey)))
      assert.match(text, expected)
    })
  )
})

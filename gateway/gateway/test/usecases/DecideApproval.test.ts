/** What a second approver may see and decide, with which signature. */
import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Statement from "@pay/signing/Approval"
import { Cause, Effect, Exit, Layer } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { defaults } from "../../src/kernel/Settings.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as DecideApproval from "../../src/payouts/DecideApproval.ts"
import { Approval } from "../../src/payouts/decide/Approval.ts"
import { Payout } from "../../src/recipients/Recipient.ts"
import { payout, request, sale } from "../domain/Sample.ts"
import { rowsOf } from "../domain/Written.ts"
import * as Rail from "./Rail.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

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
  requestedAtMs: 1,
  expiresAtMs: 90_000,
  approver: null,
  signature: null,
  decidedAtMs: null
}

interface Setup extends ScriptedServices.Script, Rail.Script {
  readonly order?: Order
  readonly request?: OrderRequest
  readonly approval?: Approval
  readonly isCopy?: boolean
}

type Use<A> = (use: Effect.Success<typeof DecideApproval.make>) => Effect.Effect<A, unknown>

const run = <A>(setup: Setup, use: Use<A>) => {
  const recording = ScriptedServices.newRecording()
  const requests: Array<string> = []
  return Effect.gen(function* () {
    yield* ScriptedServices.seed(
      [
        Decision.append(Order, setup.order ?? waiting),
        Decision.append(OrderRequest, setup.request ?? pay),
        Decision.append(Payout, payout()),
        Decision.append(Approval, setup.approval ?? approval),
        ...(setup.isCopy === true ? [Rail.copy] : [])
      ],
      recording
    )
    const exit = yield* Effect.exit(use(yield* DecideApproval.make))
    const failed = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
    const text =
      failed instanceof DecideApproval.ApprovalRefused
        ? `${failed.reason}: ${failed.message}`
        : failed instanceof Error
          ? failed.message
          : "done"
    const { decisions } = recording
    const state = decisions.flatMap((decision) => rowsOf(decision, "orders")).at(-1)?.state
    return {
      text,
      state,
      requests,
      commits: decisions.length,
      value: Exit.isSuccess(exit) ? exit.value : undefined
    }
  }).pipe(
    Effect.provide(
      Layer.provideMerge(Rail.layer(setup, requests), ScriptedServices.layer({ approvers, ...setup }, recording))
    )
  )
}

const statement: Statement.Statement = {
  decision: "approve",
  orderId: "1",
  amount: "100.00 USD",
  recipient: "v1.r",
  approver: "ada"
}
const decide = (setup: Setup, changes: Partial<Statement.Statement> = {}, key = ada.privateKey) => {
  const signed = { ...statement, ...changes }
  return run(setup, (use) => use.decide(signed, Statement.sign(signed, key)))
}

const unknown = /^Unknown: no payout with this number waits for this approver/
const reject = { decision: "reject" } as const

describe("the decision of a second approver", () => {
  const versions = (...all: ReadonlyArray<number>) =>
    all.map((version) => [Decision.put(Order, { ...waiting, version })])
  const approved: Approval = { ...approval, state: "approved" }
  const cases: ReadonlyArray<
    readonly [
      what: string,
      setup: Setup,
      changes: Partial<Statement.Statement>,
      expected: RegExp,
      state: string | undefined
    ]
  > = [
    ["to approve pays the payout", {}, {}, /^done$/, "paying"],
    ["to reject declines the payout", {}, reject, /^done$/, "declined"],
    ["is refused with another approver's signature", {}, { approver: "bea" }, unknown, undefined],
    ["is refused from a person who is no approver of the merchant", {}, { approver: "cleo" }, unknown, undefined],
    ["is refused for an unknown payout", {}, { orderId: "404" }, unknown, undefined],
    ["is refused for another amount", {}, { amount: "100.01 USD" }, /^Differs: /, undefined],
    ["is refused for another recipient", {}, { recipient: "v1.s" }, /^Differs: /, undefined],
    [
      "gets the same response when it is repeated",
      { approval: approved, order: { ...waiting, state: "paying" } },
      {},
      /^done$/,
      undefined
    ],
    [
      "is refused after another decision",
      { approval: approved, order: { ...waiting, state: "paying" } },
      reject,
      /^Decided: the payout no longer waits: it is approved$/,
      undefined
    ],
    [
      "is refused after the time of the approval",
      { approval: { ...approval, expiresAtMs: 1 } },
      {},
      /^Decided: the payout no longer waits: it is out of time$/,
      undefined
    ],
    [
      "is refused after the approval lapsed",
      { approval: { ...approval, state: "lapsed" } },
      {},
      /^Decided: the payout no longer waits: it is lapsed$/,
      undefined
    ],
    ["is tried again if another process wrote the order", { meanwhile: versions(4, 4) }, {}, /^done$/, "paying"]
  ]
  it.effect.each(cases)("%s", ([, setup, changes, expected, state]) =>
    Effect.gen(function* () {
      const done = yield* decide(setup, changes)
      assert.match(done.text, expected)
      assert.strictEqual(done.state, state)
      if (state !== undefined) assert.strictEqual(done.value?.order.state, state)
      assert.deepStrictEqual(done.requests, [])
    })
  )

  it.effect("gives up after five attempts", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* decide({ meanwhile: versions(4, 5, 6, 7, 8, 9) })).commits, 5)
    })
  )

  it.effect.each([
    ["a request that is no payment", { ...pay, action: "sale" }],
    ["a missing request", { ...pay, requestId: "3" }]
  ] as const)("is a defect if the approval names %s", ([, requestRow]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* decide({ request: requestRow })).text, "the approval of order 1 names no payment")
    })
  )
})

describe("the list of waiting payouts", () => {
  const nowSeconds = ScriptedServices.wallMs / 1000
  const skewSeconds = defaults.clockSkewMs / 1000
  const list = (changes: Partial<Statement.ListRequest>, key = ada.privateKey) => {
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
    ["is shown to an approver of the merchant", {}, ada, /^done$/],
    ["is shown to another approver of the merchant", { approver: "bea" }, bea, /^done$/],
    [
      "is refused with another approver's signature",
      { approver: "bea" },
      ada,
      /^Unknown: this merchant has no such approver/
    ],
    [
      "is refused to a person who is no approver",
      { approver: "cleo" },
      ada,
      /^Unknown: this merchant has no such approver/
    ],
    ["is refused for another merchant", { merchant: "other" }, ada, /^Unknown: this merchant has no such approver/],
    ["is shown up to the allowed age of the signature", { timestampSeconds: nowSeconds - skewSeconds }, ada, /^done$/],
    [
      "is refused beyond the allowed age of the signature",
      { timestampSeconds: nowSeconds - skewSeconds - 1 },
      ada,
      /^Skewed/
    ],
    [
      "is refused for a signature too far in the future",
      { timestampSeconds: nowSeconds + skewSeconds + 1 },
      ada,
      /^Skewed/
    ]
  ] as const)("%s", ([, changes, keys, expected]) =>
    Effect.gen(function* () {
      const { text, value } = yield* list(changes, keys.privateKey)
      assert.match(text, expected)
      assert.strictEqual(value?.payouts.length, text === "done" ? 1 : undefined)
    })
  )

  it.effect.each([
    ["shows one payout in full with a recent signature", nowSeconds, /^done$/],
    ["shows no payout in full with an old signature", nowSeconds - skewSeconds - 1, /^Skewed/]
  ] as const)("%s", ([, timestampSeconds, expected]) =>
    Effect.gen(function* () {
      const look = { decision: "look", orderId: "1", approver: "ada", timestampSeconds } as const
      const { text } = yield* run({}, (use) => use.look(look, Statement.sign(look, ada.privateKey)))
      assert.match(text, expected)
    })
  )
})

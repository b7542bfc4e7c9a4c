/** What is over by itself: holds whose time is over, and payouts for which nobody came. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { HostedSession } from "../../src/hosted/HostedSession.ts"
import * as JobHandlers from "../../src/JobHandlers.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import type { InquiryAnswer } from "../../src/orders/Acquirer.ts"
import { Order } from "../../src/orders/Order.ts"
import { OrderRequest } from "../../src/orders/OrderRequest.ts"
import { BankTask } from "../../src/orders/outcomes/BankTask.ts"
import * as HoldTask from "../../src/orders/outcomes/HoldTask.ts"
import { Restoration } from "../../src/orders/restored/Restoration.ts"
import { Approval } from "../../src/payouts/Approval.ts"
import { PayoutRail } from "../../src/payouts/PayoutRail.ts"
import { item, preauth, request, sale, session } from "../domain/Sample.ts"
import { guardsOf, keysOf, rowsOf } from "../domain/Written.ts"
import * as World from "./World.ts"

const work = item({ itemId: "lapse:1", kind: "lapse", subject: "1" })
const claim = { token: "next", leaseUntilMs: 9 }
const approved: InquiryAnswer = { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" }

interface Given extends World.Script {
  readonly order?: Order
  readonly rows?: ReadonlyArray<Decision.Write>
  /** What the rail knows of every payment. */
  readonly existing?: InquiryAnswer
}

const lapse = (given: Given) => {
  const did = World.nothing()
  const requests: Array<string> = []
  const rail = Layer.succeed(PayoutRail, {
    capabilities: { longestProcessingMs: 1, deadlineMs: 1_000, destinations: new Set<never>(), lateRefusalAfterMs: [] },
    check: () => Effect.succeed({ _tag: "Declined", code: 1, message: "" }),
    pay: () => Effect.succeed({ _tag: "Declined", code: 1, message: "" }),
    inquire: (reference) => {
      requests.push(reference)
      return Effect.succeed(given.existing ?? { _tag: "NotFound" })
    }
  })
  return Effect.gen(function* () {
    const store = yield* Store
    const orders = given.order === undefined ? [] : [Decision.append(Order, given.order)]
    yield* World.given([Decision.append(Job, work), ...orders, ...(given.rows ?? [])], did)
    const handle = yield* JobHandlers.lapse
    const exit = yield* Effect.exit(handle(work, store))
    const [decision = { guards: [], writes: [] }] = did.decisions
    return { requests, decision, did, exit, item: yield* store.load(Job, ["lapse:1"]) }
  }).pipe(Effect.provide(Layer.provideMerge(rail, World.layer(given, did))))
}

const lease = "lease lapse:1 mine"
const both = [lease, "orders 1 v3"]

describe("a hold", () => {
  const cases: ReadonlyArray<
    readonly [what: string, order: Order | undefined, guards: ReadonlyArray<string>, rows: ReadonlyArray<string>]
  > = [
    [
      "is released by the bank first",
      preauth(),
      both,
      ["orders 1", "requests new", "agenda bank:new", "-agenda lapse:1"]
    ],
    [
      "waits while a capture of it is under way",
      preauth({ capturingMinor: 1, movingCount: 1 }),
      [lease],
      ["agenda lapse:1"]
    ],
    [
      "is over when it was captured",
      preauth({ state: "settled", capturedMinor: 10_000 }),
      [lease],
      ["-agenda lapse:1"]
    ],
    ["is over when it was released", preauth({ released: 1 }), [lease], ["-agenda lapse:1"]],
    ["is over when there is no such order", undefined, [lease], ["-agenda lapse:1"]]
  ]
  it.effect.each(cases)("%s", ([, order, guards, rows]) =>
    Effect.gen(function* () {
      const { decision, did, exit } = yield* lapse(order === undefined ? {} : { order })
      assert.isTrue(Exit.isSuccess(exit))
      const its = `${rowsOf(decision, "requests")[0]?.requestId}`
      assert.deepStrictEqual(
        keysOf(decision).map((row) => row.replace(its, "new")),
        [...rows]
      )
      assert.deepStrictEqual(guardsOf(decision), [...guards])
      assert.deepStrictEqual(did.started, [])
    })
  )

  const task = HoldTask.opened(preauth(), "1-cancel-1", 1)
  it.effect.each([
    ["is not asked for any more once an operator has closed its task", "operator:alice", [lease], ["-agenda lapse:1"]],
    ["is asked for again once its task has closed by itself", "gateway", both, undefined]
  ] as const)("%s", ([, closedBy, guards, rows]) =>
    Effect.gen(function* () {
      const closed = Decision.append(BankTask, { ...task, state: "closed", closedBy })
      const { decision } = yield* lapse({ order: preauth(), rows: [closed] })
      assert.deepStrictEqual(guardsOf(decision), [...guards])
      if (rows !== undefined) assert.deepStrictEqual(keysOf(decision), [...rows])
    })
  )

  it.effect("is released at once by a process that takes work", () =>
    Effect.gen(function* () {
      const { did } = yield* lapse({ order: preauth(), claim })
      assert.deepStrictEqual(
        did.started.map(({ kind, token }) => `${kind} ${token}`),
        ["bank next"]
      )
    })
  )
})

const check: OrderRequest = {
  ...request({ operation: "PAYOUT_V4_CHECK", sequence: 0, progress: "approved" }),
  action: "check"
}
const pay: OrderRequest = { ...check, requestId: "5", operation: "PAYOUT_V4_PAY", action: "pay", progress: "moving" }
const payout = (state: Order["state"]): Order =>
  sale({
    kind: "payout",
    state,
    authorizedMinor: 0,
    capturedMinor: 0,
    createdAtMs: 1,
    callbackUrl: "https://shop.example/a"
  })
const approval = (state: Approval["state"]): Decision.Write =>
  Decision.append(Approval, {
    orderId: "1",
    version: 1,
    merchantId: "shop",
    requestId: "5",
    state,
    askedAtMs: 1,
    expiresAtMs: 2,
    approver: null,
    signature: null,
    decidedAtMs: null
  })
const rows = [Decision.append(OrderRequest, check), Decision.append(OrderRequest, pay)]

const onPage = [
  Decision.append(OrderRequest, { ...pay, operation: "PAYOUTFORM" }),
  Decision.append(HostedSession, session({ attemptId: null }))
]

describe("a payout", () => {
  const ended = ["-agenda lapse:1", "orders 1"]
  const report = "agenda callback:1-1"
  const cases: ReadonlyArray<
    readonly [
      what: string,
      order: Order,
      more: ReadonlyArray<Decision.Write>,
      guards: ReadonlyArray<string>,
      rows: ReadonlyArray<string>
    ]
  > = [
    [
      "that was only checked is over",
      payout("checked"),
      rows,
      both,
      [...ended, "requests 2", report, "-agenda rail:2"]
    ],
    [
      "that waits for a second person is over, with what was asked of them",
      payout("waiting"),
      [...rows, approval("waiting")],
      both,
      [...ended, "requests 5", report, "-agenda rail:5", "approvals 1"]
    ],
    [
      "that is being paid goes on, and what was agreed to stays so",
      payout("paying"),
      [...rows, approval("approved")],
      [lease],
      ["-agenda lapse:1"]
    ],
    [
      "that waits for a recipient's second person is over, with its page",
      payout("waiting"),
      [...onPage, approval("waiting")],
      both,
      [...ended, "requests 5", "formsessions t", "-agenda session:1", report, "-agenda rail:5", "approvals 1"]
    ],
    ["of which nobody knows the request stays as it is", payout("checked"), [], [lease], ["-agenda lapse:1"]],
    [
      "whose request is none of the rail's stays as it is",
      payout("checked"),
      [Decision.append(OrderRequest, request())],
      [lease],
      ["-agenda lapse:1"]
    ]
  ]
  it.effect.each(cases)("%s", ([, order, more, guards, rows]) =>
    Effect.gen(function* () {
      const { requests, decision, exit } = yield* lapse({ order, rows: more })
      assert.isTrue(Exit.isSuccess(exit))
      assert.deepStrictEqual([keysOf(decision), guardsOf(decision), requests], [[...rows], [...guards], []])
    })
  )

  it.effect("that is over is told at once by a process that takes work", () =>
    Effect.gen(function* () {
      const { did } = yield* lapse({ order: payout("checked"), rows, claim })
      assert.deepStrictEqual(
        did.started.map(({ itemId }) => itemId),
        ["callback:1-1"]
      )
    })
  )
})

describe("on a restored copy, a payout that nobody confirmed here", () => {
  const copy = Decision.append(Restoration, {
    name: "latest",
    restoredAtMs: 1,
    startedAtMs: 1,
    lastCommitAtMs: 1,
    enumeratedAtMs: 1
  })
  const paid = ["orders 1", "requests 2", "agenda rail:2", "-agenda lapse:1"]
  const cases: ReadonlyArray<
    readonly [what: string, given: Given, requests: ReadonlyArray<string>, guards: ReadonlyArray<string>, first: string]
  > = [
    [
      "is over where the rail knows of no payment",
      { order: payout("checked") },
      ["1-pay-0", "1-pay-1"],
      both,
      "-agenda lapse:1"
    ],
    [
      "is asked about where the rail knows of one",
      { order: payout("checked"), existing: approved },
      ["1-pay-0"],
      both,
      "orders 1"
    ],
    [
      "waits where the rail cannot say",
      { order: payout("checked"), existing: { _tag: "CannotSay" } },
      ["1-pay-0"],
      [lease],
      "agenda lapse:1"
    ],
    ["is none when it is paid", { order: payout("paid"), existing: approved }, [], [lease], "-agenda lapse:1"]
  ]
  it.effect.each(cases)("%s", ([, given, requests, guards, first]) =>
    Effect.gen(function* () {
      const done = yield* lapse({ ...given, rows: [copy, ...rows] })
      assert.deepStrictEqual(
        [done.requests, guardsOf(done.decision), keysOf(done.decision)[0]],
        [[...requests], [...guards], first]
      )
      if (first === "orders 1") assert.deepStrictEqual(keysOf(done.decision), paid)
    })
  )
})

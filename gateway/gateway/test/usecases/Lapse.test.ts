/** Holds whose time is over, and payouts that were not confirmed in time. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { HostedSession } from "../../src/hosted/decide/HostedSession.ts"
import * as JobHandlers from "../../src/JobHandlers.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import type { InquiryAnswer } from "../../src/orders/bank/Acquirer.ts"
import * as HoldTask from "../../src/orders/decide/HoldTask.ts"
import { BankTask } from "../../src/orders/record/BankTask.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { Approval } from "../../src/payouts/decide/Approval.ts"
import { PayoutRail } from "../../src/payouts/PayoutRail.ts"
import { job, preauth, request, sale, session } from "../domain/Sample.ts"
import { guardsOf, keysOf, rowsOf } from "../domain/Written.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const work = job({ jobId: "lapse:1", kind: "lapse", subject: "1" })
const claim = { token: "next", leaseUntilMs: 9 }

interface Setup extends ScriptedServices.Script {
  readonly order?: Order
  readonly rows?: ReadonlyArray<Decision.Write>
  /** The rail's answer to every inquiry. */
  readonly existing?: InquiryAnswer
}

const lapse = (setup: Setup) => {
  const recording = ScriptedServices.newRecording()
  const requests: Array<string> = []
  const rail = Layer.succeed(
    PayoutRail,
    PayoutRail.checked({
      capabilities: {
        longestProcessingMs: 1,
        deadlineMs: 1_000,
        destinations: new Set<never>(),
        lateRefusalAfterMs: []
      },
      check: () => Effect.succeed({ _tag: "Declined", code: 1, message: "" }),
      pay: () => Effect.succeed({ _tag: "Declined", code: 1, message: "" }),
      inquire: (reference) => {
        requests.push(reference)
        return Effect.succeed(setup.existing ?? { _tag: "NotFound" })
      }
    })
  )
  return Effect.gen(function* () {
    const store = yield* Store
    const orders = setup.order === undefined ? [] : [Decision.append(Order, setup.order)]
    yield* ScriptedServices.seed([Decision.append(Job, work), ...orders, ...(setup.rows ?? [])], recording)
    const handle = yield* JobHandlers.lapse
    const exit = yield* Effect.exit(handle(work, store))
    const [decision = { guards: [], writes: [] }] = recording.decisions
    return { requests, decision, recording, exit, job: yield* store.load(Job, ["lapse:1"]) }
  }).pipe(Effect.provide(Layer.provideMerge(rail, ScriptedServices.layer(setup, recording))))
}

const lease = "lease lapse:1 mine"
const both = [lease, "orders 1 v3"]

describe("a hold whose time is over", () => {
  const cases: ReadonlyArray<
    readonly [what: string, order: Order | undefined, guards: ReadonlyArray<string>, rows: ReadonlyArray<string>]
  > = [
    [
      "has a job to release it at the bank",
      preauth(),
      both,
      ["orders 1", "requests new", "jobs bank:new", "-jobs lapse:1"]
    ],
    [
      "waits while a capture of it is under way",
      preauth({ capturingMinor: 1, inFlightCount: 1 }),
      [lease],
      ["jobs lapse:1"]
    ],
    [
      "is left alone if it was captured",
      preauth({ state: "settled", capturedMinor: 10_000 }),
      [lease],
      ["-jobs lapse:1"]
    ],
    ["is left alone if it was voided", preauth({ state: "voided" }), [lease], ["-jobs lapse:1"]],
    ["is left alone if its order does not exist", undefined, [lease], ["-jobs lapse:1"]]
  ]
  it.effect.each(cases)("%s", ([, order, guards, rows]) =>
    Effect.gen(function* () {
      const { decision, recording, exit } = yield* lapse(order === undefined ? {} : { order })
      assert.isTrue(Exit.isSuccess(exit))
      const requestId = `${rowsOf(decision, "requests")[0]?.requestId}`
      assert.deepStrictEqual(
        keysOf(decision).map((row) => row.replace(requestId, "new")),
        [...rows]
      )
      assert.deepStrictEqual(guardsOf(decision), [...guards])
      assert.deepStrictEqual(recording.started, [])
    })
  )

  const task = HoldTask.opened(preauth(), "1-void-1", 1)
  it.effect.each([
    ["is not released again after an operator closed its task", "operator:alice", [lease], ["-jobs lapse:1"]],
    ["is released again after the gateway closed its task", "gateway", both, undefined]
  ] as const)("%s", ([, closedBy, guards, rows]) =>
    Effect.gen(function* () {
      const closed = Decision.append(BankTask, { ...task, state: "closed", closedBy })
      const { decision } = yield* lapse({ order: preauth(), rows: [closed] })
      assert.deepStrictEqual(guardsOf(decision), [...guards])
      if (rows !== undefined) assert.deepStrictEqual(keysOf(decision), [...rows])
    })
  )

  it.effect("has its release started at once in a process that takes jobs", () =>
    Effect.gen(function* () {
      const { recording } = yield* lapse({ order: preauth(), claim })
      assert.deepStrictEqual(
        recording.started.map(({ kind, token }) => `${kind} ${token}`),
        ["bank next"]
      )
    })
  )
})

const check: OrderRequest = {
  ...request({ operation: "PAYOUT_V4_CHECK", sequence: 0, progress: "approved" }),
  action: "check"
}
const pay: OrderRequest = {
  ...check,
  requestId: "5",
  operation: "PAYOUT_V4_PAY",
  action: "pay",
  progress: "processing"
}
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
    requestedAtMs: 1,
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

describe("a payout whose time is over", () => {
  const ended = ["-jobs lapse:1", "orders 1"]
  const report = "jobs callback:1-1"
  const cases: ReadonlyArray<
    readonly [
      what: string,
      order: Order,
      more: ReadonlyArray<Decision.Write>,
      guards: ReadonlyArray<string>,
      rows: ReadonlyArray<string>
    ]
  > = [
    ["ends if it was only checked", payout("checked"), rows, both, [...ended, "requests 2", report, "-jobs rail:2"]],
    [
      "ends with its approval if it waits for a second approver",
      payout("waiting"),
      [...rows, approval("waiting")],
      both,
      [...ended, "requests 5", report, "-jobs rail:5", "approvals 1"]
    ],
    [
      "continues if it is being paid, and its approval stays",
      payout("paying"),
      [...rows, approval("approved")],
      [lease],
      ["-jobs lapse:1"]
    ],
    [
      "ends with its hosted page and its approval",
      payout("waiting"),
      [...onPage, approval("waiting")],
      both,
      [...ended, "requests 5", "hostedSessions t", "-jobs session:1", report, "-jobs rail:5", "approvals 1"]
    ],
    ["stays as it is if its request is missing", payout("checked"), [], [lease], ["-jobs lapse:1"]],
    [
      "stays as it is if its request is not one of the rail's",
      payout("checked"),
      [Decision.append(OrderRequest, request())],
      [lease],
      ["-jobs lapse:1"]
    ]
  ]
  it.effect.each(cases)("%s", ([, order, more, guards, rows]) =>
    Effect.gen(function* () {
      const { requests, decision, exit } = yield* lapse({ order, rows: more })
      assert.isTrue(Exit.isSuccess(exit))
      assert.deepStrictEqual([keysOf(decision), guardsOf(decision), requests], [[...rows], [...guards], []])
    })
  )

  it.effect("has its callback started at once in a process that takes jobs", () =>
    Effect.gen(function* () {
      const { recording } = yield* lapse({ order: payout("checked"), rows, claim })
      assert.deepStrictEqual(
        recording.started.map(({ jobId }) => jobId),
        ["callback:1-1"]
      )
    })
  )
})

/** What a verified fact of a bank's notification changes: for an open request, an ended one, and one of somewhere else. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Evidence } from "../../src/kernel/Evidence.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as Terminal from "../../src/merchants/Terminal.ts"
import type { Fact } from "../../src/orders/bank/Notifications.ts"
import * as NoticedOutcome from "../../src/orders/outcomes/NoticedOutcome.ts"
import * as ReceiveNotices from "../../src/orders/outcomes/ReceiveNotices.ts"
import { BankNotice } from "../../src/orders/record/BankNotice.ts"
import { BankTask } from "../../src/orders/record/BankTask.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { sale } from "../domain/Sample.ts"
import { approved, declined } from "./Bank.ts"
import { creation, unknown, work } from "./Resolving.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const { nowMs } = ScriptedServices
const reference = "1-sale-0"
const fact = (changes: Partial<Fact & { readonly _tag: "Outcome" }> = {}): Fact => ({
  _tag: "Outcome",
  ...{ reference, eventId: "e1", answer: approved, currency: "USD" },
  ...changes
})
const failed: Fact & { readonly _tag: "Failed" } = { _tag: "Failed", reference, eventId: "f1", message: "returned" }
const dispute: Fact = {
  _tag: "Dispute",
  ...{ reference, eventId: "d1", disputeId: "D", stage: "opened", amountMinor: 1, currency: "USD", message: "fraud" }
}
const later = { ...work, dueAtMs: nowMs + 60_000 }

interface Setup extends Pick<ScriptedServices.Script, "meanwhile"> {
  readonly order?: Order
  readonly request?: OrderRequest
  readonly job?: Job
}

/** Receives the facts one after another, and returns what is stored then. */
const receive = (facts: ReadonlyArray<Fact>, setup: Setup = {}) => {
  const { job = later, order = unknown, request = creation } = setup
  const recording = ScriptedServices.newRecording()
  return Effect.gen(function* () {
    const store = yield* Store
    const rows = [Decision.append(Order, order), Decision.append(OrderRequest, request), Decision.append(Job, job)]
    yield* ScriptedServices.seed(rows, recording)
    const use = yield* ReceiveNotices.make
    yield* use("acquirer", facts)
    const notices = yield* store.find(BankNotice, "reference", { equals: [reference], limit: 10 })
    return {
      notices: notices.length,
      isDue: (yield* store.load(Job, [job.jobId]))?.dueAtMs === nowMs,
      evidence: (yield* store.find(Evidence, "order", { equals: ["1"], limit: 10 })).length,
      tasks: (yield* store.find(BankTask, "order", { equals: ["1"], limit: 10 })).length,
      outcome: (yield* NoticedOutcome.of(store, reference))?._tag,
      wakes: recording.wakes
    }
  }).pipe(Effect.provide(ScriptedServices.layer(setup, recording)))
}

const nothing = { notices: 0, isDue: false, evidence: 0, tasks: 0, outcome: undefined, wakes: 0 }
const stored = { ...nothing, notices: 1, isDue: true, outcome: "Approved", wakes: 1 }
const asTask = { ...nothing, evidence: 1, tasks: 1, wakes: 1 }
const failedLate = { ...nothing, notices: 1, outcome: "Declined" }
const endedAs = (progress: "approved" | "declined"): Setup => ({
  order: progress === "approved" ? sale() : sale({ state: "declined", authorizedMinor: 0, capturedMinor: 0 }),
  request: { ...creation, progress, finishedAtMs: 1 }
})
const terminal = { order: { ...unknown, terminal: Terminal.column.write({ mid: "TEA" }) } }

const running: Setup = { job: { ...later, token: "theirs", leaseUntilMs: nowMs + 60_000 } }

type Row = readonly [what: string, facts: ReadonlyArray<Fact>, setup: Setup, expected: typeof nothing | typeof stored]

const rows: ReadonlyArray<Row> = [
  ["an outcome of an open request is stored, and its job is due", [fact()], {}, stored],
  ["a decline is stored in the same way", [fact({ answer: declined })], {}, { ...stored, outcome: "Declined" }],
  ["the same notification twice is one row", [fact(), fact()], {}, stored],
  ["two that agree are two rows", [fact(), fact({ eventId: "e2" })], {}, { ...stored, notices: 2, wakes: 2 }],
  [
    "two that contradict each other decide nothing",
    [fact(), fact({ eventId: "e2", answer: declined })],
    {},
    { ...stored, notices: 2, outcome: undefined, wakes: 2 }
  ],
  [
    "the job of a running request is left alone",
    [fact()],
    { job: { ...later, token: "theirs", leaseUntilMs: nowMs + 60_000 } },
    { ...stored, isDue: false, wakes: 0 }
  ],
  [
    "the same notification twice for a running request is one row",
    [fact(), fact()],
    running,
    { ...stored, isDue: false, wakes: 0 }
  ],
  ["an outcome that agrees with the ended request changes nothing", [fact()], endedAs("approved"), nothing],
  ["an approval of a declined request becomes a task", [fact()], endedAs("declined"), asTask],
  ["a decline of an approved request becomes a task", [fact({ answer: declined })], endedAs("approved"), asTask],
  ["a failure of an approved request is booked back", [failed], endedAs("approved"), failedLate],
  ["the same failure twice is booked back once", [failed, failed], endedAs("approved"), failedLate],
  [
    "an approval after its failure becomes a task",
    [failed, fact()],
    endedAs("approved"),
    { ...asTask, notices: 1, outcome: "Declined" }
  ],
  [
    "a failure of a declined request changes nothing",
    [failed],
    endedAs("declined"),
    { ...failedLate, outcome: "Declined" }
  ],
  [
    "a failure of a sale that is returned at this moment becomes a task",
    [failed],
    { ...endedAs("approved"), meanwhile: [[Decision.put(Order, sale({ version: 4, refundingMinor: 1 }))]] },
    asTask
  ],
  ["a failure of another amount becomes a task", [{ ...failed, amountMinor: 1 }], endedAs("approved"), asTask],
  ["a failure of an open request is its decline", [failed], {}, { ...stored, outcome: "Declined" }],
  [
    "a failure and an approval at once decide nothing",
    [fact(), failed],
    {},
    { ...stored, notices: 2, outcome: undefined, wakes: 2 }
  ],
  ["an outcome in another currency becomes a task", [fact({ currency: "EUR" })], {}, asTask],
  [
    "an outcome in another currency becomes one task",
    [fact({ currency: "EUR" }), fact({ currency: "EUR" })],
    {},
    asTask
  ],
  [
    "an outcome of another amount becomes a task",
    [fact({ answer: { _tag: "Approved", approvalCode: "A1", processorTxId: "T1", amountMinor: 1 } })],
    {},
    asTask
  ],
  ["an outcome of another terminal becomes a task", [fact({ mid: "COFFEE" })], terminal, asTask],
  ["an outcome of another acquirer becomes a task", [fact()], { order: { ...unknown, acquirer: "tea-bank" } }, asTask],
  ["an outcome of the order's terminal is stored", [fact({ mid: "TEA" })], terminal, stored],
  ["an outcome of a reference that was never sent changes nothing", [fact({ reference: "1-sale-9" })], {}, nothing],
  ["a reference of another system changes nothing", [fact({ reference: "invoice 7" })], {}, nothing],
  ["a dispute becomes evidence and a task", [dispute], endedAs("approved"), { ...asTask, wakes: 0 }]
]

describe("a bank's notification", () => {
  it.effect.each(rows)("%s", ([, facts, setup, expected]) =>
    Effect.map(receive(facts, setup), (result) => assert.deepStrictEqual(result, expected))
  )
})

it.effect(
  "a failure that arrived after the approval decides, and one that arrived before it leaves it to a person",
  () => {
    const recording = ScriptedServices.newRecording()
    const notice = (noticeId: string, fact: BankNotice["fact"], answer: object, atMs: number) =>
      Decision.append(BankNotice, { noticeId, reference, orderId: "1", fact, answer: JSON.stringify(answer), atMs })
    return Effect.gen(function* () {
      const store = yield* Store
      yield* ScriptedServices.seed([notice("a", "Outcome", approved, 5), notice("b", "Failed", declined, 6)], recording)
      assert.strictEqual((yield* NoticedOutcome.of(store, reference))?._tag, "Declined")
      yield* ScriptedServices.seed([notice("c", "Outcome", approved, 7)], recording)
      assert.isUndefined(yield* NoticedOutcome.of(store, reference))
    }).pipe(Effect.provide(ScriptedServices.layer({}, recording)))
  }
)

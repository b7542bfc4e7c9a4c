/** Late answers of the bank to a reversal. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Acquirer, type FollowUp } from "../../src/orders/bank/Acquirer.ts"
import * as Unexpected from "../../src/orders/decide/Unexpected.ts"
import * as ReverseAnswer from "../../src/orders/outcomes/ReverseAnswer.ts"
import { BankTask } from "../../src/orders/record/BankTask.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { job, preauth, request } from "../domain/Sample.ts"
import { approved, declined } from "./Bank.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const order = preauth({ capturedMinor: 0, capturingMinor: 0, inFlightCount: 0 })
const taskOf = (reference: string): BankTask => {
  const statement = { source: "bank", reference, verdict: "approved", amountMinor: 10_000 } as const
  return { ...Unexpected.taskOf(order, statement, true, ScriptedServices.nowMs), reversingAtMs: ScriptedServices.nowMs }
}
const task = taskOf("1-capture-2")
const deadlineMs = 10_000
const never = () => Effect.die("only refunds and inquiries are expected")

interface Setup extends ScriptedServices.Script {
  /** The bank's late answer. */
  readonly answer?: typeof approved | typeof declined
  readonly task?: BankTask
  readonly isCreationGone?: boolean
  /** The time for which the process has run. */
  readonly startedAgoMs?: number
  /** The bank's answer to an inquiry. */
  readonly inquired?: typeof declined | { readonly _tag: "NotFound" }
}

const reversed = Effect.fnUntraced(function* (meanwhile: (now: BankTask) => BankTask, setup: Setup = {}) {
  const {
    answer = approved,
    inquired = declined,
    startedAgoMs = 0,
    isCreationGone = false,
    task: subject = task,
    ...script
  } = setup
  const work = job({ jobId: `reversal:${subject.taskId}`, kind: "reversal", subject: subject.taskId })
  const recording = ScriptedServices.newRecording()
  const originals: Array<string> = []
  const followUp = (_: string, { original }: FollowUp) => {
    originals.push(original.reference)
    return Effect.delay(Effect.succeed(answer), deadlineMs + 5_000)
  }
  const bank = Layer.succeed(
    Acquirer,
    Acquirer.checked({
      capabilities: { longestProcessingMs: 60_000, deadlineMs, transfers: false, eligibility: false },
      ...{ authorize: never, eligible: never, followUp },
      inquire: () => Effect.succeed(inquired)
    })
  )
  return yield* Effect.gen(function* () {
    const store = yield* Store
    const rows = [
      Decision.put(Order, order),
      ...(isCreationGone
        ? []
        : [Decision.put(OrderRequest, request({ requestId: order.requestId, action: "authorize", sequence: 0 }))]),
      Decision.put(BankTask, subject),
      Decision.put(Job, work)
    ]
    yield* ScriptedServices.seed(rows, recording)
    const handle = yield* ScriptedServices.startedBefore(ReverseAnswer.make, startedAgoMs)
    const first = yield* Effect.forkChild(handle(work), { startImmediately: true })
    yield* TestClock.adjust(deadlineMs)
    yield* ScriptedServices.seed([Decision.put(Job, work)], recording)
    yield* handle(work)
    const refused = yield* store.load(BankTask, [subject.taskId])
    assert(refused !== undefined)
    yield* ScriptedServices.seed([Decision.put(BankTask, meanwhile(refused))], recording)
    yield* TestClock.adjust("1 minute")
    assert.isTrue(Exit.isSuccess(yield* Fiber.await(first)))
    const after = yield* store.load(BankTask, [subject.taskId])
    const twice = yield* store.load(BankTask, [`${refused.reversalReference}.approved`])
    return { originals, before: refused, after, twice, alarms: recording.wakes }
  }).pipe(Effect.provide(Layer.provideMerge(bank, ScriptedServices.layer(script, recording))))
})

const another = { reversalReference: "1-refund-9" } as const

describe("a reversal that the bank declined and reports as made later", () => {
  it.effect.each([
    ["closes its task", (now: BankTask) => now],
    ["closes its task, although the bank declined another one since", (now: BankTask) => ({ ...now, ...another })],
    [
      "closes its task before another one is sent",
      (now: BankTask) => ({ ...now, state: "reversing" as const, reversalReference: null })
    ]
  ] as const)("%s", ([, meanwhile]) =>
    Effect.gen(function* () {
      const { after, alarms, before, originals, twice } = yield* reversed(meanwhile)
      assert.strictEqual(before.state, "open")
      assert.deepStrictEqual([after?.state, after?.reversalReference], ["reversed", before.reversalReference])
      assert.deepStrictEqual([twice, alarms], [undefined, 0])
      // A capture is of the authorization, which a refund names.
      assert.deepStrictEqual(originals, ["1-authorize-0"])
    })
  )

  it.effect.each([
    ["another reversal is under way", (now: BankTask) => ({ ...now, ...another, state: "reversing" as const })],
    ["another reversal was made", (now: BankTask) => ({ ...now, ...another, state: "reversed" as const })],
    ["an operator closed the task", (now: BankTask) => ({ ...now, state: "closed" as const })]
  ] as const)("opens another task if %s", ([, meanwhile]) =>
    Effect.gen(function* () {
      const { after, alarms, before, twice } = yield* reversed(meanwhile)
      assert.deepStrictEqual(after, meanwhile(before))
      assert.deepStrictEqual(
        [twice?.state, twice?.reference, twice?.answer, twice?.amountMinor],
        ["open", before.reversalReference, "approved", task.amountMinor]
      )
      assert.strictEqual(alarms, 1)
    })
  )
})

it.effect.each([
  ["its authorization, for a capture", task, false, "1-authorize-0"],
  ["the capture, if its authorization is unknown", task, true, "1-capture-2"],
  ["the sale, for a sale", { ...taskOf("1-sale-0") }, false, "1-sale-0"]
] as const)("a reversal refers to %s", ([, subject, isCreationGone, original]) =>
  Effect.gen(function* () {
    const { originals } = yield* reversed((now) => now, { task: subject, isCreationGone })
    assert.deepStrictEqual(originals, [original])
  })
)

it.effect("a reversal that the bank declines again late changes nothing", () =>
  Effect.gen(function* () {
    const { after, alarms, before, twice } = yield* reversed((now) => now, { answer: declined })
    assert.deepStrictEqual([after, twice, alarms], [before, undefined, 0])
  })
)

it.effect(
  "a reversal that an earlier process may have sent is not sent again while the bank may still process it",
  () =>
    Effect.gen(function* () {
      const sentBefore = {
        ...task,
        reversalReference: "1-refund-1" as const,
        reversingAtMs: ScriptedServices.nowMs - 3_600_000
      }
      const { originals } = yield* reversed((now) => now, { task: sentBefore, inquired: { _tag: "NotFound" } })
      assert.deepStrictEqual(originals, [])
    })
)

it.effect("a reversal that waited long is sent once within the bank's processing time", () =>
  Effect.gen(function* () {
    const waiting = { ...task, reversingAtMs: ScriptedServices.nowMs - 3_600_000 }
    const script = { task: waiting, inquired: { _tag: "NotFound" }, startedAgoMs: 3_600_000 } as const
    assert.lengthOf((yield* reversed((now) => now, script)).originals, 1)
  })
)

it.effect("a reversal is not sent by a process that may have lost its lease", () =>
  Effect.gen(function* () {
    const { originals } = yield* reversed((now) => now, { isLeaseLost: true })
    assert.deepStrictEqual(originals, [])
  })
)

/** Money that the bank moved for an order that had ended: what an operator does about it, and how it is given back. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Acquirer, type BankAnswer, type FollowUp, type InquiryAnswer } from "../../src/orders/bank/Acquirer.ts"
import * as Unexpected from "../../src/orders/decide/Unexpected.ts"
import * as ReverseAnswer from "../../src/orders/outcomes/ReverseAnswer.ts"
import { BankTask } from "../../src/orders/record/BankTask.ts"
import { Order } from "../../src/orders/record/Order.ts"
import * as ManageTasks from "../../src/reconciliation/ManageTasks.ts"
import { job, sale } from "../domain/Sample.ts"
import { guardsOf, keysOf, rowsOf } from "../domain/Written.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const order = sale({ state: "declined", sequence: 2 })
const output = { source: "bank", reference: "1-sale-0", verdict: "approved", amountMinor: 10_000 } as const
const open = Unexpected.taskOf(order, output, false, 1)
const reversing: BankTask = { ...open, state: "reversing", reversingAtMs: ScriptedServices.nowMs }
const { taskId } = open
const name = `bankTasks ${taskId}`

describe("an operator's decision about a task", () => {
  const moved: BankTask = { ...open, version: 9 }
  const change = (action: "reverse" | "close", task: BankTask, setup: ScriptedServices.Script, of = taskId) => {
    const recording = ScriptedServices.newRecording()
    return Effect.gen(function* () {
      yield* ScriptedServices.seed([Decision.append(BankTask, task)], recording)
      const tasks = yield* ManageTasks.make
      const exit = yield* Effect.exit(tasks[action]("operator:alice", of, "seen"))
      const failed = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      const [decision = { guards: [], writes: [] }] = recording.decisions
      return { recording, decision, refused: failed instanceof ManageTasks.TaskRefused ? failed.message : undefined }
    }).pipe(Effect.provide(ScriptedServices.layer(setup, recording)))
  }

  it.effect.each([
    ["to reverse starts the reversal", "reverse", "reversing", [name, `jobs reversal:${taskId}`]],
    ["to close closes the task", "close", "closed", [name]]
  ] as const)("%s, and commits only to the task that was read", ([, action, state, rows]) =>
    Effect.gen(function* () {
      const { decision, recording } = yield* change(action, open, {})
      assert.deepStrictEqual(guardsOf(decision), [`${name} v1`])
      assert.deepStrictEqual(
        keysOf(decision).filter((row) => !row.startsWith("audit")),
        [...rows]
      )
      assert.deepInclude(rowsOf(decision, "bankTasks")[0], { state, version: 2, note: "seen" })
      assert.lengthOf(rowsOf(decision, "audit"), 1)
      assert.strictEqual(recording.wakes, 1)
    })
  )

  it.effect.each([
    ["if the task does not exist", "close", open, {}, "404", "there is no such task"],
    ["if the task is closed", "close", { ...open, state: "closed" }, {}, taskId, "the task is closed"],
    [
      "if the bank cannot reverse it",
      "reverse",
      { ...open, answer: "declined" },
      {},
      taskId,
      "the bank cannot be asked to give this back: deal with it by other ways, then close the task"
    ],
    [
      "if the task changed at the same time",
      "close",
      open,
      { meanwhile: [[Decision.put(BankTask, moved)]] },
      taskId,
      "it has changed meanwhile: look at it, then ask again"
    ]
  ] as const)("is refused %s", ([, action, task, setup, of, expected]) =>
    Effect.gen(function* () {
      const { recording, refused } = yield* change(action, task, setup, of)
      assert.strictEqual(refused, expected)
      assert.strictEqual(recording.wakes, 0)
    })
  )
})

const approved: BankAnswer = { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" }
const declined: BankAnswer = { _tag: "Declined", code: 116, message: "no" }
const longestProcessingMs = 1_000
const work = job({ jobId: `reversal:${taskId}`, kind: "reversal", subject: taskId, tries: 1 })

interface Setup extends ScriptedServices.Script {
  readonly task?: BankTask
  readonly order?: Order
  readonly answer?: BankAnswer
  readonly existing?: InquiryAnswer
}

const reverse = (setup: Setup) => {
  const recording = ScriptedServices.newRecording()
  const requests: Array<string> = []
  const never = () => Effect.die("only reversals and inquiries are expected")
  const followUp = (kind: string, { amountMinor, original, reference }: FollowUp) =>
    Effect.sync(() => {
      requests.push(`${kind} ${reference} of ${original.reference} ${amountMinor}`)
      return setup.answer ?? approved
    })
  const bank = Layer.succeed(
    Acquirer,
    Acquirer.checked({
      capabilities: { longestProcessingMs, deadlineMs: 10_000, transfers: false, eligibility: false },
      authorize: never,
      eligible: never,
      followUp,
      inquire: ({ reference }) =>
        Effect.sync(() => {
          requests.push(`inquire ${reference}`)
          return setup.existing ?? { _tag: "NotFound" as const }
        })
    })
  )
  return Effect.gen(function* () {
    const tasks = setup.task === undefined ? [] : [Decision.append(BankTask, setup.task)]
    yield* ScriptedServices.seed(
      [Decision.append(Order, setup.order ?? order), Decision.append(Job, work), ...tasks],
      recording
    )
    const handle = yield* ScriptedServices.startedBefore(ReverseAnswer.make, longestProcessingMs)
    const exit = yield* Effect.exit(handle(work))
    const store = yield* Store
    return {
      requests,
      exit,
      guards: recording.decisions.map(guardsOf),
      task: yield* store.load(BankTask, [taskId]),
      job: yield* store.load(Job, [work.jobId]),
      evidence: recording.decisions.flatMap((decision) =>
        rowsOf(decision, "evidence").map(({ reference }) => reference)
      )
    }
  }).pipe(Effect.provide(Layer.provideMerge(bank, ScriptedServices.layer(setup, recording))))
}

describe("the reversal of money that the bank moved for an order that had ended", () => {
  const lease = `lease ${work.jobId} mine`
  const numbered: BankTask = {
    ...reversing,
    reversalReference: "1-refund-3",
    reversingAtMs: ScriptedServices.nowMs - longestProcessingMs
  }
  const refund = "refund 1-refund-3 of 1-sale-0 10000"
  const first = ["orders 1 v3", `${name} v1`]
  const cannotSay = { _tag: "CannotSay" } as const
  const hold = { ...reversing, reference: "1-authorize-0" }
  const cases: ReadonlyArray<
    readonly [
      what: string,
      setup: Setup,
      requests: ReadonlyArray<string>,
      state: BankTask["state"] | undefined,
      guards: ReadonlyArray<ReadonlyArray<string>>,
      isOver: boolean
    ]
  > = [
    [
      "is sent under a reference that is stored first",
      { task: reversing },
      [refund],
      "reversed",
      [first, [lease, `${name} v2`]],
      true
    ],
    [
      "is a release for a hold",
      { task: hold },
      ["void 1-void-3 of 1-authorize-0 10000"],
      "reversed",
      [first, [lease, `${name} v2`]],
      true
    ],
    [
      "causes an inquiry first after an earlier attempt",
      { task: numbered, existing: approved },
      ["inquire 1-refund-3"],
      "reversed",
      [[lease, `${name} v1`]],
      true
    ],
    [
      "is sent again if the bank does not know it",
      { task: numbered },
      ["inquire 1-refund-3", refund],
      "reversed",
      [[lease, `${name} v1`]],
      true
    ],
    [
      "is not sent again within the bank's processing time",
      { task: { ...numbered, reversingAtMs: ScriptedServices.nowMs - longestProcessingMs + 1 } },
      ["inquire 1-refund-3"],
      "reversing",
      [[lease]],
      false
    ],
    [
      "is not sent again if the time of its first attempt is unknown",
      { task: { ...numbered, reversingAtMs: null } },
      ["inquire 1-refund-3"],
      "reversing",
      [[lease]],
      false
    ],
    [
      "waits if the bank cannot give the outcome",
      { task: numbered, existing: cannotSay },
      ["inquire 1-refund-3"],
      "reversing",
      [[lease]],
      false
    ],
    [
      "is left to an operator if the bank declines it",
      { task: reversing, answer: declined },
      [refund],
      "open",
      [first, [lease, `${name} v2`]],
      true
    ],
    ["is not sent if its task is closed", { task: { ...reversing, state: "closed" } }, [], "closed", [[lease]], true],
    [
      "is not sent if the bank cannot reverse the answer",
      { task: { ...reversing, answer: "declined" } },
      [],
      "reversing",
      [[lease]],
      true
    ],
    ["is not sent if its task does not exist", {}, [], undefined, [[lease]], true],
    [
      "is not sent if its order does not exist",
      { task: reversing, order: { ...order, orderId: "404" } },
      [],
      "reversing",
      [[lease]],
      true
    ]
  ]
  it.effect("is inquired about after an answer that cannot be read, which is kept as evidence", () =>
    Effect.gen(function* () {
      const done = yield* reverse({ task: reversing, answer: { ...approved, processorTxId: "" } })
      assert.strictEqual(done.task?.state, "reversing")
      assert.deepStrictEqual(done.evidence, [done.task?.reversalReference ?? ""])
    })
  )

  it.effect.each(cases)("%s", ([, setup, requests, state, guards, isOver]) =>
    Effect.gen(function* () {
      const done = yield* reverse(setup)
      assert.isTrue(Exit.isSuccess(done.exit))
      assert.deepStrictEqual(
        [done.requests, done.task?.state, done.guards],
        [[...requests], state, guards.map((all) => [...all])]
      )
      assert.strictEqual(done.job === undefined, isOver)
      const answered = requests.length > 0 && isOver
      assert.deepStrictEqual(done.evidence, answered ? [done.task?.reversalReference ?? ""] : [])
      assert.strictEqual(done.task?.closedAtMs ?? null, state === "reversed" ? ScriptedServices.nowMs : null)
      if (!isOver) assert.deepInclude(done.job, { token: null, tries: 2, dueAtMs: ScriptedServices.nowMs + 30_000 })
    })
  )
})

/** Money that the bank took for an order that had ended: what an operator does about it, and how it is given back. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Acquirer, type BankAnswer, type FollowUp, type InquiryAnswer } from "../../src/orders/Acquirer.ts"
import { Order } from "../../src/orders/Order.ts"
import { BankTask } from "../../src/orders/outcomes/BankTask.ts"
import * as ReverseAnswer from "../../src/orders/outcomes/ReverseAnswer.ts"
import * as Unexpected from "../../src/orders/outcomes/Unexpected.ts"
import * as ManageTasks from "../../src/reconciliation/ManageTasks.ts"
import { item, sale } from "../domain/Sample.ts"
import { guardsOf, keysOf, rowsOf } from "../domain/Written.ts"
import * as World from "./World.ts"

const order = sale({ state: "declined", sequence: 2 })
const output = { source: "bank", reference: "1-sale-0", verdict: "approved", amountMinor: 10_000 } as const
const open = Unexpected.taskOf(order, output, false, 1)
const begun: BankTask = { ...open, state: "reversing", reversingAtMs: World.nowMs }
const { taskId } = open
const name = `banktasks ${taskId}`

describe("an operator", () => {
  const moved: BankTask = { ...open, version: 9 }
  const change = (action: "reverse" | "close", task: BankTask, given: World.Script, of = taskId) => {
    const did = World.nothing()
    return Effect.gen(function* () {
      yield* World.given([Decision.append(BankTask, task)], did)
      const tasks = yield* ManageTasks.make
      const exit = yield* Effect.exit(tasks[action]("operator:alice", of, "seen"))
      const failed = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      const [decision = { guards: [], writes: [] }] = did.decisions
      return { did, decision, refused: failed instanceof ManageTasks.TaskRefused ? failed.message : undefined }
    }).pipe(Effect.provide(World.layer(given, did)))
  }

  it.effect.each([
    ["has the money given back", "reverse", "reversing", [name, `agenda reversal:${taskId}`]],
    ["closes what was dealt with", "close", "closed", [name]]
  ] as const)("%s, as long as the task is the one that was read", ([, action, state, rows]) =>
    Effect.gen(function* () {
      const { decision, did } = yield* change(action, open, {})
      assert.deepStrictEqual(guardsOf(decision), [`${name} v1`])
      assert.deepStrictEqual(
        keysOf(decision).filter((row) => !row.startsWith("audit")),
        [...rows]
      )
      assert.deepInclude(rowsOf(decision, "banktasks")[0], { state, version: 2, note: "seen" })
      assert.lengthOf(rowsOf(decision, "audit"), 1)
      assert.strictEqual(did.wakes, 1)
    })
  )

  it.effect.each([
    ["of a task that is not there", "close", open, {}, "404", "there is no such task"],
    ["of a task that is closed", "close", { ...open, state: "closed" }, {}, taskId, "the task is closed"],
    [
      "of what the bank cannot give back",
      "reverse",
      { ...open, answer: "declined" },
      {},
      taskId,
      "the bank cannot be asked to give this back: deal with it by other ways, then close the task"
    ],
    [
      "of a task that changed meanwhile",
      "close",
      open,
      { meanwhile: [[Decision.put(BankTask, moved)]] },
      taskId,
      "it has changed meanwhile: look at it, then ask again"
    ]
  ] as const)("is refused %s", ([, action, task, given, of, expected]) =>
    Effect.gen(function* () {
      const { did, refused } = yield* change(action, task, given, of)
      assert.strictEqual(refused, expected)
      assert.strictEqual(did.wakes, 0)
    })
  )
})

const approved: BankAnswer = { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" }
const declined: BankAnswer = { _tag: "Declined", code: 116, message: "no" }
const longestProcessingMs = 1_000
const work = item({ itemId: `reversal:${taskId}`, kind: "reversal", subject: taskId, tries: 1 })

interface Given extends World.Script {
  readonly task?: BankTask
  readonly order?: Order
  readonly answer?: BankAnswer
  readonly existing?: InquiryAnswer
}

const reverse = (given: Given) => {
  const did = World.nothing()
  const requests: Array<string> = []
  const never = () => Effect.die("nothing is asked for")
  const give = (kind: string) => (followUp: FollowUp) =>
    Effect.sync(() => {
      requests.push(`${kind} ${followUp.reference} of ${followUp.original} ${followUp.amountMinor}`)
      return given.answer ?? approved
    })
  const bank = Layer.succeed(Acquirer, {
    capabilities: { longestProcessingMs, deadlineMs: 10_000, transfers: false, eligibility: false },
    authorize: never,
    eligible: never,
    capture: never,
    cancel: give("cancel"),
    refund: give("refund"),
    inquire: (reference) =>
      Effect.sync(() => {
        requests.push(`inquire ${reference}`)
        return given.existing ?? { _tag: "NotFound" as const }
      })
  })
  return Effect.gen(function* () {
    const tasks = given.task === undefined ? [] : [Decision.append(BankTask, given.task)]
    yield* World.given([Decision.append(Order, given.order ?? order), Decision.append(Job, work), ...tasks], did)
    const handle = yield* World.longAgo(ReverseAnswer.make, longestProcessingMs)
    const exit = yield* Effect.exit(handle(work))
    const store = yield* Store
    return {
      requests,
      exit,
      guards: did.decisions.map(guardsOf),
      task: yield* store.load(BankTask, [taskId]),
      item: yield* store.load(Job, [work.itemId]),
      evidence: did.decisions.flatMap((decision) => rowsOf(decision, "evidence").map(({ reference }) => reference))
    }
  }).pipe(Effect.provide(Layer.provideMerge(bank, World.layer(given, did))))
}

describe("what the bank took for nothing is given back", () => {
  const lease = `lease ${work.itemId} mine`
  const numbered: BankTask = {
    ...begun,
    reversalReference: "1-refund-3",
    reversingAtMs: World.nowMs - longestProcessingMs
  }
  const refund = "refund 1-refund-3 of 1-sale-0 10000"
  const first = ["orders 1 v3", `${name} v1`]
  const cannotSay = { _tag: "CannotSay" } as const
  const hold = { ...begun, reference: "1-authorize-0" }
  const cases: ReadonlyArray<
    readonly [
      what: string,
      given: Given,
      requests: ReadonlyArray<string>,
      state: BankTask["state"] | undefined,
      guards: ReadonlyArray<ReadonlyArray<string>>,
      isOver: boolean
    ]
  > = [
    [
      "under a number of its own, written down before",
      { task: begun },
      [refund],
      "reversed",
      [first, [lease, `${name} v2`]],
      true
    ],
    [
      "a hold by its release",
      { task: hold },
      ["cancel 1-cancel-3 of 1-authorize-0 10000"],
      "reversed",
      [first, [lease, `${name} v2`]],
      true
    ],
    [
      "never twice: what was begun is asked about",
      { task: numbered, existing: approved },
      ["inquire 1-refund-3"],
      "reversed",
      [[lease, `${name} v1`]],
      true
    ],
    [
      "again where it never arrived",
      { task: numbered },
      ["inquire 1-refund-3", refund],
      "reversed",
      [[lease, `${name} v1`]],
      true
    ],
    [
      "not yet again where it may still arrive",
      { task: { ...numbered, reversingAtMs: World.nowMs - longestProcessingMs + 1 } },
      ["inquire 1-refund-3"],
      "reversing",
      [[lease]],
      false
    ],
    [
      "not yet again where nobody knows since when",
      { task: { ...numbered, reversingAtMs: null } },
      ["inquire 1-refund-3"],
      "reversing",
      [[lease]],
      false
    ],
    [
      "later, where the bank cannot say",
      { task: numbered, existing: cannotSay },
      ["inquire 1-refund-3"],
      "reversing",
      [[lease]],
      false
    ],
    [
      "by an operator, where the bank refuses",
      { task: begun, answer: declined },
      [refund],
      "open",
      [first, [lease, `${name} v2`]],
      true
    ],
    ["not where it was dealt with", { task: { ...begun, state: "closed" } }, [], "closed", [[lease]], true],
    ["not where it cannot be", { task: { ...begun, answer: "declined" } }, [], "reversing", [[lease]], true],
    ["not where there is no such task", {}, [], undefined, [[lease]], true],
    [
      "not where there is no such order",
      { task: begun, order: { ...order, orderId: "404" } },
      [],
      "reversing",
      [[lease]],
      true
    ]
  ]
  it.effect.each(cases)("%s", ([, given, requests, state, guards, isOver]) =>
    Effect.gen(function* () {
      const done = yield* reverse(given)
      assert.isTrue(Exit.isSuccess(done.exit))
      assert.deepStrictEqual(
        [done.requests, done.task?.state, done.guards],
        [[...requests], state, guards.map((all) => [...all])]
      )
      assert.strictEqual(done.item === undefined, isOver)
      const answered = requests.length > 0 && isOver
      assert.deepStrictEqual(done.evidence, answered ? [done.task?.reversalReference ?? ""] : [])
      assert.strictEqual(done.task?.closedAtMs ?? null, state === "reversed" ? World.nowMs : null)
      if (!isOver) assert.deepInclude(done.item, { token: null, tries: 2, dueAtMs: World.nowMs + 30_000 })
    })
  )
})

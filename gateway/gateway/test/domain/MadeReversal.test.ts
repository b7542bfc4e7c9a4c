/** How a reversal that the bank reports late changes the tasks of its order. */
import { assert, describe, it } from "@effect/vitest"
import * as Unexpected from "../../src/orders/decide/Unexpected.ts"
import * as MadeReversal from "../../src/orders/outcomes/MadeReversal.ts"
import type { BankTask } from "../../src/orders/record/BankTask.ts"
import { sale } from "./Sample.ts"
import { guardsOf, rowsOf } from "./Written.ts"

const order = sale()
const reference = "1-refund-1"
const statement = { source: "bank", verdict: "approved", amountMinor: 40 } as const
const task = (changes: Partial<BankTask> = {}): BankTask => ({
  ...Unexpected.taskOf(order, { ...statement, reference: "1-sale-0" }, false, 1),
  ...changes
})
const sent = { reversalReference: reference } as const
const another = { reversalReference: "1-refund-2" } as const
const otherTask = task({ taskId: "1-capture-3.approved" })
const opened = Unexpected.taskOf(order, { ...statement, reference }, false, 7)

const decide = (tasks: ReadonlyArray<BankTask>, taskId?: string) => {
  const made = { order, reference, amountMinor: 40, ...(taskId === undefined ? {} : { taskId }) } as const
  const { change, task: fresh } = MadeReversal.decide(made, tasks, 7)
  return { fresh, guards: guardsOf(change), rows: rowsOf(change, "bankTasks") }
}

describe("a reversal that the bank reports late", () => {
  const own = task().taskId
  const settled = { state: "reversed", reversalReference: reference, closedAtMs: 7, closedBy: "gateway" }
  it.each([
    ["closes the task that names it", [otherTask, task(sent)], undefined],
    ["closes the task for which it was sent, although the task names a later one", [otherTask, task(another)], own],
    ["closes the task for which it was sent, before the next one is sent", [task({ state: "reversing" })], own]
  ] as const)("%s", (_, tasks, taskId) => {
    const { fresh, guards, rows } = decide(tasks, taskId)
    assert.isUndefined(fresh)
    assert.deepStrictEqual(guards, [`bankTasks ${own} v1`])
    assert.lengthOf(rows, 1)
    assert.deepInclude(rows[0], { taskId: own, version: 2, ...settled })
  })

  it("closes its task and the one that waits for people to state it", () => {
    const waiting = Unexpected.taskOf(order, { ...statement, reference, verdict: "unknown" }, false, 1)
    const { fresh, guards, rows } = decide([task({ ...sent, state: "reversing" }), waiting], own)
    assert.isUndefined(fresh)
    assert.deepStrictEqual(guards, [`bankTasks ${own} v1`, `bankTasks ${waiting.taskId} v1`])
    assert.deepInclude(rows[0], { taskId: own, ...settled })
    assert.deepInclude(rows[1], { taskId: waiting.taskId, state: "closed", closedBy: "gateway" })
  })

  it.each([
    ["changes no task that is still being reversed", task({ ...sent, state: "reversing" })],
    ["changes no task that records it already", task({ ...sent, state: "reversed" })]
  ] as const)("%s", (_, existing) => {
    const { fresh, guards, rows } = decide([existing], own)
    assert.deepStrictEqual([fresh, guards, rows], [undefined, [`bankTasks ${own} v1`], []])
  })

  it.each([
    ["another reversal is under way", [task({ ...another, state: "reversing" })], own],
    ["another reversal was made", [task({ ...another, state: "reversed" })], own],
    ["an operator has closed its task", [task({ ...sent, state: "closed" })], own],
    ["an operator has closed its task before a reversal was sent", [task({ state: "closed" })], own],
    ["no task is known for it", [task(another), otherTask], undefined],
    ["its task does not exist any more", [otherTask], own]
  ] as const)("has a task of its own if %s", (_, tasks, taskId) => {
    const { fresh, guards, rows } = decide(tasks, taskId)
    assert.deepStrictEqual(fresh, opened)
    assert.deepStrictEqual(rows, [{ ...opened }])
    assert.deepStrictEqual(guards, [`no bankTasks key ${opened.taskId}`])
  })

  it("has only one task of its own", () => {
    const { fresh, guards, rows } = decide([task({ ...another, state: "reversed" }), opened], own)
    assert.deepStrictEqual([fresh, guards, rows], [undefined, [], []])
  })
})

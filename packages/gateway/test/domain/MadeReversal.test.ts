/** What a reversal that the bank made after all does to the tasks of its order. */
import { assert, describe, it } from "@effect/vitest"
import type { BankTask } from "../../src/orders/outcomes/BankTask.ts"
import * as MadeReversal from "../../src/orders/outcomes/MadeReversal.ts"
import * as Unexpected from "../../src/orders/outcomes/Unexpected.ts"
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
const stranger = task({ taskId: "1-capture-3.approved" })
const opened = Unexpected.taskOf(order, { ...statement, reference }, false, 7)

const decide = (tasks: ReadonlyArray<BankTask>, taskId?: string) => {
  const made = { order, reference, amountMinor: 40, ...(taskId === undefined ? {} : { taskId }) } as const
  const { change, task: fresh } = MadeReversal.decide(made, tasks, 7)
  return { fresh, guards: guardsOf(change), rows: rowsOf(change, "banktasks") }
}

describe("a reversal that was made after all", () => {
  const own = task().taskId
  const settled = { state: "reversed", reversalReference: reference, closedAtMs: 7, closedBy: "gateway" }
  it.each([
    ["settles the task that names it", [stranger, task(sent)], undefined],
    ["settles the task for which it was sent, after another one", [stranger, task(another)], own],
    ["settles the task whose next one is not sent", [task({ state: "reversing" })], own]
  ] as const)("%s", (_, tasks, taskId) => {
    const { fresh, guards, rows } = decide(tasks, taskId)
    assert.isUndefined(fresh)
    assert.deepStrictEqual(guards, [`banktasks ${own} v1`])
    assert.lengthOf(rows, 1)
    assert.deepInclude(rows[0], { taskId: own, version: 2, ...settled })
  })

  it.each([
    ["is learned by whoever asks for it", task({ ...sent, state: "reversing" })],
    ["is what its task says already", task({ ...sent, state: "reversed" })]
  ] as const)("%s", (_, existing) => {
    const { fresh, guards, rows } = decide([existing], own)
    assert.deepStrictEqual([fresh, guards, rows], [undefined, [`banktasks ${own} v1`], []])
  })

  it.each([
    ["another one is under way", [task({ ...another, state: "reversing" })], own],
    ["another one was made", [task({ ...another, state: "reversed" })], own],
    ["a person has closed its task", [task({ ...sent, state: "closed" })], own],
    ["a person has closed its task, for which nothing is sent", [task({ state: "closed" })], own],
    ["only the books tell of it", [task(another), stranger], undefined],
    ["its task is gone", [stranger], own]
  ] as const)("is a task of its own where %s", (_, tasks, taskId) => {
    const { fresh, guards, rows } = decide(tasks, taskId)
    assert.deepStrictEqual(fresh, opened)
    assert.deepStrictEqual(rows, [{ ...opened }])
    assert.deepStrictEqual(guards, [`no banktasks key ${opened.taskId}`])
  })

  it("is told once", () => {
    const { fresh, guards, rows } = decide([task({ ...another, state: "reversed" }), opened], own)
    assert.deepStrictEqual([fresh, guards, rows], [undefined, [], []])
  })
})

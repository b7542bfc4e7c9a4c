/** What a further answer that cannot be committed changes of the task about an earlier one. */
import { assert, describe, it } from "@effect/vitest"
import * as Uncommitted from "../../src/orders/outcomes/Uncommitted.ts"
import type { BankTask } from "../../src/orders/record/BankTask.ts"
import { sale } from "./Sample.ts"

const taskOf = (answer: Exclude<BankTask["answer"], "disputed">, reason = "one"): BankTask => {
  const uncommitted = { source: "bank", reference: "1-sale-0", amountMinor: 1042, reason } as const
  const answers = {
    approved: { _tag: "Approved", approvalCode: "", processorTxId: "T1" },
    declined: { _tag: "Declined", code: 5, message: "no" },
    unknown: { _tag: "CannotSay" }
  } as const
  return Uncommitted.taskOf(sale(), { ...uncommitted, answer: answers[answer] }, 1)
}

describe("a further answer that cannot be committed", () => {
  it.each([
    ["unknown", "approved"],
    ["unknown", "declined"],
    ["declined", "approved"],
    ["approved", "declined"]
  ] as const)("opens the task about %s again if it is %s", (earlier, later) => {
    const closed: BankTask = { ...taskOf(earlier), state: "closed", closedAtMs: 2, closedBy: "operator:alice" }
    assert.deepStrictEqual(Uncommitted.reopened(closed, taskOf(later, "two")), { ...taskOf(later, "two"), version: 2 })
  })

  it.each([
    ["approved", "approved"],
    ["approved", "unknown"],
    ["unknown", "unknown"]
  ] as const)("changes nothing of the task about %s if it is %s", (earlier, later) => {
    assert.isUndefined(Uncommitted.reopened(taskOf(earlier), taskOf(later, "two")))
  })
})

describe("the end of a request", () => {
  const answers = {
    approved: { _tag: "Approved", approvalCode: "", processorTxId: "T1" },
    declined: { _tag: "Declined", code: 5, message: "no" },
    reversed: { _tag: "Declined", code: 911, message: "no", reversed: true },
    "not found": { _tag: "NotFound" }
  } as const
  it.each([
    ["unknown", "approved", true],
    ["unknown", "declined", true],
    ["unknown", "not found", true],
    ["approved", "approved", true],
    ["approved", "declined", false],
    ["approved", "reversed", true],
    ["approved", "not found", false],
    ["declined", "approved", false]
  ] as const)("settles the task about %s if the answer is %s: %s", (earlier, end, settles) => {
    assert.strictEqual(Uncommitted.isSettledBy(taskOf(earlier), answers[end]), settles)
  })
})

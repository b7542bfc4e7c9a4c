/** The actions of operators on tasks about unexpected answers of bank and rail: list, request a reversal, close. */

import { Clock, Data, Effect, Result } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import * as Audit from "../kernel/Audit.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import { Job } from "../kernel/Job.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import * as Unexpected from "../orders/decide/Unexpected.ts"
import { BankTask, isOpen, isReversing, isUncommitted, type State } from "../orders/record/BankTask.ts"

/** Nothing was changed. The message contains the reason and what to do. */
export class TaskRefused extends Data.TaggedError("TaskRefused")<{
  readonly what: "missing" | "conflict"
  readonly message: string
}> {}

const conflict = (message: string) => new TaskRefused({ what: "conflict", message })

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const ids = yield* Ids

  const list = (state: State, range: Pick<KeysetPage.Range, "after" | "limit">) =>
    KeysetPage.newest(store, BankTask, "state", { equals: [state], ...range })

  const change = Effect.fnUntraced(function* (
    actor: Actor,
    taskId: string,
    action: "task.reverse" | "task.close",
    note: string,
    changeOf: (task: BankTask, nowMs: number) => Result.Result<Partial<BankTask>, TaskRefused>
  ) {
    const task = yield* store.load(BankTask, [taskId])
    if (task === undefined) return yield* new TaskRefused({ what: "missing", message: "there is no such task" })
    if (!isOpen(task)) return yield* conflict(`the task is ${task.state}`)
    const nowMs = yield* Clock.currentTimeMillis
    const changes = yield* Effect.fromResult(changeOf(task, nowMs))
    const patch = { ...changes, note }
    const changed = Change.next(task, patch)
    const audit = Audit.entry({
      auditId: ids.next(),
      atMs: nowMs,
      actor,
      action,
      subject: { kind: "order", id: task.orderId },
      detail: { task: taskId, reference: task.reference, answer: task.answer, note }
    })
    yield* Transact.commitOr(
      store,
      Change.all(
        Change.update(BankTask, task, patch),
        Change.writing(...(isReversing(changed) ? [Decision.put(Job, Unexpected.itemOf(changed, nowMs))] : []), audit)
      ),
      () => conflict("it has changed meanwhile: look at it, then ask again")
    )
    yield* scheduler.wake
    return changed
  })

  return {
    list,
    /** Requests the reversal from the bank. */
    reverse: (actor: Actor, taskId: string, note: string) =>
      change(actor, taskId, "task.reverse", note, (task, nowMs) =>
        Unexpected.reversalOf(task) === undefined
          ? Result.fail(
              conflict(
                isUncommitted(task)
                  ? `the order has no outcome yet: resolve it (pay orders resolve ${task.orderId})`
                  : "the bank cannot be asked to give this back: deal with it by other ways, then close the task"
              )
            )
          : Result.succeed({ state: "reversing", reversalReference: null, reversingAtMs: nowMs })
      ),
    /** Closes a task that the operator resolved by other means. */
    close: (actor: Actor, taskId: string, note: string) =>
      change(actor, taskId, "task.close", note, (_, nowMs) =>
        Result.succeed({ state: "closed", closedAtMs: nowMs, closedBy: actor })
      )
  }
})

/** The actions of operators on tasks about answers of bank and rail: list, state an answer, request a reversal, close. */

import { declines } from "@pay/schema/Decline"
import { Clock, Data, Effect } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import * as Audit from "../kernel/Audit.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import type { BankAnswer } from "../orders/bank/BankAnswer.ts"
import * as Unexpected from "../orders/decide/Unexpected.ts"
import * as Actions from "../orders/record/Actions.ts"
import { BankNotice } from "../orders/record/BankNotice.ts"
import {
  BankTask,
  idOfUnanswered,
  isOpen,
  isReversing,
  isUnanswered,
  isUncommitted,
  type State
} from "../orders/record/BankTask.ts"
import * as Booking from "../orders/record/Booking.ts"
import { HeldJob } from "../restore/HeldJob.ts"

/** Nothing was changed. The message contains the reason and what to do. */
export class TaskRefused extends Data.TaggedError("TaskRefused")<{
  readonly what: "missing" | "conflict"
  readonly message: string
}> {}

const conflict = (message: string) => new TaskRefused({ what: "conflict", message })

/** What an action changes of its task, and beside it. */
type Changed = Partial<BankTask> & { readonly also?: Change.Change }

const closed = (actor: Actor, nowMs: number) => ({ state: "closed", closedAtMs: nowMs, closedBy: actor }) as const

/** What a person states of the request of a task. */
export interface Statement {
  readonly as: "approved" | "declined"
  /** The person at the bank who stated it, and the time. */
  readonly note: string
  readonly approvalCode?: string | undefined
  readonly processorTxId?: string | undefined
}

/** Returns the answer that bank or rail would have given. */
const answerOf = ({ reference }: BankTask, { approvalCode, as, note, processorTxId }: Statement): BankAnswer =>
  as === "approved"
    ? { _tag: "Approved", approvalCode: approvalCode ?? "", processorTxId: processorTxId ?? reference }
    : { _tag: "Declined", code: declines.doNotHonour.code, message: note }

/** Returns why the statement cannot be taken now; undefined if it can. */
const refusalOf = (
  task: BankTask,
  { approvalCode, as }: Statement,
  nowMs: number,
  resubmitWithinMs: number
): string | undefined => {
  const kind = Booking.parse(task.reference)?.kind
  if (!isUnanswered(task)) return "the task does not wait for an answer: reverse or close it"
  if (nowMs - task.createdAtMs <= resubmitWithinMs)
    return "the request may still arrive: state this 15 minutes after the task was opened (orders.resubmitWithinMs)"
  return as === "approved" && kind !== undefined && creations.has(kind) && approvalCode === undefined
    ? "give the approval code that the bank named"
    : undefined
}

/** The kinds of references whose approval has a code. */
const creations: ReadonlySet<string> = new Set(
  Object.values(Actions.facts).flatMap(({ creates, kind }) => (creates ? [kind] : []))
)

/** Why a task that waits for an answer is neither reversed nor closed. */
const waitsForAnswer = ({ taskId }: BankTask) =>
  conflict(`the gateway waits for the outcome of this request: state it (pay tasks answer ${taskId})`)

/** More jobs than wait for one request. */
const mostJobs = 100

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const ids = yield* Ids
  const { resubmitWithinMs } = yield* Settings

  const list = (state: State, range: Pick<KeysetPage.Range, "after" | "limit">) =>
    KeysetPage.newest(store, BankTask, "state", { equals: [state], ...range })

  const change = Effect.fnUntraced(function* (
    actor: Actor,
    taskId: string,
    action: "task.answer" | "task.reverse" | "task.close",
    note: string,
    changeOf: (task: BankTask, nowMs: number) => Effect.Effect<Changed, TaskRefused | StoreUnavailable>
  ) {
    const task = yield* store.load(BankTask, [taskId])
    if (task === undefined) return yield* new TaskRefused({ what: "missing", message: "there is no such task" })
    if (!isOpen(task)) return yield* conflict(`the task is ${task.state}`)
    const nowMs = yield* Clock.currentTimeMillis
    const { also = Change.none, ...changes } = yield* changeOf(task, nowMs)
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
        also,
        Change.writing(...(isReversing(changed) ? [Decision.put(Job, Unexpected.itemOf(changed, nowMs))] : []), audit)
      ),
      () => conflict("it has changed meanwhile: look at it, then ask again")
    )
    yield* scheduler.wake
    return changed
  })

  /** Returns the jobs that wait for the outcome of the task's request. */
  const waiting = Effect.fnUntraced(function* ({ orderId, reference, taskId }: BankTask) {
    const heldJobs = yield* store.find(HeldJob, "task", { equals: [taskId], limit: mostJobs })
    const tasks = yield* store.find(BankTask, "order", { equals: [orderId], limit: mostJobs })
    const jobIds = [
      ...heldJobs.map(({ jobId }) => jobId),
      ...tasks.flatMap((task) =>
        isReversing(task) && task.reversalReference === reference ? [Jobs.id("reversal", task.taskId)] : []
      )
    ]
    return yield* Effect.forEach(jobIds, (jobId) => store.load(Job, [jobId]))
  })

  /** Stores the statement as a notification of the bank, and makes the jobs due that wait for it. */
  const stated = Effect.fnUntraced(function* (task: BankTask, statement: Statement, nowMs: number) {
    const { orderId, reference, taskId } = task
    const notice: BankNotice = {
      ...{ noticeId: `stated ${taskId}`, reference, orderId, fact: "Outcome", atMs: nowMs },
      answer: JSON.stringify(answerOf(task, statement))
    }
    const due = (yield* waiting(task)).flatMap((job) => (job && Jobs.dueNow(job, nowMs)) ?? [])
    return Change.all(
      {
        guards: [Decision.absent(BankNotice, "key", [notice.noticeId])],
        writes: [Decision.append(BankNotice, notice)]
      },
      ...due
    )
  })

  return {
    list,
    /** Takes what two people state of a request of which bank or rail cannot say it. */
    answer: (actor: Actor, taskId: string, statement: Statement) =>
      change(
        actor,
        taskId,
        "task.answer",
        statement.note,
        Effect.fnUntraced(function* (task, nowMs) {
          const refusal = refusalOf(task, statement, nowMs, resubmitWithinMs)
          if (refusal !== undefined) return yield* conflict(refusal)
          return { ...closed(actor, nowMs), also: yield* stated(task, statement, nowMs) }
        })
      ),
    /** Requests the reversal from the bank. */
    reverse: (actor: Actor, taskId: string, note: string) =>
      change(
        actor,
        taskId,
        "task.reverse",
        note,
        Effect.fnUntraced(function* (task, nowMs) {
          if (isUnanswered(task)) return yield* waitsForAnswer(task)
          if (Unexpected.reversalOf(task) === undefined)
            return yield* conflict(
              isUncommitted(task)
                ? `the order has no outcome yet: resolve it (pay orders resolve ${task.orderId})`
                : "the bank cannot be asked to give this back: deal with it by other ways, then close the task"
            )
          const earlier =
            task.reversalReference === null
              ? undefined
              : yield* store.load(BankTask, [idOfUnanswered(task.reversalReference)])
          if (earlier !== undefined && isOpen(earlier)) return yield* waitsForAnswer(earlier)
          return { state: "reversing", reversalReference: null, reversingAtMs: nowMs }
        })
      ),
    /** Closes a task that the operator resolved by other means. */
    close: (actor: Actor, taskId: string, note: string) =>
      change(actor, taskId, "task.close", note, (task, nowMs) =>
        isUnanswered(task) ? Effect.fail(waitsForAnswer(task)) : Effect.succeed(closed(actor, nowMs))
      )
  }
})

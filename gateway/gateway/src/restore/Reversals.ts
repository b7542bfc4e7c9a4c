/** A reversal that the former gateway may have begun is never made again by itself: an operator decides. */
import { Effect } from "effect"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import type { Store } from "../kernel/Store.ts"
import { BankTask, isReversing } from "../orders/record/BankTask.ts"
import type { Comparison } from "./Comparison.ts"

const note =
  "Its reversal had begun before the restore: ask the bank whether it was made, then reverse or close the task"

export const compare = (store: Store["Service"]) =>
  Effect.fnUntraced(function* (job: Job) {
    const task = yield* store.load(BankTask, [job.subject])
    const opened =
      task === undefined || !isReversing(task) ? Change.none : Change.update(BankTask, task, { state: "open", note })
    const decision = Change.all(opened, Change.writing(Decision.remove(Job, [job.jobId])))
    return { _tag: "Becomes", decision } satisfies Comparison
  })

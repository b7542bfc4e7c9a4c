/**
 * Completes a decision about an answer of bank or rail with what operators need: the answer as evidence if the order does not
 * follow it, and the tasks that open or close with it.
 */

import { Effect } from "effect"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Evidence } from "../../kernel/Evidence.ts"
import type { Job } from "../../kernel/Job.ts"
import { Store } from "../../kernel/Store.ts"
import * as Inquiry from "../decide/Inquiry.ts"
import { BankTask, idOfUncommitted } from "../record/BankTask.ts"
import { isOfRail } from "../record/OrderRequest.ts"
import * as Uncommitted from "./Uncommitted.ts"
import * as UnexpectedAnswers from "./UnexpectedAnswers.ts"

export const make = Effect.gen(function* () {
  const store = yield* Store
  const unexpected = yield* UnexpectedAnswers.make

  /** The task about an earlier answer that could not be committed. A request that is sent for the first time has none. */
  const taskOf = ({ reference, request }: UnexpectedAnswers.ReceivedAnswer, { tries }: Job) =>
    tries === 0 && request.progress === "processing"
      ? Effect.undefined
      : store.load(BankTask, [idOfUncommitted(reference)])

  /** `uncommitted`: why the answer cannot be committed. By default the reason of the decision, which does not apply the answer. */
  const complete = Effect.fnUntraced(function* (
    next: Inquiry.Next,
    job: Job,
    received: UnexpectedAnswers.ReceivedAnswer,
    nowMs: number,
    uncommitted = next.unapplied
  ) {
    const { amountMinor, answer, order, reference, request } = received
    const evidence = Decision.append(Evidence, unexpected.evidenceOf(received, nowMs, uncommitted))
    const withChange = (task: BankTask | undefined, ...changes: ReadonlyArray<Change.Change>): Inquiry.Next => ({
      ...next,
      ...(task === undefined ? {} : { task }),
      decision: Change.all(next.decision, ...changes)
    })
    if (uncommitted !== undefined) {
      const source = isOfRail(request) ? "rail" : "bank"
      const fresh = Uncommitted.taskOf(order, { source, reference, amountMinor, answer, reason: uncommitted }, nowMs)
      const earlier = yield* store.load(BankTask, [fresh.taskId])
      const task = earlier === undefined ? fresh : Uncommitted.reopened(earlier, fresh)
      if (task === undefined) return withChange(undefined)
      const written =
        earlier === undefined ? Change.writing(Decision.put(BankTask, task)) : Change.update(BankTask, earlier, task)
      return withChange(task, Change.writing(evidence), written)
    }
    const ended = Uncommitted.isEnding(request, next.decision) ? yield* taskOf(received, job) : undefined
    const closing =
      ended !== undefined && Uncommitted.isSettledBy(ended, answer) ? Uncommitted.closing(ended, nowMs) : Change.none
    if (next.unexpected === true) {
      const { task, writes } = yield* unexpected.recordOf(received, true)
      return withChange(task, Change.writing(...writes), closing)
    }
    return withChange(
      next.task,
      closing,
      Inquiry.reasonOf(answer) === undefined && !Inquiry.isReversed(answer) ? Change.none : Change.writing(evidence)
    )
  })

  return { complete }
})

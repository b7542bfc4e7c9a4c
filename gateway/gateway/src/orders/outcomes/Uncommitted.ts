/**
 * An answer of bank or rail that cannot be committed: the store refuses what follows from it, or its decision fails. The order keeps
 * an unknown outcome, so that it is inquired about and an operator can resolve it. A task has the reason. It closes by itself
 * when the request ends. A request whose outcome only a person can learn has the same task. Pure.
 */

import { Cause, Effect } from "effect"
import * as Change from "../../kernel/Change.ts"
import type * as Decision from "../../kernel/Decision.ts"
import * as ForeignText from "../../kernel/ForeignText.ts"
import * as Inquiry from "../decide/Inquiry.ts"
import * as Unexpected from "../decide/Unexpected.ts"
import { BankTask, idOfUncommitted, isOpen } from "../record/BankTask.ts"
import type { Source } from "../record/Booking.ts"
import type { Order } from "../record/Order.ts"
import { OrderRequest } from "../record/OrderRequest.ts"

/** An answer, and why it cannot be committed. */
export interface Uncommitted {
  readonly source: Source
  readonly reference: string
  readonly amountMinor: number
  readonly answer: Inquiry.Answer
  readonly reason: string
}

/** Returns a defect as text, with the messages of its causes. */
export const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const messages: Array<string> = []
  let error: unknown = Cause.squash(cause)
  for (let depth = 0; depth < 5 && error instanceof Error; depth += 1, error = error.cause)
    if (error.message !== "" && !messages.includes(error.message)) messages.push(error.message)
  return ForeignText.line(messages.length === 0 ? String(error) : messages.join(": "))
}

/** Runs the effect. If it fails with a defect, logs that and continues with its reason. */
export const onDefect = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  then: (reason: string) => Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E | E2, R | R2> =>
  Effect.catchCause(effect, (cause): Effect.Effect<B, E | E2, R2> => {
    if (!Cause.hasDies(cause)) return Effect.failCause(cause)
    const reason = reasonOf(cause)
    return Effect.andThen(
      Effect.annotateLogs(Effect.logError("An answer of bank or rail cannot be committed"), { reason }),
      then(reason)
    )
  })

export const taskOf = (order: Order, uncommitted: Uncommitted, nowMs: number): BankTask => {
  const { amountMinor, answer, reason, reference, source } = uncommitted
  const verdict = Unexpected.verdictOf(answer) ?? "unknown"
  return {
    ...Unexpected.taskOf(order, { source, reference, verdict, amountMinor }, false, nowMs),
    taskId: idOfUncommitted(reference),
    note: answer._tag === "NoWayLeft" ? reason : `The answer cannot be committed: ${reason}`
  }
}

/**
 * Returns the task with what a further answer says, again open; undefined if the answer says no more than an earlier one: a job
 * inquires again and again, and must not write evidence each time.
 */
export const reopened = (earlier: BankTask, { answer, note, orderState }: BankTask): BankTask | undefined =>
  answer === "unknown" || answer === earlier.answer
    ? undefined
    : Change.next(earlier, { answer, note, orderState, state: "open", closedAtMs: null, closedBy: null })

/** Whether the decision ends the request. */
export const isEnding = ({ requestId }: Pick<OrderRequest, "requestId">, { writes }: Decision.Decision): boolean =>
  writes.some(
    (write) =>
      write._tag === "Put" &&
      write.entity === OrderRequest &&
      write.row.requestId === requestId &&
      write.row.finishedAtMs !== null
  )

/** Whether the answer that ends the request leaves nothing open of the task about an earlier answer. */
export const isSettledBy = (task: BankTask, answer: Inquiry.Answer): boolean =>
  task.answer === "unknown" || task.answer === Unexpected.verdictOf(answer) || Inquiry.isReversed(answer)

/** Returns the change that closes a task, if it is open, in the commit after which nothing is left of it. */
export const closing = (task: BankTask | undefined, nowMs: number): Change.Change =>
  task === undefined || !isOpen(task)
    ? Change.none
    : Change.update(BankTask, task, { state: "closed", closedAtMs: nowMs, closedBy: "gateway" })

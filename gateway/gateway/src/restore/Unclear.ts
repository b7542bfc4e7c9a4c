/** The task for operators about a request of which bank or rail cannot say what became of it before the restore. */
import { Effect } from "effect"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import type { Store } from "../kernel/Store.ts"
import * as Unexpected from "../orders/decide/Unexpected.ts"
import type * as BankQuestion from "../orders/outcomes/BankQuestion.ts"
import * as Uncommitted from "../orders/outcomes/Uncommitted.ts"
import * as Actions from "../orders/record/Actions.ts"
import { BankTask } from "../orders/record/BankTask.ts"
import type * as Booking from "../orders/record/Booking.ts"
import type { OrderRequest } from "../orders/record/OrderRequest.ts"
import { HeldJob } from "./HeldJob.ts"

export interface Question {
  readonly reference: Booking.AttemptReference
  /** The order that stays closed. The copy may lack its row. */
  readonly order: Unexpected.Subject & BankQuestion.NamedOrder
  readonly request: Pick<OrderRequest, "action">
}

/** Opens the task of a held job, and closes its task about an earlier request. A task that is open stays as it is. */
export const opening = Effect.fnUntraced(function* (
  store: Store["Service"],
  heldJob: HeldJob,
  { order, reference, request }: Question,
  nowMs: number
) {
  const source = Actions.facts[request.action].of
  const statement = { source, reference, verdict: "unknown", amountMinor: order.amountMinor } as const
  const opened = Unexpected.taskOf(order, statement, false, nowMs)
  const task: BankTask = {
    ...opened,
    note: `The ${source} cannot say what became of this request before the restore. The order stays closed until it can, or until two people state it: pay tasks answer ${opened.taskId}`
  }
  if (heldJob.taskId === task.taskId) return Change.none
  const earlier = heldJob.taskId === null ? undefined : yield* store.load(BankTask, [heldJob.taskId])
  const isKnown = (yield* store.load(BankTask, [task.taskId])) !== undefined
  return Change.all(
    Uncommitted.closing(earlier, nowMs),
    Change.writing(
      ...(isKnown ? [] : [Decision.put(BankTask, task)]),
      Decision.put(HeldJob, { ...heldJob, taskId: task.taskId })
    )
  )
})

/**
 * The task about a request whose acquirer has no adapter in this gateway. Nothing is sent, and nobody can be asked for its outcome: the
 * job waits until the adapter is there again or an operator resolves the order. The task closes by itself when the request ends.
 */
import { Clock, Effect } from "effect"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Store } from "../../kernel/Store.ts"
import * as Terminal from "../../merchants/Terminal.ts"
import * as Acquirers from "../bank/Acquirers.ts"
import * as CardAnswer from "../decide/CardAnswer.ts"
import type * as Inquiry from "../decide/Inquiry.ts"
import * as Unexpected from "../decide/Unexpected.ts"
import { BankTask, idOfUncommitted } from "../record/BankTask.ts"
import type { Order } from "../record/Order.ts"
import { type BankRequest, referenceOf } from "../record/OrderRequest.ts"
import * as Uncommitted from "./Uncommitted.ts"

const noteOf = (name: string): string =>
  `The acquirer ${name} has no adapter in this gateway: the request waits. Add its adapter again, or ask the bank and resolve the order`

/** Returns the task about the acquirer of the order, if it has no adapter and no task says so yet. */
export const make = Effect.gen(function* () {
  const store = yield* Store
  const acquirers = yield* Acquirers.all
  return Effect.fnUntraced(function* (order: Order, request: BankRequest) {
    const name = Terminal.acquirerOf(order)
    if (acquirers.has(name)) return undefined
    const reference = referenceOf(request)
    const taskId = idOfUncommitted(reference)
    if ((yield* store.load(BankTask, [taskId])) !== undefined) return undefined
    const amountMinor = CardAnswer.askedMinor({ order, request })
    const statement = { source: "bank", reference, verdict: "unknown", amountMinor } as const
    const task = Unexpected.taskOf(order, statement, false, yield* Clock.currentTimeMillis)
    return { ...task, taskId, note: noteOf(name) } satisfies BankTask
  })
})

/** Opens the task with a decision that leaves the request open. */
export const withTask = (next: Inquiry.Next, request: BankRequest, task: BankTask | undefined): Inquiry.Next =>
  task === undefined || next.unexpected === true || Uncommitted.isEnding(request, next.decision)
    ? next
    : { ...next, task, decision: Change.all(next.decision, Change.writing(Decision.put(BankTask, task))) }

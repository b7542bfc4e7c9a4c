/**
 * A task about money at a bank or rail that disagrees with the order: an answer that the order's lifecycle cannot apply or that
 * cannot be committed, a hold that the bank refuses to release, or a dispute of the cardholder. An operator has to resolve it, or the
 * gateway reverses it by itself.
 */

import * as Entity from "../../kernel/Entity.ts"
import type { AttemptReference, Source } from "./Booking.ts"

/**
 * `open`: waits for an operator. `reversing`: the bank is requested to return the money. `reversed`: the bank has returned it.
 * `closed`: an operator resolved it by other means, or the hold ended.
 */
export type State = "open" | "reversing" | "reversed" | "closed"

export const BankTask = Entity.make("bankTasks", {
  columns: {
    /**
     * The reference and the answer, so that a repeated answer makes no second task. For a hold that is not released: derived from
     * the order's number. For an answer that cannot be committed, or a notification that does not fit: derived from the reference.
     * For a dispute: its key.
     */
    taskId: Entity.text(),
    version: Entity.integer,
    source: Entity.text<Source>(),
    orderId: Entity.text(),
    merchantId: Entity.text(),
    clientOrderId: Entity.text(),
    /** `reference`: of the request. `reversalReference`: of the reversal, once it has one. */
    reference: Entity.text(),
    reversalReference: Entity.textOrNull<AttemptReference>(),
    /** The bank's own identifier of what it approved, if its answer had one. */
    processorTxId: Entity.textOrNull(),
    /** `unknown`: an answer that was not definite, and could not be committed. `disputed`: the cardholder disputes the payment. */
    answer: Entity.text<"approved" | "declined" | "unknown" | "disputed">(),
    /** The state of the order when the answer came. */
    orderState: Entity.text(),
    amountMinor: Entity.integer,
    currency: Entity.text(),
    state: Entity.text<State>(),
    createdAtMs: Entity.integer,
    reversingAtMs: Entity.integerOrNull,
    closedAtMs: Entity.integerOrNull,
    closedBy: Entity.textOrNull(),
    note: Entity.textOrNull()
  },
  key: ["taskId"],
  index: { order: ["orderId", "taskId"], state: ["state", "createdAtMs", "taskId"] }
})
export type BankTask = Entity.Row<typeof BankTask>

/** Properties of each state. */
const states: Readonly<Record<State, { readonly open?: true; readonly reversing?: true; readonly closed?: true }>> = {
  open: { open: true },
  reversing: { reversing: true },
  reversed: {},
  closed: { closed: true }
}

/** Returns the identifier of the task about an answer that cannot be committed. */
export const idOfUncommitted = (reference: string): string => `${reference}.uncommitted`

/**
 * Returns the identifier of the task about a request of which bank or rail cannot say what became of it, and whose outcome the order
 * itself cannot have: an attempt from before a restore, or a reversal.
 */
export const idOfUnanswered = (reference: string): string => `${reference}.unknown`

/** Returns the identifier of the task about a notification that does not fit its payment. */
export const idOfNotice = (reference: string): string => `${reference}.notice`

/** Whether the task is about an answer that cannot be committed, or that only a person can get. Its order has no outcome yet. */
export const isUncommitted = ({ reference, taskId }: Pick<BankTask, "reference" | "taskId">): boolean =>
  taskId === idOfUncommitted(reference)

/** Whether a job waits for what two people state about the request of the task. */
export const isUnanswered = ({ reference, taskId }: Pick<BankTask, "reference" | "taskId">): boolean =>
  taskId === idOfUnanswered(reference)

/** Whether the task is about a dispute. What it moved is booked with the order. */
export const isDispute = ({ answer }: Pick<BankTask, "answer">): boolean => answer === "disputed"

type TaskState = Pick<BankTask, "state">

/** Whether the task waits for an operator. */
export const isOpen = ({ state }: TaskState): boolean => states[state].open === true
/** Whether the bank is requested to return the money. */
export const isReversing = ({ state }: TaskState): boolean => states[state].reversing === true
/** Whether an operator resolved the task by other means, or it ended by itself. */
export const isClosed = ({ state }: TaskState): boolean => states[state].closed === true

/**
 * What bank or rail said that no order can follow, and a hold that the bank refuses to release: a person, or the gateway by itself,
 * has to put the money right.
 */

import * as Entity from "../../kernel/Entity.ts"
import type { AttemptReference } from "../Booking.ts"
import type { Source } from "../restored/BankBooking.ts"

/**
 * `open`: waits for an operator. `reversing`: the bank is asked to give the money back. `reversed`: it has. `closed`: an operator
 * dealt with it by other ways.
 */
export type State = "open" | "reversing" | "reversed" | "closed"

export const BankTask = Entity.make("banktasks", {
  columns: {
    /** Reference and answer: the same answer makes one task, however often it comes. Of a hold that is not released: its order. */
    taskId: Entity.text(),
    version: Entity.integer,
    source: Entity.text<Source>(),
    orderId: Entity.text(),
    merchantId: Entity.text(),
    clientOrderId: Entity.text(),
    /** The references of the request, and of the reversal once the bank is asked for it. */
    reference: Entity.text(),
    reversalReference: Entity.textOrNull<AttemptReference>(),
    answer: Entity.text<"approved" | "declined">(),
    /** How the order stood when the answer came. */
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

/** What each state means for who looks at the task. */
const states: Readonly<Record<State, { readonly open?: true; readonly reversing?: true; readonly closed?: true }>> = {
  open: { open: true },
  reversing: { reversing: true },
  reversed: {},
  closed: { closed: true }
}

type TaskState = Pick<BankTask, "state">

/** Waits for an operator. */
export const isOpen = ({ state }: TaskState): boolean => states[state].open === true
/** The bank is asked to give the money back. */
export const isReversing = ({ state }: TaskState): boolean => states[state].reversing === true
/** Was dealt with by other ways, or is over by itself. */
export const isClosed = ({ state }: TaskState): boolean => states[state].closed === true

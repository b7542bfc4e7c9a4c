/**
 * The lifecycle of a payout, as one table. A payout moves money from the merchant's balance to a card, an account, a wallet or
 * a phone. In one step it is paid at once (`pay`); in two steps it is checked first and paid when the merchant requests it. Its
 * amount is reserved until it is paid or has failed. `bounced`: refused after it had been paid.
 *
 * The specification prescribes the two steps (docs/specification.md#transactions). The states are ours
 * (docs/assumptions.md#payout-operations).
 */
import * as LifecycleTable from "../../kernel/LifecycleTable.ts"

export type State =
  /** A hosted page waits for the recipient to enter the destination of the money. */
  | "registered"
  | "checking"
  | "checked"
  /** The payout waits for the second approver. */
  | "waiting"
  | "paying"
  | "unknown"
  | "paid"
  | "bounced"
  | "declined"
  | "filtered"
  | "failed"

export type Event =
  | "filter"
  | "abandon"
  /** On a hosted page the recipient may enter another destination. */
  | "retry"
  | "check"
  | "accept"
  | "wait"
  | "pay"
  | "reject"
  | "lapse"
  | "confirm"
  | "decline"
  | "lose"
  | "fail"
  | "bounce"

export const table: LifecycleTable.Table<State, Event> = {
  registered: {
    wire: "processing",
    callback: false,
    on: {
      filter: "filtered",
      check: "checking",
      wait: "waiting",
      pay: "paying",
      decline: "declined",
      abandon: "declined"
    }
  },
  checking: {
    wire: "processing",
    callback: false,
    on: { accept: "checked", retry: "registered", decline: "declined", lapse: "declined" }
  },
  checked: { wire: "processing", callback: false, on: { pay: "paying", wait: "waiting", lapse: "declined" } },
  waiting: { wire: "processing", callback: false, on: { pay: "paying", reject: "declined", lapse: "declined" } },
  paying: {
    wire: "processing",
    callback: false,
    on: { confirm: "paid", decline: "declined", lose: "unknown", fail: "failed" }
  },
  unknown: {
    wire: "unknown",
    callback: false,
    on: { confirm: "paid", decline: "declined", lose: "unknown", fail: "failed" }
  },
  paid: { wire: "approved", callback: true, on: { bounce: "bounced" } },
  bounced: { wire: "declined", callback: true, on: {} },
  declined: { wire: "declined", callback: true, on: {} },
  filtered: { wire: "filtered", callback: true, on: {} },
  failed: { wire: "error", callback: true, on: {} }
}

const isState = (state: string): state is State => Object.hasOwn(table, state)

/** Returns the next state, or undefined when the table refuses the event. A state of another table has no moves here. */
export const next = (state: string, event: Event): State | undefined =>
  isState(state) ? table[state].on[event] : undefined

/** Returns the next state of a payout. A move that the table lacks is a programming error and throws. */
export const after = LifecycleTable.total(next)

/** Whether the rail is checking if it can pay. */
export const isChecking = (state: string): boolean => next(state, "accept") !== undefined

/** Whether the rail can pay, and the payout waits for the merchant's request to pay. */
export const isChecked = (state: string): boolean => state === table.checking.on.accept

/** Whether the payout waits for a second approver. */
export const isWaiting = (state: string): boolean => next(state, "reject") !== undefined

/** Whether the rail has confirmed the payment, and has not refused it since. */
export const isPaid = (state: string): boolean => next(state, "bounce") !== undefined

/** Whether the rail has refused a payment that it had confirmed. */
export const isBounced = (state: string): boolean => state === table.paid.on.bounce

/** Whether the payout is not yet paid and can still expire. */
export const isUnpaid = (state: string): boolean => next(state, "lapse") !== undefined

/** States in which the amount is reserved: the merchant cannot spend it, and it is not paid out. */
export const holding: ReadonlySet<string> = new Set<State>([
  "registered",
  "checking",
  "checked",
  "waiting",
  "paying",
  "unknown"
])

/** The table as a Mermaid state diagram, for the documentation. */
export const toMermaid = (): string => LifecycleTable.toMermaid(table)

/**
 * The life of a payout, as one table: money leaves the merchant's balance for a card, an account, a wallet or a phone. In
 * one step it is paid at once (`pay`); in two it is checked first and paid when the merchant says so. Until it is
 * paid or over, its amount is held. `bounced`: refused after it had been paid.
 *
 * Source: payment-api.md, "States and transitions" (rule 6); the states themselves are ours (docs/assumptions.md).
 */
import * as LifecycleTable from "../kernel/LifecycleTable.ts"

export type State =
  /** A form waits for the recipient to say where the money goes. */
  | "registered"
  | "checking"
  | "checked"
  /** For the second approver. */
  | "waiting"
  | "paying"
  | "uncertain"
  | "paid"
  | "bounced"
  | "declined"
  | "filtered"
  | "failed"

export type Event =
  | "filter"
  | "abandon"
  /** On a form the recipient may say another destination. */
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
    on: { confirm: "paid", decline: "declined", lose: "uncertain", fail: "failed" }
  },
  uncertain: {
    wire: "unknown",
    callback: false,
    on: { confirm: "paid", decline: "declined", lose: "uncertain", fail: "failed" }
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

/** Whether the rail is asked whether it could pay. */
export const isChecking = (state: string): boolean => next(state, "accept") !== undefined

/** Whether the rail could pay, and waits for its merchant to say so. */
export const isChecked = (state: string): boolean => state === table.checking.on.accept

/** Whether a second approver is waited for. */
export const isWaiting = (state: string): boolean => next(state, "reject") !== undefined

/** Whether the money has gone, as far as the rail has said. */
export const isPaid = (state: string): boolean => next(state, "bounce") !== undefined

/** Whether the rail has refused what it had paid. */
export const isBounced = (state: string): boolean => state === table.paid.on.bounce

/** Checked, and perhaps paid when somebody says so: until it lapses. */
export const isUnpaid = (state: string): boolean => next(state, "lapse") !== undefined

/** States in which the amount is set aside: neither the merchant's to spend nor gone. */
export const holding: ReadonlySet<string> = new Set<State>([
  "registered",
  "checking",
  "checked",
  "waiting",
  "paying",
  "uncertain"
])

/** The table as a Mermaid state diagram, for the documentation. */
export const toMermaid = (): string => LifecycleTable.toMermaid(table)

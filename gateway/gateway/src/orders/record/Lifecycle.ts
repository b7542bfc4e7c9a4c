/**
 * The states of orders, and the lifecycle of a card order as one table: which event leads from which state to which, and the
 * status that a merchant sees in each state. On a hosted page a failed attempt leads back to `registered` while there are
 * attempts left (`retry`); a customer who gives up, or whose time expires, abandons the order. A sale or a capture that fails at the bank
 * after its approval leads back (`bounce`, `uncapture`). Partial captures and returns are
 * amounts, not states. No other module compares states by hand.
 *
 * The specification prescribes what the operations do (docs/specification.md#transactions). The states are ours
 * (docs/assumptions.md#statuses).
 */
import * as LifecycleTable from "../../kernel/LifecycleTable.ts"
import * as PayoutLifecycle from "./PayoutLifecycle.ts"

export type CardState =
  | "registered"
  | "authenticating"
  | "authorizing"
  | "unknown"
  | "authorized"
  | "settled"
  | "verified"
  | "voided"
  | "lapsed"
  | "declined"
  | "filtered"
  | "failed"

export type Event =
  | "filter"
  | "authenticate"
  | "send"
  | "reject"
  | "hold"
  | "settle"
  | "verify"
  | "decline"
  | "lose"
  | "fail"
  | "void"
  | "lapse"
  | "retry"
  | "abandon"
  | "uncapture"
  | "bounce"

/** A state of an order of any kind. A name that occurs in both tables means the same to the merchant. */
export type State = CardState | PayoutLifecycle.State
export type { WireStatus } from "../../kernel/LifecycleTable.ts"

/** The table of card orders. */
export const cards: LifecycleTable.Table<CardState, Event> = {
  registered: {
    wire: "processing",
    callback: false,
    on: { filter: "filtered", authenticate: "authenticating", send: "authorizing", abandon: "declined" }
  },
  authenticating: {
    wire: "processing",
    callback: false,
    on: { send: "authorizing", reject: "declined", retry: "registered" }
  },
  authorizing: {
    wire: "processing",
    callback: false,
    on: {
      hold: "authorized",
      settle: "settled",
      verify: "verified",
      decline: "declined",
      lose: "unknown",
      fail: "failed",
      retry: "registered"
    }
  },
  unknown: {
    wire: "unknown",
    callback: false,
    on: {
      hold: "authorized",
      settle: "settled",
      verify: "verified",
      decline: "declined",
      lose: "unknown",
      fail: "failed",
      retry: "registered"
    }
  },
  authorized: { wire: "approved", callback: true, on: { settle: "settled", void: "voided", lapse: "lapsed" } },
  settled: { wire: "approved", callback: true, on: { uncapture: "authorized", bounce: "declined" } },
  verified: { wire: "approved", callback: true, on: {} },
  voided: { wire: "approved", callback: true, on: {} },
  lapsed: { wire: "approved", callback: true, on: {} },
  declined: { wire: "declined", callback: true, on: {} },
  filtered: { wire: "filtered", callback: true, on: {} },
  failed: { wire: "error", callback: true, on: {} }
}

/** The status on the wire of each state of both tables, and whether the state causes a callback. */
export const states: Readonly<Record<State, LifecycleTable.ObservableState>> = { ...PayoutLifecycle.table, ...cards }

const isCardState = (state: State): state is CardState => Object.hasOwn(cards, state)

/** Returns the next state of a card order, or undefined when the table refuses the event. */
export const next = (state: State, event: Event): CardState | undefined =>
  isCardState(state) ? cards[state].on[event] : undefined

/** Returns the next state of a card order. A move that the table lacks is a programming error and throws. */
export const after = LifecycleTable.total(next)

/** Whether a hold exists of which money may still be captured or released. */
export const isHeld = (state: State): boolean => next(state, "void") !== undefined

const voided: ReadonlySet<State | undefined> = new Set([cards.authorized.on.void, cards.authorized.on.lapse])

/** Whether the whole hold was released without a capture: by its merchant, or because it expired. */
export const isVoided = (state: State): boolean => voided.has(state)

/** Whether the state has a final status on the wire: neither `processing` nor `unknown`. */
export const isFinal = (state: State): boolean =>
  states[state].wire !== "processing" && states[state].wire !== "unknown"

/** Whether the order has the status `approved` on the wire, also after a void or an expiry of its hold. */
export const isApproved = (state: State): boolean => states[state].wire === "approved"

/** The table of card orders as a Mermaid state diagram, for the documentation. */
export const toMermaid = (): string => LifecycleTable.toMermaid(cards)

/**
 * The life of a card order, as one table: which event leads from which state to which, and what a merchant sees there.
 * On a hosted page an attempt that failed leads back to `registered` while there are attempts left (`retry`); a customer who
 * gives up, or lets the time pass, abandons the order. Partial captures and returns are amounts, not states. Nothing else compares states by hand.
 *
 * Source: payment-api.md, "States and transitions" (rules 1–5); the states themselves are ours (docs/assumptions.md).
 */

export type State =
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

/** The wire's words for where an order stands (decisions: wire statuses). */
export type WireStatus = "processing" | "unknown" | "approved" | "declined" | "error" | "filtered"

interface Facts {
  readonly wire: WireStatus
  /** Reaching the state is news for the merchant. */
  readonly callback: boolean
  readonly on: { readonly [E in Event]?: State }
}

export const states: Readonly<Record<State, Facts>> = {
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
  settled: { wire: "approved", callback: true, on: {} },
  verified: { wire: "approved", callback: true, on: {} },
  voided: { wire: "approved", callback: true, on: {} },
  lapsed: { wire: "approved", callback: true, on: {} },
  declined: { wire: "declined", callback: true, on: {} },
  filtered: { wire: "filtered", callback: true, on: {} },
  failed: { wire: "error", callback: true, on: {} }
}

/** Where the event leads, or undefined where the table refuses it. */
export const next = (state: State, event: Event): State | undefined => states[state].on[event]

/** A final status no longer moves by itself: the wire shows neither `processing` nor `unknown`. */
export const isFinal = (state: State): boolean =>
  states[state].wire !== "processing" && states[state].wire !== "unknown"

/** Whether the money of the order was approved at some time. */
export const isApproved = (state: State): boolean => states[state].wire === "approved"

/** The table as a Mermaid state diagram, for the documentation. */
export const toMermaid = (): string => {
  const lines = ["stateDiagram-v2", "  [*] --> registered"]
  for (const [state, { on }] of Object.entries(states)) {
    for (const [event, target] of Object.entries(on)) lines.push(`  ${state} --> ${target}: ${event}`)
    if (Object.keys(on).length === 0) lines.push(`  ${state} --> [*]`)
  }
  for (const [state, { wire }] of Object.entries(states)) lines.push(`  note right of ${state}: ${wire}`)
  return `${lines.join("\n")}\n`
}

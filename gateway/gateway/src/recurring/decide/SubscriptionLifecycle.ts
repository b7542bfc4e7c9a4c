/**
 * The lifecycle of a recurring payment, as one table: which event leads from which state to which. No other module
 * compares states by hand. Each charge has the lifecycle of an order (`Lifecycle.ts`).
 */
import * as LifecycleTable from "../../kernel/LifecycleTable.ts"

export type State = "starting" | "active" | "paused" | "suspended" | "finished" | "cancelled" | "failed"

export type Event =
  /** `begin`: the order that created the recurring payment was approved. `reject`: it was not approved. */
  | "begin"
  | "reject"
  | "pause"
  | "resume"
  | "cancel"
  /** `suspend`: the card can no longer be charged. `revive`: the merchant set another card. */
  | "suspend"
  | "revive"
  /** The schedule has no further occurrence. */
  | "finish"

interface StateEntry {
  readonly about: string
  readonly on: { readonly [E in Event]?: State }
}

export const states: Readonly<Record<State, StateEntry>> = {
  starting: {
    about: "The first charge, or the verification of the card, is under way.",
    on: { begin: "active", reject: "failed", cancel: "cancelled" }
  },
  active: {
    about: "Each occurrence is charged on its day.",
    on: { pause: "paused", suspend: "suspended", finish: "finished", cancel: "cancelled" }
  },
  paused: {
    about: "The merchant has paused it. Occurrences are skipped.",
    on: { resume: "active", suspend: "suspended", finish: "finished", cancel: "cancelled" }
  },
  suspended: {
    about: "The card cannot be charged. Occurrences are skipped until you set another card.",
    on: { revive: "active", finish: "finished", cancel: "cancelled" }
  },
  finished: { about: "The schedule is over.", on: {} },
  cancelled: { about: "The merchant has cancelled it.", on: {} },
  failed: { about: "The first charge, or the verification, was not approved. It was never active.", on: {} }
}

/** Returns the next state, or undefined when the table refuses the event. */
export const next = (state: State, event: Event): State | undefined => states[state].on[event]

/** Returns the next state. A move that the table lacks is a programming error and throws. */
export const after = LifecycleTable.total(next)

/** Whether the state is final. */
export const isOver = (state: State): boolean => Object.keys(states[state].on).length === 0

/** Whether occurrences take place at all: they are charged or skipped. */
export const isScheduled = (state: State): boolean => next(state, "finish") !== undefined

/** Whether occurrences are charged. */
export const isCharged = (state: State): boolean => next(state, "pause") !== undefined

/** Whether the merchant has paused the recurring payment. */
export const isPaused = (state: State): boolean => next(state, "resume") !== undefined

/** Whether the recurring payment has a card that may be charged. In `suspended` it waits for another card. */
export const hasCard = (state: State): boolean => next(state, "suspend") !== undefined

/** The table as a Mermaid state diagram, for the documentation. */
export const toMermaid = (): string => {
  const lines = ["stateDiagram-v2", "  [*] --> starting"]
  for (const [state, { on }] of Object.entries(states)) {
    for (const [event, target] of Object.entries(on)) lines.push(`  ${state} --> ${target}: ${event}`)
    if (Object.keys(on).length === 0) lines.push(`  ${state} --> [*]`)
  }
  return `${lines.join("\n")}\n`
}

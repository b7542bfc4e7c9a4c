/**
 * The life of a recurring payment, as one table: which event leads from which state to which. Nothing else compares states
 * by hand. Charges have a life of their own, which is an order's (`Lifecycle.ts`).
 */
import * as LifecycleTable from "../kernel/LifecycleTable.ts"

export type State = "starting" | "active" | "paused" | "suspended" | "finished" | "cancelled" | "failed"

export type Event =
  /** The order of the creation was approved; or was not. */
  | "begin"
  | "reject"
  | "pause"
  | "resume"
  | "cancel"
  /** The card can or may no longer be charged; another card came. */
  | "suspend"
  | "revive"
  /** The schedule has no further occurrence. */
  | "finish"

interface Facts {
  readonly about: string
  readonly on: { readonly [E in Event]?: State }
}

export const states: Readonly<Record<State, Facts>> = {
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

/** Nothing will ever happen to it again. */
export const isOver = (state: State): boolean => Object.keys(states[state].on).length === 0

/** Whether its occurrences are walked through, charged or skipped. */
export const isScheduled = (state: State): boolean => next(state, "finish") !== undefined

/** Whether its occurrences are charged. */
export const isCharged = (state: State): boolean => next(state, "pause") !== undefined

/** Whether the merchant has stopped it for a while. */
export const isPaused = (state: State): boolean => next(state, "resume") !== undefined

/** Whether nothing is known against its card: `suspended` waits for another one. */
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

/** The parts of every lifecycle table: states × events as data. Each kind of order has a table of its own. */

/** The statuses of an order on the wire (docs/assumptions.md#statuses). */
export type WireStatus = "processing" | "unknown" | "approved" | "declined" | "error" | "filtered"

/** What a merchant can observe of a state, in every lifecycle table. */
export interface ObservableState {
  readonly wire: WireStatus
  /** Whether reaching the state causes a callback. */
  readonly callback: boolean
}

export type Table<State extends string, Event extends string> = Readonly<
  Record<State, ObservableState & { readonly on: { readonly [E in Event]?: State } }>
>

/**
 * Makes the moves of a table total: a move that the table lacks is a programming error. Answers of a bank and actions of a person
 * are checked with `next` before.
 */
export const total =
  <State extends string, Event extends string, To extends string>(
    next: (state: State, event: Event) => To | undefined
  ) =>
  (state: State, event: Event): To => {
    const to = next(state, event)
    if (to === undefined) throw new Error(`nothing that is ${state} moves by ${event}`)
    return to
  }

/** The table as a Mermaid state diagram, for the documentation. */
export const toMermaid = <State extends string, Event extends string>(table: Table<State, Event>): string => {
  const lines = ["stateDiagram-v2", "  [*] --> registered"]
  const rows = Object.entries<Table<State, Event>[State]>(table)
  for (const [state, { on }] of rows) {
    for (const [event, target] of Object.entries(on)) lines.push(`  ${state} --> ${target}: ${event}`)
    if (Object.keys(on).length === 0) lines.push(`  ${state} --> [*]`)
  }
  for (const [state, { wire }] of rows) lines.push(`  note right of ${state}: ${wire}`)
  return `${lines.join("\n")}\n`
}

/** What every lifecycle table is made of: states × events as data. Each kind of order has a table of its own. */

/** The wire's words for where an order stands (decisions: wire statuses). */
export type WireStatus = "processing" | "unknown" | "approved" | "declined" | "error" | "filtered"

/** What a merchant sees of a state, whichever table it is of. */
export interface Facts {
  readonly wire: WireStatus
  /** Reaching the state is news for the merchant. */
  readonly callback: boolean
}

export type Table<State extends string, Event extends string> = Readonly<
  Record<State, Facts & { readonly on: { readonly [E in Event]?: State } }>
>

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

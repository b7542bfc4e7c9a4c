/** Reads what a decision would write. */
import type { Decision } from "../../src/domain/Decision.ts"
import type { Value } from "../../src/domain/Entity.ts"
import { Order } from "../../src/domain/entities/Order.ts"
import * as StoreRow from "../../src/ports/StoreRow.ts"

export const rowsOf = (decision: Decision, entity: string): ReadonlyArray<Readonly<Record<string, Value>>> =>
  decision.writes.flatMap((write) =>
    (write._tag === "Put" || write._tag === "Append") && write.entity.name === entity ? [write.row] : []
  )

export const isRow = (row: Readonly<Record<string, Value>>): row is Order => StoreRow.matches(Order, row)

/** The rows that must still be those that were read, each with its version. */
export const readBy = (decision: Decision | undefined): ReadonlyArray<string> => {
  const rows = decision?.guards.flatMap((guard) =>
    guard._tag === "VersionIs" ? [`${guard.entity.name} ${guard.version}`] : []
  )
  return [...new Set(rows)].sort()
}

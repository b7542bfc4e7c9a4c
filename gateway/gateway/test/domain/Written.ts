/** Reads what a decision would write. */
import type { Decision, Guard } from "../../src/kernel/Decision.ts"
import type { Value } from "../../src/kernel/Entity.ts"
import * as StoreRow from "../../src/kernel/StoreRow.ts"
import { Order } from "../../src/orders/record/Order.ts"

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

const guardText = (guard: Guard): string => {
  switch (guard._tag) {
    case "VersionIs":
      return `${guard.entity.name} ${guard.key.join()} v${guard.version}`
    case "LeaseIs":
      return `lease ${guard.jobId} ${guard.token}`
    case "Absent":
      return `no ${guard.entity.name} ${guard.unique} ${guard.values.join()}`
    case "BalanceAtLeast":
      return `${guard.account} >= ${guard.minor}`
    case "BalanceHasRoom":
      return `${guard.account} has room for ${guard.minor}`
  }
}

/** What must still be true when the decision is committed, a line each. The room of accounts is left out. */
export const guardsOf = ({ guards }: Pick<Decision, "guards">): ReadonlyArray<string> =>
  guards.filter(({ _tag }) => _tag !== "BalanceHasRoom").map(guardText)

/** The rows that the decision writes, by name and key; with a minus sign those that it removes. Books and news are left out. */
export const keysOf = ({ writes }: Pick<Decision, "writes">): ReadonlyArray<string> =>
  writes.flatMap((write) => {
    if (write._tag === "Post") return []
    const { name } = write.entity
    if (name === "ledger" || name === "callbacks") return []
    const key = write._tag === "Remove" ? write.key : write.entity.key.map((column) => write.row[column])
    return [`${write._tag === "Remove" ? "-" : ""}${name} ${key.join()}`]
  })

/** Checks the ledger of a store with SQL of both engines. Each statement returns only discrepancies. */
import { Balance, LedgerEntry } from "@pay/gateway/Entities"

const maxRows = 20

export interface Texts {
  /** Selects each account with the difference between its entries and its balance. */
  readonly accounts: string
  /** Selects the request, cause and sum of each movement that is not balanced. */
  readonly movements: string
}

/** `tableOf`: the name of an entity's table in a statement. */
export const texts = (tableOf: (entity: { readonly name: string }) => string): Texts => ({
  accounts: [
    'SELECT "account", CAST(sum("minor") AS TEXT) AS "rest" FROM (',
    `SELECT "account", "minor" FROM ${tableOf(LedgerEntry)} UNION ALL SELECT "account", -"minor" FROM ${tableOf(Balance)}`,
    `) t GROUP BY "account" HAVING sum("minor") <> 0 ORDER BY "account" LIMIT ${maxRows}`
  ].join(" "),
  movements: [
    `SELECT "requestId", "cause", CAST(sum("minor") AS TEXT) AS "rest" FROM ${tableOf(LedgerEntry)}`,
    `GROUP BY "requestId", "cause" HAVING sum("minor") <> 0 ORDER BY "requestId", "cause" LIMIT ${maxRows}`
  ].join(" ")
})

export const ofAccount = (account: unknown, rest: unknown): string =>
  `The balance of ${account} is not the sum of its entries: they come to ${rest} more. pay reconciliation tells which orders.`

export const ofMovement = (request: unknown, cause: unknown, rest: unknown): string =>
  `The movement ${request}:${cause} does not sum to zero but to ${rest}. pay reconciliation tells of which order.`

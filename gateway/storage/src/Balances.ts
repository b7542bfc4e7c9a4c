/** The balances in SQL, which are changed only by differences. */
import { Balance } from "@pay/gateway/Entities"
import type { Statements } from "@pay/sqlite/Database"
import { quote } from "./Ddl.ts"

const select = `SELECT CAST("minor" AS TEXT) AS "minor" FROM ${quote(Balance.name)} WHERE "account" = ?`

const add = `
  INSERT INTO ${quote(Balance.name)} ("account", "minor") VALUES (?, ?)
  ON CONFLICT ("account") DO UPDATE SET "minor" = "minor" + excluded."minor"
`

/** Returns the balance of an account; 0 for an account without postings. */
export const minor = (statements: Statements, account: string): bigint =>
  BigInt(String(statements.prepare(select).get(account)?.minor ?? 0))

export const post = (statements: Statements, account: string, minor: number): void => {
  statements.prepare(add).run(account, minor)
}

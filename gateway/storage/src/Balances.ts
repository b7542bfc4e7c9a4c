/** The balances in SQL, which are changed only by differences. */
import { type Guard, hasRoom, maxBalance } from "@pay/gateway/Decision"
import { Balance } from "@pay/gateway/Entities"
import type { Statements } from "@pay/sqlite/Database"
import { quote } from "./Ddl.ts"

const select = `SELECT CAST("minor" AS TEXT) AS "minor" FROM ${quote(Balance.name)} WHERE "account" = ?`

const add = `
  INSERT INTO ${quote(Balance.name)} ("account", "minor") VALUES (?, ?)
  ON CONFLICT ("account") DO UPDATE SET "minor" = "minor" + excluded."minor"
`

const size = (minor: bigint): bigint => (minor < 0n ? -minor : minor)

/** The balances of a store that no other process writes. */
export class Balances {
  /**
   * By account, an amount that it has room for in both directions, since its balance was read. Each posting lowers it, whatever its sign,
   * also a posting that is rolled back. There are as many accounts as merchants have endpoints and currencies.
   */
  readonly #room = new Map<string, bigint>()

  /** Returns the balance of an account; 0 for an account without postings. */
  minor(statements: Statements, account: string): bigint {
    return BigInt(String(statements.prepare(select).get(account)?.minor ?? 0))
  }

  /** Whether the guard holds. The balance is read only if the amounts since it was last read could have used up its room. */
  hasRoom(statements: Statements, guard: Extract<Guard, { readonly _tag: "BalanceHasRoom" }>): boolean {
    const { account, minor } = guard
    if ((this.#room.get(account) ?? 0n) >= size(BigInt(minor))) return true
    const balance = this.minor(statements, account)
    this.#room.set(account, maxBalance - size(balance))
    return hasRoom(balance, guard)
  }

  /** Forgets what was read, because balances were written as rows. */
  forget(): void {
    this.#room.clear()
  }

  post(statements: Statements, account: string, minor: number): void {
    const room = this.#room.get(account)
    if (room !== undefined) this.#room.set(account, room - size(BigInt(minor)))
    statements.prepare(add).run(account, minor)
  }
}

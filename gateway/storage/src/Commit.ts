/** One decision as a member of the group commit: its guards are checked first, then its writes are made. */
import type { Decision, Guard, Write } from "@pay/gateway/Decision"
import { Balance } from "@pay/gateway/Entities"
import { GuardFailed } from "@pay/gateway/Store"
import type { Statements } from "@pay/sqlite/Database"
import type { Balances } from "./Balances.ts"
import * as Scheduler from "./Scheduler.ts"
import type { Tables } from "./Table.ts"

export class Commit {
  readonly #tables: Tables
  readonly #balances: Balances
  readonly #decision: Decision

  constructor(tables: Tables, balances: Balances, decision: Decision) {
    this.#tables = tables
    this.#balances = balances
    this.#decision = decision
  }

  check(statements: Statements): GuardFailed | undefined {
    for (const guard of this.#decision.guards) {
      if (!this.#holds(statements, guard)) return new GuardFailed({ guard })
    }
    return undefined
  }

  write(statements: Statements): void {
    for (const write of this.#decision.writes) this.#apply(statements, write)
    if (this.#decision.writes.some((write) => write._tag !== "Post" && write.entity === Balance))
      this.#balances.forget()
  }

  #holds(statements: Statements, guard: Guard): boolean {
    switch (guard._tag) {
      case "VersionIs":
        return this.#tables(guard.entity).hasVersion(statements, guard.key, guard.version)
      case "Absent":
        return !this.#tables(guard.entity).exists(statements, guard.values, guard.unique)
      case "LeaseIs":
        return Scheduler.isHeld(statements, guard.jobId, guard.token)
      case "BalanceAtLeast":
        return this.#balances.minor(statements, guard.account) >= guard.minor
      case "BalanceHasRoom":
        return this.#balances.hasRoom(statements, guard)
    }
  }

  #apply(statements: Statements, write: Write): void {
    switch (write._tag) {
      case "Put":
        this.#tables(write.entity).put(statements, write.row)
        break
      case "Append":
        this.#tables(write.entity).append(statements, write.row)
        break
      case "Remove":
        this.#tables(write.entity).remove(statements, write.key)
        break
      case "Post":
        this.#balances.post(statements, write.account, write.minor)
        break
    }
  }
}

/**
 * A decision of a use-case as a value: guards that must hold, and writes that then happen, all or none. Pure functions make
 * decisions; only `Store.commit` carries them out.
 */
import type * as Entity from "./Entity.ts"

export type Guard =
  /** Requires that the row still has the version that was read. */
  | {
      readonly _tag: "VersionIs"
      readonly entity: Entity.Entity
      readonly key: ReadonlyArray<Entity.Value>
      readonly version: number
    }
  /** Requires that this unique key is free. `unique` is `"key"` for the entity's own key. */
  | {
      readonly _tag: "Absent"
      readonly entity: Entity.Entity
      readonly unique: string
      readonly values: ReadonlyArray<Entity.Value>
    }
  /** Requires that the job still has this token: that of the process that claimed it, or null if none has. */
  | { readonly _tag: "LeaseIs"; readonly jobId: string; readonly token: string | null }
  /** Requires that the balance of the account, after all earlier commits, is at least `minor`. */
  | { readonly _tag: "BalanceAtLeast"; readonly account: string; readonly minor: number }
  /**
   * Requires that the account would be within `maxBalance` after a posting of `minor`. Commits at the same time may not be counted:
   * a store takes no lock for it, because balances have room beyond.
   */
  | { readonly _tag: "BalanceHasRoom"; readonly account: string; readonly minor: number }

export type Write =
  | { readonly _tag: "Put"; readonly entity: Entity.Entity; readonly row: Readonly<Record<string, Entity.Value>> }
  | { readonly _tag: "Append"; readonly entity: Entity.Entity; readonly row: Readonly<Record<string, Entity.Value>> }
  | { readonly _tag: "Remove"; readonly entity: Entity.Entity; readonly key: ReadonlyArray<Entity.Value> }
  /**
   * Adds `minor` to a balance. A balance changes by a difference, never to a value, so that decisions on one account can be made
   * concurrently.
   */
  | { readonly _tag: "Post"; readonly account: string; readonly minor: number }

export interface Decision {
  readonly guards: ReadonlyArray<Guard>
  readonly writes: ReadonlyArray<Write>
}

export const versionIs = (entity: Entity.Entity, key: ReadonlyArray<Entity.Value>, version: number): Guard => ({
  _tag: "VersionIs",
  entity,
  key,
  version
})
export const absent = (entity: Entity.Entity, unique: string, values: ReadonlyArray<Entity.Value>): Guard => ({
  _tag: "Absent",
  entity,
  unique,
  values
})
export const leaseIs = (jobId: string, token: string | null): Guard => ({ _tag: "LeaseIs", jobId, token })
/**
 * Requires that the job is still claimed under the token with which it was read. For a job without a token, the guard always
 * fails.
 */
export const leaseOf = ({ jobId, token }: { readonly jobId: string; readonly token: string | null }): Guard =>
  leaseIs(jobId, token ?? "")
export const balanceAtLeast = (account: string, minor: number): Guard => ({ _tag: "BalanceAtLeast", account, minor })

/** The largest sum of an account in minor units, in both directions. A store has room for twice as much. */
export const maxBalance = 2n ** 62n

export const balanceHasRoom = (account: string, minor: number): Guard => ({ _tag: "BalanceHasRoom", account, minor })

type RoomGuard = Extract<Guard, { readonly _tag: "BalanceHasRoom" }>

/** Returns the smallest and the largest balance for which the guard holds. A posting towards zero always has room. */
export const roomOf = ({ minor }: RoomGuard): { readonly from: bigint; readonly to: bigint } =>
  minor < 0
    ? { from: -maxBalance - BigInt(minor), to: 2n * maxBalance - 1n }
    : { from: -2n * maxBalance, to: maxBalance - BigInt(minor) }

export const hasRoom = (balance: bigint, guard: RoomGuard): boolean => {
  const { from, to } = roomOf(guard)
  return from <= balance && balance <= to
}

/** Adds the row, or replaces the row with the same key. */
export const put = <C extends Entity.Columns>(entity: Entity.Entity<C>, row: Entity.RowOf<C>): Write => ({
  _tag: "Put",
  entity,
  row
})
/**
 * Adds the row. A row with its key, or with one of its unique keys, must not exist: the guards of the decision exclude it, and a
 * violation is a defect.
 */
export const append = <C extends Entity.Columns>(entity: Entity.Entity<C>, row: Entity.RowOf<C>): Write => ({
  _tag: "Append",
  entity,
  row
})
export const remove = (entity: Entity.Entity, key: ReadonlyArray<Entity.Value>): Write => ({
  _tag: "Remove",
  entity,
  key
})
export const post = (account: string, minor: number): Write => ({ _tag: "Post", account, minor })

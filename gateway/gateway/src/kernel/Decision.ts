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
  /** Requires that the job is still claimed under this token. */
  | { readonly _tag: "LeaseIs"; readonly jobId: string; readonly token: string }
  /** Requires that the balance of the account, after all earlier commits, is at least `minor`. */
  | { readonly _tag: "BalanceAtLeast"; readonly account: string; readonly minor: number }

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
export const leaseIs = (jobId: string, token: string): Guard => ({ _tag: "LeaseIs", jobId, token })
/**
 * Requires that the job is still claimed under the token with which it was read. For a job without a token, the guard always
 * fails.
 */
export const leaseOf = ({ jobId, token }: { readonly jobId: string; readonly token: string | null }): Guard =>
  leaseIs(jobId, token ?? "")
export const balanceAtLeast = (account: string, minor: number): Guard => ({ _tag: "BalanceAtLeast", account, minor })

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

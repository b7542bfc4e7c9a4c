/**
 * What a use-case wants to become true, as a value: the guards that must hold and the writes that then happen, all or
 * none. Pure functions make decisions; `Store.commit` is the only thing that acts on them.
 */
import type * as Entity from "./Entity.ts"

export type Guard =
  /** The row is still the one that was read. */
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
  /** The job is still held under this token. */
  | { readonly _tag: "LeaseIs"; readonly itemId: string; readonly token: string }
  /** The account holds at least so much after everything decided earlier. */
  | { readonly _tag: "BalanceAtLeast"; readonly account: string; readonly minor: number }

export type Write =
  | { readonly _tag: "Put"; readonly entity: Entity.Entity; readonly row: Readonly<Record<string, Entity.Value>> }
  | { readonly _tag: "Append"; readonly entity: Entity.Entity; readonly row: Readonly<Record<string, Entity.Value>> }
  | { readonly _tag: "Remove"; readonly entity: Entity.Entity; readonly key: ReadonlyArray<Entity.Value> }
  /** Balances change by difference, never by value, so that decisions on one account need not be made one at a time. */
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
export const leaseIs = (itemId: string, token: string): Guard => ({ _tag: "LeaseIs", itemId, token })
/** The item is still held under the token with which it was claimed; one that was not claimed is held by nobody. */
export const leaseOf = ({ itemId, token }: { readonly itemId: string; readonly token: string | null }): Guard =>
  leaseIs(itemId, token ?? "")
export const balanceAtLeast = (account: string, minor: number): Guard => ({ _tag: "BalanceAtLeast", account, minor })

/** Adds the row or replaces the one with its key. */
export const put = <C extends Entity.Columns>(entity: Entity.Entity<C>, row: Entity.RowOf<C>): Write => ({
  _tag: "Put",
  entity,
  row
})
/** Adds the row; a row with its key or a unique key already there is a defect of the decision, which guards should have met. */
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

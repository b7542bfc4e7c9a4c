/**
 * What the gateway knows, durably: four methods for every entity there is or will be. A new capability adds entities and
 * decisions, never a method here.
 */
import { Context, Data, type Effect, Schema } from "effect"
import type { Decision, Guard } from "./Decision.ts"
import type * as Entity from "./Entity.ts"
import type { Job, Kind } from "./Job.ts"

/** A guard did not hold: nothing was written. The first one that failed, in the decision's order. */
export class GuardFailed extends Data.TaggedError("GuardFailed")<{ readonly guard: Guard }> {}

/** The store cannot serve now, or cannot say whether a commit happened: ask again by what the decision would have written. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  /** True when the commit may have happened. */
  outcomeUnknown: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** Rows of an index, or of the `"key"`, whose leading columns equal `equals`, the next column within `from`..`to` (both inclusive), in index order. */
export interface Range {
  readonly equals?: ReadonlyArray<Entity.Value>
  readonly from?: Entity.Value
  readonly to?: Entity.Value
  readonly limit: number
  readonly descending?: boolean
}

export interface Claim {
  /** What is done together is claimed together: one kind never uses up the limit of another. */
  readonly kind: Kind
  readonly nowMs: number
  readonly limit: number
  /** At most so many of one merchant. Default: as many as `limit`. */
  readonly each?: number
  /** Merchants of whom nothing is taken. */
  readonly except?: ReadonlyArray<string>
  readonly leaseMs: number
  /** Written into every claimed item; unique to this claim. */
  readonly token: string
}

export class Store extends Context.Service<
  Store,
  {
    /** No other process can hold this store open, so a lease found when it is opened is nobody's. */
    readonly exclusive: boolean
    /** The row with this key (`unique` = `"key"`) or unique key; reads never see a commit that is not durable. */
    readonly load: <C extends Entity.Columns>(
      entity: Entity.Entity<C>,
      values: ReadonlyArray<Entity.Value>,
      unique?: string
    ) => Effect.Effect<Entity.RowOf<C> | undefined, StoreUnavailable>
    readonly find: <C extends Entity.Columns>(
      entity: Entity.Entity<C>,
      index: string,
      range: Range
    ) => Effect.Effect<ReadonlyArray<Entity.RowOf<C>>, StoreUnavailable>
    /**
     * Takes up to `limit` jobs of the kind that are due and not under a live lease, durably: merchants take turns, the
     * oldest item of each comes first. Each item gets the token, a lease until `nowMs + leaseMs`, one more `openAttempts`, and `startedAtMs` if it had none. Answers the
     * rows as they are after the claim.
     */
    readonly claimDue: (claim: Claim) => Effect.Effect<ReadonlyArray<Job>, StoreUnavailable>
    /** All of it or nothing of it; success means it is on disk. */
    readonly commit: (decision: Decision) => Effect.Effect<void, GuardFailed | StoreUnavailable>
    /** Calls back when another process has left jobs that are due. Such a call may be missed: what is due is looked for all the same. */
    readonly onDue?: (wake: () => void) => void
  }
>()("@pay/gateway/Store") {}

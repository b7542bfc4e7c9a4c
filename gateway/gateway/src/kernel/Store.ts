/**
 * The port of the durable store: four methods for every present and future entity. A new capability adds entities and decisions,
 * never a method here.
 */
import { Context, Data, type Effect, Predicate, Schema } from "effect"
import type { Decision, Guard } from "./Decision.ts"
import type * as Entity from "./Entity.ts"
import type { Job, Kind } from "./Job.ts"

/** A guard did not hold, so nothing was written. `guard` is the first one that failed, in the decision's order. */
export class GuardFailed extends Data.TaggedError("GuardFailed")<{ readonly guard: Guard }> {}

/**
 * The store cannot serve now, or does not know whether a commit happened. The caller then reads what the decision would have
 * written.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  /** True when the commit may have happened. */
  outcomeUnknown: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    const what = this.outcomeUnknown ? "it is not known whether the store has committed" : "the store cannot serve"
    return `${what}: ${reasonOf(this.cause) ?? "no reason was given"}`
  }
}

/** Returns what a person reads of a cause: the first message, or code of an error without a message, in its chain of causes. */
const reasonOf = (cause: unknown): string | undefined => {
  if (typeof cause === "string") return cause
  if (!Predicate.isObject(cause)) return undefined
  const texts = ["message", "code"].map((name): unknown => Reflect.get(cause, name))
  return (
    texts.find((text) => typeof text === "string" && text !== "")?.toString() ?? reasonOf(Reflect.get(cause, "cause"))
  )
}

/**
 * A range of rows of an index, or of the `"key"`. The leading columns equal `equals`, the next column is within `from`..`to`
 * (both inclusive), and the rows are in the order of the index.
 */
export interface Range {
  readonly equals?: ReadonlyArray<Entity.Value>
  readonly from?: Entity.Value
  readonly to?: Entity.Value
  readonly limit: number
  readonly descending?: boolean
}

export interface Claim {
  /** The kind of jobs to claim. Each kind has claims of its own, so no kind uses up the limit of another. */
  readonly kind: Kind
  readonly nowMs: number
  readonly limit: number
  /** Largest number of jobs of one merchant. Default: `limit`. */
  readonly each?: number
  /** Merchants whose jobs are not claimed. */
  readonly except?: ReadonlyArray<string>
  readonly leaseMs: number
  /** Written into every claimed job; unique to this claim. */
  readonly token: string
}

/** The reads of a store. */
export interface Reads {
  /**
   * Returns the row with this key (`unique` = `"key"`) or unique key. Reads never return the result of a commit that is not
   * durable.
   */
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
}

export class Store extends Context.Service<
  Store,
  Reads & {
    /**
     * Whether no other process can have this store open. If so, a lease that exists when the store is opened belongs to no
     * process.
     */
    readonly exclusive: boolean
    /**
     * Claims, durably, up to `limit` jobs of the kind that are due and not under a live lease. Merchants take turns; the oldest
     * job of each comes first. Each job gets the token, a lease until `nowMs + leaseMs`, one more `openAttempts`, and
     * `startedAtMs` if it had none. Returns the rows after the claim.
     */
    readonly claimDue: (claim: Claim) => Effect.Effect<ReadonlyArray<Job>, StoreUnavailable>
    /** Commits the whole decision or nothing. Success means that the commit is durable. */
    readonly commit: (decision: Decision) => Effect.Effect<void, GuardFailed | StoreUnavailable>
    /**
     * Whether the disk of the store has room only for work that is under way, so that no new orders may be taken. Absent: it always
     * has.
     */
    readonly isShort?: () => boolean
    /** Business time of the last commit before the store was opened. Absent: it is unknown. */
    readonly lastCommitAtMs?: number | undefined
    /** The time of a clock that is not this machine's, in milliseconds. Absent: there is none. */
    readonly clockMs?: Effect.Effect<number, StoreUnavailable>
    /** Calls `wake` when another process has created due jobs. Calls may be missed, so the scheduler also looks at every tick. */
    readonly onDue?: (wake: () => void) => void
    /**
     * Reads on connections of their own, for people and programs that look at many rows: they hold up no payment. They may see a commit
     * a moment before it is acknowledged. Absent: the store has no other connections.
     */
    readonly aside?: Reads | undefined
  }
>()("@pay/gateway/Store") {}

/** Returns the store with its reads on connections of their own, where it has such. */
export const readingAside = (store: Store["Service"]): Store["Service"] => ({ ...store, ...store.aside })

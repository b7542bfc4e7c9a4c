/** What an engine can do with flows. */
import type { Effect, Schema, Scope } from "effect"
import type { ExecuteError, FlowUnfit, StorageFailed } from "../order/FlowError.ts"
import type * as Definition from "./Definition.ts"
import type { ExecutionStatus, NotStarted, Wait } from "./ExecutionStatus.ts"
import type { Identity } from "./Steps.ts"

type F = Definition.Fields
type W = Definition.Written

/** An execution that has not ended. */
export interface OpenExecution {
  /** Its id, which operators can read: `CardSale@shop-7@gateway.example/order-1`. */
  readonly id: string
  readonly flow: string
  readonly state: "running" | "waiting" | "stuck"
  readonly startedAtMs: number
  readonly changedAtMs: number
  /** What a waiting execution waits for. On a cluster, the name of a wait for a signal is its key. */
  readonly waits: ReadonlyArray<Wait>
  /** The reason why the execution is stuck. */
  readonly stuckOn?: string
}

/** Counters of the engine in this process since its start. The object itself stays the same. */
export interface Statistics {
  /** Number of runs: the first one of each execution, and one for each time that it continued after a wait. */
  readonly runs: number
  /** Number of steps that were executed, without those whose result was recorded. */
  readonly steps: number
  /** Number of writes to the file of the engine, and of the commits that contain them. */
  readonly writes?: { readonly jobs: number; readonly commits: number }
}

/** An engine. The methods of a flow call it. */
export interface Shape {
  /**
   * Executes a flow, or joins its execution, and returns its result. Dies with the reason if the execution is stuck, and interrupts
   * the caller if it was interrupted. In memory, the execution is interrupted with the last caller that waits for it.
   */
  readonly execute: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    payload: Schema.Struct.Type<P>,
    merchant: string
  ) => Effect.Effect<A["Type"], E["Type"] | ExecuteError, R>
  /** Starts a flow, or joins its execution, and returns its id. */
  readonly start: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    payload: Schema.Struct.Type<P>,
    merchant: string
  ) => Effect.Effect<string, ExecuteError, R>
  readonly poll: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    identity: Identity
  ) => Effect.Effect<ExecutionStatus<A["Type"], E["Type"]>, NotStarted | StorageFailed>
  /** Waits until the latest attempt has ended or is stuck. */
  readonly ended: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    identity: Identity
  ) => Effect.Effect<ExecutionStatus<A["Type"], E["Type"]>, NotStarted | StorageFailed>
  /** Interrupts the latest attempt if it has not ended. Its finalizers run. */
  readonly interrupt: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    identity: Identity
  ) => Effect.Effect<void, StorageFailed>
  /** Continues the latest attempt if it is stuck. In memory, where no steps are recorded, its whole program runs again. */
  readonly resume: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    identity: Identity
  ) => Effect.Effect<void, StorageFailed>
  /** Lets the engine run the flow of this merchant with the services of the context, until the scope ends. */
  readonly register: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    merchant: string
  ) => Effect.Effect<void, FlowUnfit, R | Scope.Scope>
  /** Wakes the flows that wait for the key. If none does, the signal is kept for the first that will. */
  readonly signal: (key: string, value?: string) => Effect.Effect<void, StorageFailed>
  /**
   * Returns the executions in this state, the longest unchanged first. `after`: the last one of the previous page. On a cluster, those
   * of all runners. An execution whose flow the engine does not have is stuck.
   */
  readonly list: (options: {
    readonly state: OpenExecution["state"]
    readonly limit: number
    readonly after?: OpenExecution | undefined
  }) => Effect.Effect<ReadonlyArray<OpenExecution>, StorageFailed>
  /** Completes when no flow runs on the engine and none is due. Use it in tests and before a planned stop. */
  readonly settled: Effect.Effect<void>
  readonly statistics: Statistics
}

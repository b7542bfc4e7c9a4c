/** The executions of the workflow engine, for operators and for the code around workflows. */

import type * as GroupCommit from "@pay/sqlite/GroupCommit"
import type { SqliteError } from "@pay/sqlite/SqliteError"
import { Context, type Duration, type Effect, type Option } from "effect"
import type { Workflow, WorkflowEngine } from "effect/workflow"
import type { State } from "./engine/Records.ts"

export type { Cipher } from "./engine/Encoding.ts"
export type { State } from "./engine/Records.ts"

/** Something that an execution waits for: a clock, or a signal under a `key`, in each case at most until `dueAtMs`. */
export interface Wait {
  readonly name: string
  readonly dueAtMs: number
  readonly key: string | undefined
}

export interface Execution {
  readonly executionId: string
  readonly workflow: string
  readonly state: State
  /** Version number of the execution. It increases with each event of the execution. */
  readonly revision: number
  readonly startedAtMs: number
  readonly changedAtMs: number
  /** True: an interruption was requested. */
  readonly interrupting: boolean
  readonly waits: ReadonlyArray<Wait>
  /** A message with the reason why the execution is stuck; undefined if it is not stuck. */
  readonly stuckOn: string | undefined
}

/** A request to start an execution. */
export interface Start {
  readonly executionId: string
  readonly payload: object
  /** Keys of the payload, as JSON, that are ignored when payloads are compared. */
  readonly ignores?: ReadonlyArray<string>
}

/** Nothing was written, or (for `CommitUnknown`) it is unknown whether it was. Repeat the call with the same id. */
export type StorageError = SqliteError | GroupCommit.CommitUnknown

/** Counters of the engine since its start. The object itself stays the same. */
export interface Statistics {
  /** Number of runs: the first one of each execution, and one for each time that it continued after a wait. */
  readonly runs: number
  /** Number of activities that were executed, without those whose result came from the journal. */
  readonly activities: number
  /** Number of batches of due clocks. */
  readonly ticks: number
  /** Number of writes, and of the commits that contain them. */
  readonly writes: GroupCommit.Statistics
}

export class Executions extends Context.Service<
  Executions,
  {
    /**
     * Starts an execution. If one with this id exists, nothing is started. The execution is stored durably when this succeeds.
     */
    readonly start: (workflow: Workflow.Any, start: Start) => Effect.Effect<"begun" | "known", StorageError>
    /** Whether the execution with this id was started with another payload, or is one of another workflow. */
    readonly isOther: (workflow: Workflow.Any, start: Start) => Effect.Effect<boolean, SqliteError>
    readonly find: (executionId: string) => Effect.Effect<Option.Option<Execution>, SqliteError>
    /** Lists executions in a state that is not final, the longest unchanged first. `after`: the last one of the previous page. */
    readonly open: (options: {
      readonly state: Exclude<State, "finished">
      readonly limit: number
      readonly after?: Pick<Execution, "changedAtMs" | "executionId"> | undefined
    }) => Effect.Effect<ReadonlyArray<Execution>, SqliteError>
    /** Ends an execution at its current wait, or where it would wait next. Does nothing if no such execution exists. */
    readonly interrupt: (executionId: string) => Effect.Effect<void, StorageError>
    /** Returns how the latest run ended. Returns `None` while the execution runs, and if no such execution exists. */
    readonly result: (
      workflow: Workflow.Any,
      executionId: string
    ) => Effect.Effect<Option.Option<Workflow.Result<unknown, unknown>>, SqliteError>
    /** Continues a stuck execution. Does nothing if no such execution exists. */
    readonly resume: (executionId: string) => Effect.Effect<void, StorageError>
    /** Sends the value to the executions that wait for the key, or keeps it for the first one that will. */
    readonly signal: (key: string, value: string) => Effect.Effect<void, StorageError>
    /** For use in an execution: waits for the next signal under the key. Returns `None` when the time is over. */
    readonly awaitSignal: (options: {
      /** Unique within the workflow, like the names of its activities. */
      readonly name: string
      readonly key: string
      readonly timeout: Duration.Input
    }) => Effect.Effect<Option.Option<string>, never, WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance>
    /**
     * For use in an execution: whether it has requested an activity, a clock or a signal with this name, in this run or an
     * earlier one.
     */
    readonly hasRequested: (name: string) => Effect.Effect<boolean, never, WorkflowEngine.WorkflowInstance>
    /**
     * For use in an execution: writes a text that all executions share under the key, unless there is one. Returns the text that is
     * there.
     */
    readonly writeEntry: (key: string, text: string) => Effect.Effect<string, never, WorkflowEngine.WorkflowInstance>
    readonly readEntry: (key: string) => Effect.Effect<Option.Option<string>, never, WorkflowEngine.WorkflowInstance>
    /**
     * Waits until the execution has finished or is stuck. Returns `Complete`, or `Suspended` with the cause. Fails if a run could not
     * be stored. The engine then runs the execution again, until the storage works.
     */
    readonly atRest: (
      workflow: Workflow.Any,
      executionId: string
    ) => Effect.Effect<Workflow.Result<unknown, unknown>, StorageError>
    /** The time of the earliest clock; undefined if there is none. */
    readonly nextDueMs: Effect.Effect<number | undefined, SqliteError>
    /** Number of executions that run in this process. */
    readonly running: () => number
    /** Completes when nothing runs, nothing is to be run, and no clock is due. */
    readonly settled: Effect.Effect<void>
    readonly statistics: Statistics
  }
>()("@pay/workflow-sqlite/Executions") {}

/** The executions of the workflow engine as operators and the code around workflows see them. */

import type * as GroupCommit from "@pay/sqlite/GroupCommit"
import type { SqliteError } from "@pay/sqlite/SqliteError"
import { Context, type Duration, type Effect, type Option, Schema } from "effect"
import type { Workflow, WorkflowEngine } from "effect/workflow"
import type { State } from "./engine/Records.ts"

export type { Seal } from "./engine/Encoding.ts"
export type { State } from "./engine/Records.ts"

/** What an execution waits for: a clock, or a signal under a `key`, at the latest until `dueAtMs`. */
export interface Wait {
  readonly name: string
  readonly dueAtMs: number
  readonly key: string | undefined
}

export interface Execution {
  readonly executionId: string
  readonly workflow: string
  readonly state: State
  /** Grows with what happens to it. */
  readonly revision: number
  readonly startedAtMs: number
  readonly changedAtMs: number
  /** Somebody asked that it end. */
  readonly interrupting: boolean
  readonly waits: ReadonlyArray<Wait>
  /** What it is stuck on, for people. */
  readonly stuckOn: string | undefined
}

/** The id is taken by an execution of another payload or another workflow. */
export class PayloadDiffers extends Schema.TaggedError<PayloadDiffers>()("PayloadDiffers", {
  executionId: Schema.String,
  workflow: Schema.String
}) {
  override get message(): string {
    return `${this.workflow} ${this.executionId} was started with another payload: give it an id of its own`
  }
}

/** Nothing was written, or (`CommitUnknown`) it is not known whether: ask again under the same id. */
export type StorageError = SqliteError | GroupCommit.CommitUnknown

/** What the engine did so far; the object stays the same. */
export interface Statistics {
  /** Runs begun: a first one for each execution, and one each time it went on after a wait. */
  readonly runs: number
  /** Activities carried out, not counting those that were told from the journal. */
  readonly activities: number
  /** Batches of due clocks. */
  readonly ticks: number
  /** How many writes went to the disk in how many commits. */
  readonly writes: GroupCommit.Statistics
}

export class Executions extends Context.Service<
  Executions,
  {
    /** Begins an execution, or joins it: the same id twice is once. It is on the disk when this succeeds. */
    readonly start: (
      workflow: Workflow.Any,
      options: {
        readonly executionId: string
        readonly payload: object
        /** Keys of the payload, as JSON, that do not tell one payload from another. */
        readonly ignores?: ReadonlyArray<string>
        /** Begins it anew, if it has ended and is still as it was read here. */
        readonly renews?: Execution | undefined
      }
    ) => Effect.Effect<"started" | "known", PayloadDiffers | StorageError>
    readonly find: (executionId: string) => Effect.Effect<Option.Option<Execution>, SqliteError>
    /** Those that have not ended, the ones longest unchanged first; `after` is the last of the page before. */
    readonly open: (options: {
      readonly state: Exclude<State, "finished">
      readonly limit: number
      readonly after?: Execution | undefined
    }) => Effect.Effect<ReadonlyArray<Execution>, SqliteError>
    /** Those whose ids begin so and that have ended, by id; `after` is the last of the page before. */
    readonly ended: (options: {
      readonly prefix: string
      readonly limit: number
      readonly after?: Execution | undefined
    }) => Effect.Effect<ReadonlyArray<Execution>, SqliteError>
    /** Goes on with one that is stuck; does nothing where there is none. */
    readonly resume: (executionId: string) => Effect.Effect<void, StorageError>
    /** Hands the value to the executions that await the key, or keeps it for the first that will. */
    readonly signal: (key: string, value: string) => Effect.Effect<void, StorageError>
    /** Within an execution: the next signal under the key, or nothing when the time is over. */
    readonly awaitSignal: (options: {
      /** Unique within the workflow, like the names of its activities. */
      readonly name: string
      readonly key: string
      readonly timeout: Duration.Input
    }) => Effect.Effect<Option.Option<string>, never, WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance>
    /**
     * Within an execution: whether it has asked for an activity, a clock or a signal of this name, in this run or one before. A
     * changed definition tells by it what the former one did.
     */
    readonly hasAsked: (name: string) => Effect.Effect<boolean, never, WorkflowEngine.WorkflowInstance>
    /** What it has come to, once it has ended or is stuck: `Complete`, or `Suspended` with the cause. */
    readonly atRest: (
      workflow: Workflow.Any,
      executionId: string
    ) => Effect.Effect<Workflow.Result<unknown, unknown>, SqliteError>
    /** When the earliest clock rings; undefined when none is set. */
    readonly nextDueMs: Effect.Effect<number | undefined, SqliteError>
    /** Executions running in this process. */
    readonly running: () => number
    /** Completes when nothing runs, nothing is to be run, and no clock is due. */
    readonly settled: Effect.Effect<void>
    readonly statistics: Statistics
  }
>()("@pay/sqlite/Executions") {}

/** One run of an execution: the entries that were recorded before it, and which of these it has requested so far. */

import type { Statements } from "@pay/sqlite/Database"
import { type Cause, Context, type Exit, type Fiber, Schema } from "effect"
import { type Workflow, WorkflowEngine } from "effect/workflow"
import type { StorageError } from "../Executions.ts"
import { RecordedEntries } from "./RecordedEntries.ts"
import type * as Records from "./Records.ts"

/**
 * Annotation of a workflow whose replay must request every recorded activity and every clock that was set. Without it, a
 * definition that changed its steps is replayed as far as the names match.
 */
export const StrictReplay = Context.Reference<boolean>("@pay/workflow-sqlite/StrictReplay", {
  defaultValue: () => false
})

/** Returns the first three names. More would hide the end of a message. */
const someOf = (names: ReadonlyArray<string>): string =>
  names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`

/** The definition has changed since this execution started. */
export class DefinitionChanged extends Schema.TaggedError<DefinitionChanged>()("DefinitionChanged", {
  workflow: Schema.String,
  executionId: Schema.String,
  /** Steps that had been done or started, and that the changed definition does not request. */
  recorded: Schema.Array(Schema.String),
  /** The step that the changed definition requests instead; absent at its end. */
  requestedStep: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    const now = this.requestedStep === undefined ? "ends without them" : `requests ${this.requestedStep} instead`
    return (
      `${this.workflow} ${this.executionId} has recorded ${someOf(this.recorded)}, and its definition now ${now}: ` +
      "steps of a definition with open executions must not be renamed, removed or inserted. " +
      "Deploy the earlier definition and call resume, and give the changed one a new name"
    )
  }
}

export class Run extends RecordedEntries {
  readonly instance: WorkflowEngine.WorkflowInstance["Service"]
  readonly #workflow: Workflow.Any
  /** Deferreds for which the activities themselves wait. */
  readonly activityAwaits = new Map<string, number>()
  /** True: the body of the workflow has ended, and its finalizers run. */
  isClosing = false
  readonly wakes: number
  interrupt: number
  /** Why the execution cannot continue. It is then stuck, whatever the result of the run. */
  failure: Cause.Cause<unknown> | undefined
  /** The failure of the database during the run. The execution runs again, and the result of this run does not count. */
  lost: StorageError | undefined
  fiber: Fiber.Fiber<unknown, unknown> | undefined
  exit: Exit.Exit<Workflow.Result<unknown, unknown>> | undefined

  constructor(row: Records.Row, workflow: Workflow.Any, db: Statements) {
    super(row.id, Context.get(workflow.annotations, StrictReplay), db)
    this.#workflow = workflow
    this.wakes = row.wakes
    this.interrupt = row.interrupt
    this.instance = WorkflowEngine.WorkflowInstance.initial(workflow, row.id)
  }

  changed(expected?: string): DefinitionChanged {
    return new DefinitionChanged({
      workflow: this.#workflow._tag,
      executionId: this.id,
      recorded: this.unrequested.map(readable),
      ...(expected === undefined ? {} : { requestedStep: readable(expected) })
    })
  }

  /** Ends the run at its current step, without its finalizers. */
  stop(): void {
    this.instance.abandoned = true
    this.fiber?.interruptUnsafe()
  }
}

/**
 * Returns an entry as text for people: `activity/sale/1` is the step "sale", `deferred/DurableClock/pause` the clock
 * "pause".
 */
const readable = (entry: string): string => {
  const { attempt, name, signal, step } =
    /^(?:activity\/(?<step>.*)\/(?<attempt>\d+)|deferred\/(?:(?<signal>Signal)|DurableClock)\/(?<name>.*))$/s.exec(
      entry
    )?.groups ?? {}
  if (step === undefined) return `the ${signal === undefined ? "clock" : "signal"} "${name}"`
  return attempt === "1" ? `"${step}"` : `attempt ${attempt} of "${step}"`
}

/** One run of an execution: the entries that were recorded before it, and which of these it has requested so far. */

import type { Statements } from "@pay/sqlite/Database"
import { type Cause, Context, type Exit, type Fiber, Schema } from "effect"
import { type Workflow, WorkflowEngine } from "effect/workflow"
import type { StorageError } from "../Executions.ts"
import * as Records from "./Records.ts"
import * as Waits from "./Waits.ts"

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

/** An entry, and how many entries were recorded when the run requested it. */
interface Counted {
  readonly entry: string
  readonly recordedBefore: number
}

export class Run {
  readonly id: string
  readonly instance: WorkflowEngine.WorkflowInstance["Service"]
  readonly #workflow: Workflow.Any
  readonly #journal = new Map<string, Records.Stored>()
  /** Recorded entries that this run has not requested yet. Empty unless the workflow has `StrictReplay`. */
  readonly #unrequested = new Set<string>()
  /**
   * The recorded entries in the order in which they were requested. `#first` is the index of the first entry that is still
   * unrequested.
   */
  readonly #order: ReadonlyArray<Counted> = []
  #first = 0
  /** For each entry, how many entries were recorded before it. */
  readonly #places = new Map<string, number>()
  readonly #clocks = new Set<string>()
  /** Deferreds for which the activities themselves wait. */
  readonly activityAwaits = new Map<string, number>()
  /** Number of entries that the run has requested, recorded or not. */
  requests = 0
  /** True: the body of the workflow has ended, and its finalizers run. */
  isClosing = false
  readonly strict: boolean
  readonly wakes: number
  interrupt: number
  /** Why the execution cannot continue. It is then stuck, whatever the result of the run. */
  failure: Cause.Cause<unknown> | undefined
  /** The failure of the database during the run. The execution runs again, and the result of this run does not count. */
  lost: StorageError | undefined
  fiber: Fiber.Fiber<unknown, unknown> | undefined
  exit: Exit.Exit<Workflow.Result<unknown, unknown>> | undefined

  constructor(row: Records.Row, workflow: Workflow.Any, db: Statements) {
    this.id = row.id
    this.#workflow = workflow
    this.wakes = row.wakes
    this.interrupt = row.interrupt
    this.instance = WorkflowEngine.WorkflowInstance.initial(workflow, row.id)
    this.strict = Context.get(workflow.annotations, StrictReplay)
    const order: Array<Counted> = []
    for (const { deferred, place } of db.prepare("SELECT deferred, place FROM clock WHERE execution = ?").all(row.id)) {
      const entry = Records.entryOf.deferred(Records.text(deferred))
      this.#clocks.add(entry)
      order.push({ entry, recordedBefore: Number(place) })
    }
    for (const { entry, place, recordedBefore, value } of db
      .prepare(
        "SELECT entry, value, place, coalesce(requested_place, place) AS recordedBefore FROM journal WHERE execution = ?"
      )
      .all(row.id)) {
      const name = Records.text(entry)
      this.#journal.set(name, Records.stored(value))
      if (!witnesses.some((start) => name.startsWith(start))) continue
      order.push({ entry: name, recordedBefore: Number(recordedBefore) })
      this.#places.set(name, Number(place))
    }
    if (!this.strict) return
    this.#order = order.toSorted((one, other) => one.recordedBefore - other.recordedBefore)
    for (const { entry } of order) {
      // The body of the workflow does not request entries that finalizers requested.
      if (!this.#journal.has(Records.entryOf.closing(entry))) this.#unrequested.add(entry)
    }
  }

  /** Loads the entries that were recorded in the meantime. */
  refresh(db: Statements): void {
    for (const row of db.prepare("SELECT entry, value FROM journal WHERE execution = ?").all(this.id)) {
      this.#journal.set(Records.text(row.entry), Records.stored(row.value))
    }
  }

  /** Returns the recorded value of an entry, as far as this run has loaded it, and marks the entry as requested. */
  request(entry: string): Records.Stored | undefined {
    this.requests += 1
    this.#unrequested.delete(entry)
    return this.#journal.get(entry)
  }

  /** Whether all entries were requested that had been requested when this one was recorded. */
  isInTurn(entry: string): boolean {
    const place = this.#places.get(entry) ?? -1
    let next = this.#order[this.#first]
    while (next !== undefined && !this.#unrequested.has(next.entry)) next = this.#order[++this.#first]
    return next === undefined || next.recordedBefore > place
  }

  /** Number of entries that this run knows as recorded. */
  get recordedCount(): number {
    return this.#journal.size
  }

  knows(entry: string): boolean {
    return this.#journal.has(entry)
  }

  /** Whether an activity, a clock or a signal with this name was requested, in this run or an earlier one. */
  hasRequested(name: string): boolean {
    const clock = Records.entryOf.deferred(Waits.clockDeferred(name))
    const signal = Records.entryOf.deferred(Waits.signalDeferred(name))
    const entries = [Records.entryOf.activity(name, 1), clock, signal]
    return entries.some((entry) => this.#journal.has(entry) || this.#clocks.has(entry))
  }

  know(entry: string, value: Records.Stored): void {
    this.#journal.set(entry, value)
  }

  /** Whether the clock of the deferred was set. It may have completed since. */
  requestClock(entry: string): boolean {
    return this.request(entry) !== undefined || this.#clocks.has(entry)
  }

  knowClock(entry: string): void {
    this.#clocks.add(entry)
  }

  get unrequestedCount(): number {
    return this.#unrequested.size
  }

  changed(expected?: string): DefinitionChanged {
    return new DefinitionChanged({
      workflow: this.#workflow._tag,
      executionId: this.id,
      recorded: [...this.#unrequested].map(readable),
      ...(expected === undefined ? {} : { requestedStep: readable(expected) })
    })
  }

  /** Ends the run at its current step, without its finalizers. */
  stop(): void {
    this.instance.abandoned = true
    this.fiber?.interruptUnsafe()
  }
}

/** Prefixes of journal entries that exist only because the definition requested them. */
const witnesses = [
  "activity/",
  Records.entryOf.deferred(Waits.clockDeferred("")),
  Records.entryOf.deferred(Waits.signalDeferred(""))
]

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

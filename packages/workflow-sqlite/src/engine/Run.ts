/** One run of an execution: what was recorded before it, and what of that it has asked for so far. */

import type { Statements } from "@pay/sqlite/Database"
import { type Cause, Context, type Exit, type Fiber, Schema } from "effect"
import { type Workflow, WorkflowEngine } from "effect/workflow"
import type { StorageError } from "../Executions.ts"
import * as Records from "./Records.ts"
import * as Waits from "./Waits.ts"

/**
 * Annotates a workflow whose replay must ask for every activity that was recorded and every clock that was set. Without
 * it, a definition that changed its steps is replayed as far as the names fit.
 */
export const StrictReplay = Context.Reference<boolean>("@pay/sqlite/StrictReplay", { defaultValue: () => false })

/** The definition is no longer the one that this execution began with. */
export class DefinitionChanged extends Schema.TaggedError<DefinitionChanged>()("DefinitionChanged", {
  workflow: Schema.String,
  executionId: Schema.String,
  /** What had been done or begun, and is no longer asked for. */
  recorded: Schema.Array(Schema.String),
  /** The step that the changed definition requests instead; absent at its end. */
  requestedStep: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    const now = this.requestedStep === undefined ? "it ends" : `it asks for ${this.requestedStep}`
    return (
      `${this.workflow} ${this.executionId} had come past ${this.recorded.join(", ")}, and now ${now}: ` +
      "steps of a definition with open executions may not be renamed, removed or put before others. " +
      "Deploy the former definition and resume, or give the new one a name of its own"
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
  /** Recorded, and not asked for yet by this run; kept only where every replay must ask for all. */
  readonly #unasked = new Set<string>()
  /**
   * The recorded entries in the order in which they were asked for. `#first` is the index of the first entry that is still
   * unasked.
   */
  readonly #order: ReadonlyArray<Counted> = []
  #first = 0
  /** When each was recorded. */
  readonly #places = new Map<string, number>()
  readonly #clocks = new Set<string>()
  /** What its activities wait for themselves. */
  readonly activityAwaits = new Map<string, number>()
  /** The program has come to its end, and its finalizers run. */
  isClosing = false
  readonly strict: boolean
  readonly wakes: number
  interrupt: number
  /** Why it cannot go on; then it is stuck, whatever the program made of it. */
  failure: Cause.Cause<unknown> | undefined
  /** The storage failed under it: it is run again, and nothing of its end counts. */
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
    this.refresh(db)
    const order: Array<Counted> = []
    for (const { deferred, place } of db.prepare("SELECT deferred, place FROM clock WHERE execution = ?").all(row.id)) {
      const entry = Records.entryOf.deferred(Records.text(deferred))
      this.#clocks.add(entry)
      order.push({ entry, recordedBefore: Number(place ?? 0) })
    }
    if (!this.strict) return
    for (const { entry, place, recordedBefore } of db
      .prepare(
        "SELECT entry, place, coalesce(journal.asked, place, 0) AS recordedBefore FROM journal WHERE execution = ?"
      )
      .all(row.id)) {
      const name = Records.text(entry)
      if (!witnesses.some((start) => name.startsWith(start))) continue
      order.push({ entry: name, recordedBefore: Number(recordedBefore) })
      if (place !== null) this.#places.set(name, Number(place))
    }
    this.#order = order.toSorted((one, other) => one.recordedBefore - other.recordedBefore)
    for (const { entry } of order) {
      // What finalizers have asked for, the program does not.
      if (!this.#journal.has(Records.entryOf.closing(entry))) this.#unasked.add(entry)
    }
  }

  /** Learns what others have recorded since. */
  refresh(db: Statements): void {
    for (const row of db.prepare("SELECT entry, value FROM journal WHERE execution = ?").all(this.id)) {
      this.#journal.set(Records.text(row.entry), Records.stored(row.value))
    }
  }

  /** What stands recorded, as far as this run knows. */
  ask(entry: string): Records.Stored | undefined {
    this.#unasked.delete(entry)
    return this.#journal.get(entry)
  }

  /** Whether all has been asked for that had been when this was recorded. */
  isInTurn(entry: string): boolean {
    const place = this.#places.get(entry) ?? -1
    let next = this.#order[this.#first]
    while (next !== undefined && !this.#unasked.has(next.entry)) next = this.#order[++this.#first]
    return next === undefined || next.recordedBefore > place
  }

  knows(entry: string): boolean {
    return this.#journal.has(entry)
  }

  /** Whether a step, a pause or a wait of this name was asked for, in whatever run. */
  hasAsked(name: string): boolean {
    const clock = Records.entryOf.deferred(Waits.clockDeferred(name))
    const signal = Records.entryOf.deferred(Waits.signalDeferred(name))
    const entries = [Records.entryOf.activity(name, 1), clock, signal]
    return entries.some((entry) => this.#journal.has(entry) || this.#clocks.has(entry))
  }

  know(entry: string, value: Records.Stored): void {
    this.#journal.set(entry, value)
  }

  /** Whether the clock of the deferred was set, and may have rung. */
  askClock(entry: string): boolean {
    return this.ask(entry) !== undefined || this.#clocks.has(entry)
  }

  knowClock(entry: string): void {
    this.#clocks.add(entry)
  }

  get unasked(): number {
    return this.#unasked.size
  }

  changed(expected?: string): DefinitionChanged {
    return new DefinitionChanged({
      workflow: this.#workflow._tag,
      executionId: this.id,
      recorded: [...this.#unasked].map(readable),
      ...(expected === undefined ? {} : { requestedStep: readable(expected) })
    })
  }

  /** Ends the run where it is, without its finalizers. */
  stop(): void {
    this.instance.abandoned = true
    this.fiber?.interruptUnsafe()
  }
}

/** What stands in the journal only because the definition asked for it. */
const witnesses = [
  "activity/",
  Records.entryOf.deferred(Waits.clockDeferred("")),
  Records.entryOf.deferred(Waits.signalDeferred(""))
]

/** `activity/sale/1` is the step "sale", `deferred/DurableClock/pause` the clock "pause". */
const readable = (entry: string): string => {
  const { attempt, name, signal, step } =
    /^(?:activity\/(?<step>.*)\/(?<attempt>\d+)|deferred\/(?:(?<signal>Signal)|DurableClock)\/(?<name>.*))$/s.exec(
      entry
    )?.groups ?? {}
  if (step === undefined) return `the ${signal === undefined ? "clock" : "signal"} "${name}"`
  return attempt === "1" ? `"${step}"` : `attempt ${attempt} of "${step}"`
}

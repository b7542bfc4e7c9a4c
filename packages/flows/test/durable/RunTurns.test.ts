/** Tests the marks of interrupted parts of a durable flow. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Option } from "effect"
import { Workflow, WorkflowEngine } from "effect/workflow"
import * as RunTurns from "../../src/durable/RunTurns.ts"
import { Signals } from "../../src/durable/Signals.ts"

const signals = Signals.of({
  awaitSignal: () => Effect.succeedNone,
  signal: () => Effect.void,
  sleep: () => Effect.void,
  isRecorded: () => Effect.succeed(false),
  turns: {
    write: (_order, _entry, text) => Effect.succeed(text),
    read: () => Effect.succeed(Option.none()),
    hasEnded: () => Effect.succeed(false)
  }
})

describe("a part of a durable flow", () => {
  it("leaves its turn if it is interrupted, and keeps it if its flow is suspended", () => {
    const workflow = Workflow.make("Own", { payload: {}, idempotencyKey: () => "" })
    const run = WorkflowEngine.WorkflowInstance.initial(workflow, "1")
    const turns = RunTurns.make(signals, Context.make(WorkflowEngine.WorkflowInstance, run))
    turns.abandon("order", 1, "left")
    run.suspended = true
    turns.abandon("order", 2, "open")
    assert.deepStrictEqual([turns.abandoned("order", 1), turns.abandoned("order", 2)], ["left", undefined])
  })
})

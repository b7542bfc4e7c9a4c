/** The steps of a run that continues an earlier one. */
import { Effect, Option, Schema } from "effect"
import * as Flow from "../src/engine/Flow.ts"
import { FlowEngine, makeMemory } from "../src/engine/FlowEngine.ts"
import * as Steps from "../src/engine/Steps.ts"

/** The values that the earlier run recorded, by the name of the step; any value for a pause that it started. */
export type Record = Readonly<globalThis.Record<string, unknown>>

export interface Run {
  readonly steps: Steps.Shape
  /** Every step and pause that this run reached, in order. */
  readonly names: ReadonlyArray<string>
  /** The values that this run recorded, by the name of the step. */
  readonly written: ReadonlyMap<string, unknown>
}

/** Recorded steps are not run again; a recorded wait ends with the recorded signal. */
export const runAfter = (record: Record = {}): Run => {
  const names: Array<string> = []
  const written = new Map<string, unknown>()
  const has = (name: string) => Object.hasOwn(record, name)
  const memory = Steps.makeMemory()
  const steps: Steps.Shape = {
    ...memory,
    workflowId: "o-1",
    run: "second",
    step: (name, { success }, effect) => {
      names.push(name)
      return has(name)
        ? Effect.orDie(Schema.decodeUnknownEffect(success)(record[name]))
        : Effect.tap(effect, (value) =>
            Effect.map(Effect.orDie(Schema.encodeEffect(success)(value)), (json) => written.set(name, json))
          )
    },
    sleep: (name, duration) => {
      names.push(name)
      return has(name) ? Effect.void : memory.sleep(name, duration)
    },
    awaitSignal: (name, awaited) => {
      names.push(name)
      const news = record[name]
      return has(name)
        ? Effect.succeed(typeof news === "string" ? Option.some(news) : Option.none())
        : memory.awaitSignal(name, awaited)
    },
    isRecorded: (name) => Effect.succeed(has(name))
  }
  return { steps, names, written }
}

/** Runs a flow in two processes: the first crashes after this step and before its record. */
export const inTwoProcesses = <A, E, R>(at: string, flow: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const { steps, written } = runAfter()
    const first: Steps.Shape = {
      ...steps,
      workflowId: "",
      run: "first",
      step: (name, schemas, effect) =>
        steps.step(name, schemas, name === at ? Effect.andThen(effect, Effect.die("killed")) : effect)
    }
    const second = Effect.suspend(() => {
      const { steps } = runAfter(Object.fromEntries(written))
      return Effect.provideService(flow, FlowEngine, makeMemory({ ...steps, workflowId: "" }))
    })
    return Effect.andThen(
      Effect.exit(Effect.provideService(flow, FlowEngine, makeMemory(first))),
      Effect.provideService(second, Flow.IsResumed, true)
    )
  })

/** The steps of a run that goes on after an earlier one. */
import { Effect, Option, Schema } from "effect"
import * as Steps from "../src/Steps.ts"

/** What the earlier run wrote down, by the name of the step; of a pause that it began, anything. */
export type Record = Readonly<globalThis.Record<string, unknown>>

export interface Run {
  readonly steps: Steps.Shape
  /** Every step and pause that this run came to, in order. */
  readonly names: ReadonlyArray<string>
  /** What this run wrote down, by the name of the step. */
  readonly written: ReadonlyMap<string, unknown>
}

/** Steps that are in the record are not carried out again; a wait that is in it ends with what is written there. */
export const after = (record: Record = {}): Run => {
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

/** What a former version wrote of a question that was refused: it did not say whether there is such an order. */
export const refusedBefore = (errorCode: number) => ({
  askedAtMs: 0,
  ended: { _tag: "Refused", operation: "STATUS", status: 400, errors: [], errorCode }
})

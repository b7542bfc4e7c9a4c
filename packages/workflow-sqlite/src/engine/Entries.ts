/** Entries that executions share. Each is written once: the first value stays. */
import type { Statements } from "@pay/sqlite/Database"
import { Effect, Option, Schema } from "effect"
import { WorkflowEngine } from "effect/workflow"
import { type Core, commit } from "./Core.ts"
import * as Records from "./Records.ts"
import { lose, runOf } from "./Steps.ts"

const boundTo = (key: string): string => `entry/${key}`
const isText = Schema.is(Schema.String)

const find = (db: Statements, key: string): Records.Stored | undefined => {
  const row = db.prepare("SELECT value FROM entry WHERE key = ?").get(key)
  return row === undefined ? undefined : Records.stored(row.value)
}

const textOf = (core: Core, key: string, stored: Records.Stored): string => {
  const text = core.encoding.read(stored, boundTo(key))
  if (!isText(text)) throw new TypeError(`the entry ${key} is not a text`)
  return text
}

const runHere = (core: Core) =>
  Effect.flatMap(WorkflowEngine.WorkflowInstance, ({ executionId }) => runOf(core, executionId))

export const write = Effect.fnUntraced(function* (core: Core, key: string, text: string) {
  const run = yield* runHere(core)
  const value = core.encoding.write(text, boundTo(key))
  const stored = yield* Effect.catch(
    commit(core, (db) => {
      db.prepare("INSERT INTO entry (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING").run(key, value)
      return find(db, key) ?? value
    }),
    (error) => lose(run, error)
  )
  return textOf(core, key, stored)
})

export const read = Effect.fnUntraced(function* (core: Core, key: string) {
  const run = yield* runHere(core)
  const stored = yield* Effect.catch(
    core.database.read((db) => find(db, key)),
    (error) => lose(run, error)
  )
  return stored === undefined ? Option.none() : Option.some(textOf(core, key, stored))
})

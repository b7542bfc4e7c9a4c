/** A flow as a workflow of an engine that stores values unchanged. With a cipher, the engine gets only encrypted values. */
import "../engine/OldNode.ts"
import * as crypto from "node:crypto"
import { Effect, Schema } from "effect"
import { Workflow } from "effect/workflow"
import { ignoredParts, StoredPayload } from "../engine/StoredPayload.ts"
import type { ValueEncoding } from "./ValueEncoding.ts"

/** What the start of an execution stores: its id, its payload, and the name of the call that has sent it. */
export const Start = Schema.Struct({ id: Schema.Json, payload: Schema.Json, sentBy: Schema.String })
const readStart = Schema.decodeUnknownEffect(Start)

const make = (name: string) =>
  Workflow.make(name, {
    payload: Start,
    success: Schema.Json,
    idempotencyKey: () => ""
  }).annotate(Workflow.SuspendOnFailure, true)
const workflows = new Map<string, ReturnType<typeof make>>()

/** Returns the workflow of a flow. The engine identifies it by its name. After a defect it is stuck, visible and can be resumed. */
export const workflowOf = ({ name }: { readonly name: string }) => {
  const workflow = workflows.get(name) ?? make(name)
  workflows.set(name, workflow)
  return workflow
}

const longestId = 255

/** Returns the id for the tables of the cluster. The part after the flow and its merchant is hashed if the id is too long. */
export const storedIdOf = (id: string): string => {
  if (id.length <= longestId) return id
  const start = id.slice(0, id.indexOf("/") + 1)
  const key = crypto.hash("sha256", id)
  return start.length + key.length <= longestId ? `${start}${key}` : key
}

const readPayload = Schema.decodeUnknownEffect(StoredPayload)
const readText = Schema.decodeUnknownEffect(Schema.String)

/** Returns the part of a stored payload that is compared. */
const comparedOf = (stored: StoredPayload): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(stored).filter(([name]) => !ignoredParts.some((part) => part === name)))
  )

/** Whether two payloads are equal in what is compared. */
export const isSame = (one: StoredPayload, other: StoredPayload): boolean => comparedOf(one) === comparedOf(other)

/** The values of executions, as the engine stores them. `id`: that of the execution in the tables. */
export const valuesOf = (encoding: ValueEncoding) => {
  const decode = (value: Schema.Json, place: string) => Effect.sync(() => encoding.decode(value, place))
  return {
    startTo: (id: string, stored: StoredPayload, sentBy: string, storedId: string): typeof Start.Type => ({
      id: encoding.encode(id, `${storedId}/id`),
      payload: encoding.encode(stored, `${storedId}/payload`),
      sentBy
    }),
    /** Returns the id of an execution in the form for operators. */
    idFrom: (start: unknown, storedId: string) =>
      Effect.flatMap(readStart(start), ({ id }) => Effect.flatMap(decode(id, `${storedId}/id`), readText)),
    payloadFrom: (start: unknown, storedId: string) =>
      Effect.orDie(
        Effect.flatMap(readStart(start), ({ payload }) =>
          Effect.flatMap(decode(payload, `${storedId}/payload`), readPayload)
        )
      ),
    isSentBy: (start: unknown, sentBy: string) =>
      Effect.orDie(Effect.map(readStart(start), (stored) => stored.sentBy === sentBy)),
    pendingTo: (fields: Schema.Json, id: string): Schema.Json => encoding.encode(fields, `${id}/pending`),
    pendingFrom: (fields: Schema.Json, id: string): Schema.Json => encoding.decode(fields, `${id}/pending`),
    outcomeTo: (outcome: Schema.Json, id: string): Schema.Json => encoding.encode(outcome, `${id}/outcome`),
    outcomeFrom: (outcome: Schema.Json, id: string): Schema.Json => encoding.decode(outcome, `${id}/outcome`)
  }
}

/** A flow as a workflow of an engine that stores values unchanged. With a cipher, the engine gets only encrypted values. */
import { hash } from "node:crypto"
import { Effect, Schema } from "effect"
import { Workflow } from "effect/workflow"
import * as DurableFlow from "./DurableFlow.ts"
import type { ValueEncoding } from "./ValueEncoding.ts"

const make = (name: string) =>
  Workflow.make(name, {
    payload: { payload: Schema.Json },
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
  const key = hash("sha256", id)
  return start.length + key.length <= longestId ? `${start}${key}` : key
}

const Outcome = Schema.Struct({ fingerprint: Schema.String, ended: Schema.Json })
const readOutcome = Schema.decodeUnknownEffect(Outcome)
const readPayload = Schema.decodeUnknownEffect(DurableFlow.StoredPayload)

/** Returns the part of a stored payload that is compared. */
const comparedOf = (stored: DurableFlow.StoredPayload): Schema.Json =>
  Object.fromEntries(
    Object.entries<Schema.Json>(stored).filter(([name]) => !DurableFlow.ignoredParts.some((part) => part === name))
  )

/** The values of executions, as the engine stores them. */
export const valuesOf = (encoding: ValueEncoding) => ({
  payloadTo: (stored: DurableFlow.StoredPayload, id: string): Schema.Json => encoding.encode(stored, `${id}/payload`),
  payloadFrom: (payload: Schema.Json, id: string) =>
    Effect.orDie(readPayload(encoding.decode(payload, `${id}/payload`))),
  pendingTo: (fields: Schema.Json, id: string): Schema.Json => encoding.encode(fields, `${id}/pending`),
  pendingFrom: (fields: Schema.Json, id: string): Schema.Json => encoding.decode(fields, `${id}/pending`),
  outcomeTo: (stored: DurableFlow.StoredPayload, ended: Schema.Json, id: string): Schema.Json =>
    encoding.encode({ fingerprint: encoding.fingerprint(comparedOf(stored)), ended }, `${id}/outcome`),
  /** Returns the outcome of an execution. `isOf` tests whether it was begun with a certain payload. */
  outcomeFrom: (outcome: Schema.Json, id: string) =>
    Effect.orDie(
      Effect.map(readOutcome(encoding.decode(outcome, `${id}/outcome`)), ({ ended, fingerprint }) => ({
        ended,
        isOf: (stored: DurableFlow.StoredPayload) => encoding.matches(comparedOf(stored), fingerprint)
      }))
    )
})

/** A flow as a workflow of an engine that stores values unchanged. With a cipher, the engine gets only encrypted values. */
import { hash, randomUUID } from "node:crypto"
import { Effect, Schema } from "effect"
import { Activity, Workflow } from "effect/workflow"
import type * as Flow from "../Flow.ts"
import type { StartHolder } from "./ClusterStarts.ts"
import * as DurableFlow from "./DurableFlow.ts"
import type { ValueEncoding } from "./ValueEncoding.ts"

type F = Flow.Fields
type W = Flow.Written

/**
 * Returns the workflow of a flow. The engine identifies it by its name. After a defect it is stuck, visible and can be resumed.
 */
export const workflowOf = <N extends string>(flow: { readonly name: N }) =>
  Workflow.make(flow.name, {
    payload: { payload: Schema.Json },
    success: Schema.Json,
    idempotencyKey: () => ""
  }).annotate(Workflow.SuspendOnFailure, true)

const longestId = 255

/** Returns the readable identity of an execution. A key that is too long for the tables of the cluster is hashed. */
export const idOf = (flow: { readonly name: string }, key: string): string => {
  const id = DurableFlow.idOf(flow, key)
  return id.length <= longestId ? id : DurableFlow.idOf(flow, hash("sha256", key))
}

const payloadPlace = (executionId: string): string => `${executionId}/payload`
const pendingPlace = (executionId: string): string => `${executionId}/pending`
const outcomePlace = (executionId: string): string => `${executionId}/outcome`

const Outcome = Schema.Struct({ fingerprint: Schema.String, ended: Schema.Json })
const readOutcome = Schema.decodeUnknownEffect(Outcome)

const storedSchemaOf = <N extends string, P extends F, A extends W, E extends W, R>(flow: Flow.Flow<N, P, A, E, R>) =>
  Schema.toCodecJson(DurableFlow.typedWorkflowOf(flow).payloadSchema)

const pendingSchemaOf = ({ neverPersisted, payload: { fields } }: DurableFlow.Payload) => {
  const secrets = Object.entries(fields).flatMap(([name, { ast }]) =>
    neverPersisted.includes(name) ? [[name, Schema.make<Schema.Codec<unknown, unknown>>(ast)] as const] : []
  )
  return Schema.toCodecJson(Schema.Struct(Object.fromEntries(secrets)))
}

/** Returns the part of a stored payload that is compared. */
const comparedOf = (json: Schema.Json): Schema.Json =>
  Object.fromEntries(
    Object.entries<Schema.Json>(Object(json)).filter(([name]) => !DurableFlow.ignoredParts.includes(name))
  )

/** Returns the identity of the execution, and its payload as the engine stores it. */
export const requestOf = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
  flow: Flow.Flow<N, P, A, E, R>,
  payload: Schema.Struct.Type<P>,
  encoding: ValueEncoding
) {
  const executionId = idOf(flow, flow.idempotencyKey(payload))
  const { pendingFields, stored } = DurableFlow.splitPayload(flow, payload)
  const json = yield* Schema.encodeEffect(storedSchemaOf(flow))(stored)
  return {
    executionId,
    json,
    payload: encoding.encode(json, payloadPlace(executionId)),
    pendingFields:
      Object.keys(pendingFields).length === 0
        ? undefined
        : encoding.encode(yield* Schema.encodeEffect(pendingSchemaOf(flow))(pendingFields), pendingPlace(executionId))
  }
}, Effect.orDie)

/** Returns the outcome of an execution. `isOf` tests whether it was begun with a certain payload. */
export const outcomeOf = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
  flow: Flow.Flow<N, P, A, E, R>,
  executionId: string,
  stored: Schema.Json,
  encoding: ValueEncoding
) {
  const { ended, fingerprint } = yield* readOutcome(encoding.decode(stored, outcomePlace(executionId)))
  return {
    ended: yield* Schema.decodeEffect(DurableFlow.endingOf(flow))(ended),
    isOf: (json: Schema.Json) => encoding.matches(comparedOf(json), fingerprint)
  }
}, Effect.orDie)

/** Registers the flow with the engine of the context. */
export const layer = <N extends string, P extends F, A extends W, E extends W, R>(
  flow: Flow.Flow<N, P, A, E, R>,
  { encoding, take }: { readonly encoding: ValueEncoding; readonly take: StartHolder["take"] }
) => {
  const storedSchema = storedSchemaOf(flow)
  const pendingSchema = pendingSchemaOf(flow)
  const ending = DurableFlow.endingOf(flow)
  return workflowOf(flow).toLayer(
    Effect.fnUntraced(function* ({ payload }, executionId) {
      const json = encoding.decode(payload, payloadPlace(executionId))
      const storedPayload = yield* Effect.orDie(Schema.decodeEffect(storedSchema)(json))
      const encoded = take(executionId)
      const pendingFields =
        encoded === undefined
          ? undefined
          : yield* Effect.orDie(Schema.decodeEffect(pendingSchema)(encoding.decode(encoded, pendingPlace(executionId))))
      // The run that recorded its identity here first began the execution. No other run got beyond this point.
      const run = randomUUID()
      const startedBy = yield* Activity.make({ name: "begun", success: Schema.String, execute: Effect.succeed(run) })
      const running = { executionId, run, isBegunBefore: startedBy !== run, encoding }
      const ended = yield* DurableFlow.perform(flow, storedPayload, pendingFields, running)
      const outcome = {
        fingerprint: encoding.fingerprint(comparedOf(json)),
        ended: yield* Effect.orDie(Schema.encodeEffect(ending)(ended))
      }
      return encoding.encode(outcome, outcomePlace(executionId))
    })
  )
}

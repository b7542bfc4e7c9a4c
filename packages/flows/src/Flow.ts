/**
 * A flow is a value: a name, the schemas of its payload, result and error, and a program. {@link run} runs it in the current
 * context. A durable engine registers the same value.
 *
 * The identity of a flow is the merchant's own name of the action. A flow that is started twice under one identity has one
 * effect, because all idempotency keys that the gateway receives are derived from the identity and none is random.
 */
import { createHash } from "node:crypto"
import * as FieldKinds from "@pay/schema/FieldKinds"
import type { Operation } from "@pay/schema/Operation"
import { PayClient } from "@pay/transport/PayClient"
import { Context, Effect, Option, type Schema } from "effect"
import * as Deduplicated from "./Deduplicated.ts"
import { traced } from "./FlowTrace.ts"
import * as ReentryGuard from "./ReentryGuard.ts"
import { Steps, within } from "./Steps.ts"

/** The fields of a payload, each with its schema. */
export type Fields = Schema.Struct.Fields
/** The schema of a result or an error of a flow. Its values can be written as JSON and contain no card data. */
export type Written = Schema.Codec<unknown, unknown>

/** The definition of a flow. */
export interface Options<Name extends string, P extends Fields, A extends Written, E extends Written, R> {
  readonly name: Name
  /** One sentence for the documentation. */
  readonly summary: string
  /** The operation that the flow carries out. It is absent if the flow consists of other flows. */
  readonly operation?: Operation
  readonly payload: Schema.Struct<P>
  readonly success: A
  readonly error: E
  /** Returns the identity of the flow with this payload: the merchant's own name of the action. */
  readonly idempotencyKey: (payload: Schema.Struct.Type<P>) => string
  /** The program. All input and output, and all that depends on time or chance, must be a step of `Steps`. */
  readonly run: (payload: Schema.Struct.Type<P>) => Effect.Effect<A["Type"], E["Type"], R>
}

/** A flow, with the fields of its payload that need protection. */
export interface Flow<Name extends string, P extends Fields, A extends Written, E extends Written, R>
  extends Options<Name, P, A, E, R> {
  /**
   * Fields of the payload that must never be stored, not even encrypted: the security code of the card. A durable engine stores
   * the payload without them, and a flow that runs again after a restart lacks them.
   */
  readonly neverPersisted: ReadonlyArray<string>
  /** Fields of the payload that may be stored only encrypted: card number, expiry and data of the recipient. */
  readonly encryptedFields: ReadonlyArray<string>
  /** The runs of this flow that are in memory now, so that equal runs are joined. */
  readonly together: Deduplicated.Deduplicated<A["Type"], E["Type"]>
}

/** Makes a flow from its definition. The kinds of its fields decide which of them need protection. */
export const make = <Name extends string, P extends Fields, A extends Written, E extends Written, R>(
  options: Options<Name, P, A, E, R>
): Flow<Name, P, A, E, R> => ({
  ...options,
  together: Deduplicated.make(),
  neverPersisted: fieldsWhere(options.payload.fields, (field) => FieldKinds.kindOf(field) === "cvv"),
  encryptedFields: fieldsWhere(options.payload.fields, (field) => {
    const kinds = FieldKinds.kindsWithin(field)
    return kinds.has("card") || kinds.has("recipient")
  })
})

const fieldsWhere = (fields: Fields, isWanted: (field: Fields[string]) => boolean): ReadonlyArray<string> =>
  Object.entries(fields).flatMap(([name, field]) => (isWanted(field) ? name : []))

/** Returns the identity of one action on an order. Each pair of order and name has a different identity. */
export const identityOf = (orderId: string, name: string): string =>
  `${orderId.replace(/[%/]/g, encodeURIComponent)}/${name}`

/**
 * Names of payload fields that were given when the flow was started and are missing in this run. A durable engine sets them after
 * a restart. A request that was not sent before the restart is not sent without these fields.
 */
export const LostFields = Context.Reference<ReadonlyArray<string>>("@pay/flows/LostFields", { defaultValue: () => [] })

/**
 * Whether the flow was begun before this run, so that a request may have been sent without a record. A refusal in this run then
 * does not prove that the earlier request had no effect.
 */
export const IsResumed = Context.Reference<boolean>("@pay/flows/IsResumed", { defaultValue: () => false })

/** Whether an earlier run has ended without a known outcome, so that its request may have been sent. */
export const Reopened = Context.Reference<boolean>("@pay/flows/Reopened", { defaultValue: () => false })

/**
 * Runs the flow with the `Steps` of the context, alone or as a part of another flow. After an error that is `retryable` it can be
 * run again. After an interruption it takes into account that requests may have been sent. In memory, simultaneous runs with the
 * same identity and payload are joined.
 */
export const run = <Name extends string, P extends Fields, A extends Written, E extends Written, R>(
  flow: Flow<Name, P, A, E, R>,
  payload: Schema.Struct.Type<P>
): Effect.Effect<A["Type"], E["Type"], R> =>
  Effect.suspend(() => {
    const workflowId = flow.idempotencyKey(payload)
    return runNamed(flow, payload, workflowId).pipe(traced(flow.name, workflowId))
  })

const runNamed = Effect.fnUntraced(function* <
  Name extends string,
  P extends Fields,
  A extends Written,
  E extends Written,
  R
>(
  flow: Flow<Name, P, A, E, R>,
  payload: Schema.Struct.Type<P>,
  workflowId: string
): Effect.fn.Return<A["Type"], E["Type"], R> {
  const steps = yield* Steps
  const isBegunBefore = yield* IsResumed
  const isReopened = yield* Reopened
  const client = yield* Effect.serviceOption(PayClient)
  const name = `${flow.name}/${workflowId}`
  const runOnce = Effect.suspend(() => {
    const { isOpen, isOther, leave, turn } = ReentryGuard.enter(steps, name, payload)
    if (isOther) return Effect.die(new Error(`${name} was run with another payload: give it a name of its own`))
    return flow.run(payload).pipe(
      Effect.provideService(Steps, within(steps, flow.name, workflowId, turn)),
      Effect.provideService(IsResumed, isBegunBefore || isOpen),
      Effect.provideService(Reopened, isReopened || isOpen),
      Effect.onExit((exit) => Effect.sync(() => leave(exit)))
    )
  })
  if (steps.run !== "") return yield* runOnce
  const place = Option.getOrElse(client, () => steps)
  return yield* flow.together.carryOut(place, workflowId, payload, runOnce)
})

const longestKey = 255

/**
 * Returns the `Idempotency-Key` of a step. It depends only on the arguments, so it is the same after a restart and on any
 * machine.
 */
export const keyOf = (workflowId: string, step: string): string => {
  const key = `${workflowId.isWellFormed() ? encodeURIComponent(workflowId) : JSON.stringify(workflowId)}:${step}`
  const fits = workflowId.isWellFormed() && key.length <= longestKey
  return fits ? key : createHash("sha256").update(key).digest("hex")
}

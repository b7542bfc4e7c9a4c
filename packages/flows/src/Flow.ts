/**
 * A flow is a value: a name, what goes in and comes out as schemas, and the program. {@link run} runs it in the context
 * as it is; a durable engine registers the same value.
 *
 * Its identity is the merchant's own name of what is done. Started twice under one identity, it is done once: all keys
 * towards the gateway are derived from it, none is random.
 */
import { createHash } from "node:crypto"
import * as Field from "@pay/schema/Field"
import type { Operation } from "@pay/schema/Operation"
import { PayClient } from "@pay/transport/PayClient"
import { Context, Effect, Option, type Schema } from "effect"
import * as Deduplicated from "./Deduplicated.ts"
import { traced } from "./FlowTrace.ts"
import * as ReentryGuard from "./ReentryGuard.ts"
import { Steps, within } from "./Steps.ts"

export type Fields = Schema.Struct.Fields
/** What a flow gives or fails with: writable as JSON, and without card data. */
export type Written = Schema.Codec<unknown, unknown>

export interface Options<Name extends string, P extends Fields, A extends Written, E extends Written, R> {
  readonly name: Name
  /** One sentence for documents. */
  readonly summary: string
  /** What it carries out; none where it is made of other flows. */
  readonly operation?: Operation
  readonly payload: Schema.Struct<P>
  readonly success: A
  readonly error: E
  /** The merchant's name of what this payload asks for. */
  readonly idempotencyKey: (payload: Schema.Struct.Type<P>) => string
  /** The program. Whatever leaves this process, or depends on time or chance, is a step of `Steps`. */
  readonly run: (payload: Schema.Struct.Type<P>) => Effect.Effect<A["Type"], E["Type"], R>
}

export interface Flow<Name extends string, P extends Fields, A extends Written, E extends Written, R>
  extends Options<Name, P, A, E, R> {
  /**
   * Fields of the payload that nobody may write down, sealed or not: the card's security code. A durable engine keeps
   * the payload without them; a flow that is started again does without.
   */
  readonly neverPersisted: ReadonlyArray<string>
  /** Fields that may be kept only sealed: card number and expiry, and whoever gets money. */
  readonly encryptedFields: ReadonlyArray<string>
  /** Those that run in memory now. */
  readonly together: Deduplicated.Deduplicated<A["Type"], E["Type"]>
}

export const make = <Name extends string, P extends Fields, A extends Written, E extends Written, R>(
  options: Options<Name, P, A, E, R>
): Flow<Name, P, A, E, R> => ({
  ...options,
  together: Deduplicated.make(),
  neverPersisted: fieldsWhere(options.payload.fields, (field) => Field.kindOf(field) === "cvv"),
  encryptedFields: fieldsWhere(options.payload.fields, (field) => {
    const kinds = Field.kindsWithin(field)
    return kinds.has("card") || kinds.has("recipient")
  })
})

const fieldsWhere = (fields: Fields, isSo: (field: Fields[string]) => boolean): ReadonlyArray<string> =>
  Object.entries(fields).flatMap(([name, field]) => (isSo(field) ? name : []))

/** The identity of one action on an order: no other order and name give the same. */
export const identityOf = (orderId: string, name: string): string =>
  `${orderId.replace(/[%/]/g, encodeURIComponent)}/${name}`

/**
 * Fields of the payload that were there when the flow was started and are no more: a durable engine tells so after a
 * restart. What was not sent by then is not sent without them.
 */
export const LostFields = Context.Reference<ReadonlyArray<string>>("@pay/flows/LostFields", { defaultValue: () => [] })

/**
 * Whether the flow was begun before this run: a request may have been sent of which nothing was recorded. What is refused or
 * cannot be sent now says nothing of then.
 */
export const IsResumed = Context.Reference<boolean>("@pay/flows/IsResumed", { defaultValue: () => false })

/**
 * Whether an earlier turn of the flow, or a run that left no record, ended without an outcome, or a former version began it,
 * which recorded less: a request of it may have been sent.
 */
export const Reopened = Context.Reference<boolean>("@pay/flows/Reopened", { defaultValue: () => false })

/**
 * Runs the flow with the `Steps` of the context: alone, or as a part of the flow that runs already. Run again after an end that
 * is `retryable` it begins anew; where it was cut off, it reckons with what may have been sent. In memory, two that ask for the
 * same at the same time are one.
 */
export const run = <Name extends string, P extends Fields, A extends Written, E extends Written, R>(
  flow: Flow<Name, P, A, E, R>,
  payload: Schema.Struct.Type<P>
): Effect.Effect<A["Type"], E["Type"], R> =>
  Effect.suspend(() => {
    const workflowId = flow.idempotencyKey(payload)
    return named(flow, payload, workflowId).pipe(traced(flow.name, workflowId))
  })

const named = Effect.fnUntraced(function* <
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
  const one = Effect.suspend(() => {
    const { isOpen, isOther, leave, turn } = ReentryGuard.enter(steps, name, payload)
    if (isOther) return Effect.die(new Error(`${name} was run with another payload: give it a name of its own`))
    return flow.run(payload).pipe(
      Effect.provideService(Steps, within(steps, flow.name, workflowId, turn)),
      Effect.provideService(IsResumed, isBegunBefore || isOpen),
      Effect.provideService(Reopened, isReopened || isOpen),
      Effect.onExit((exit) => Effect.sync(() => leave(exit)))
    )
  })
  if (steps.run !== "") return yield* one
  const place = Option.getOrElse(client, () => steps)
  return yield* flow.together.carryOut(place, workflowId, payload, one)
})

const longestKey = 255

/** The `Idempotency-Key` of a step: the same after a restart, on another machine, next year. */
export const keyOf = (workflowId: string, step: string): string => {
  const key = `${workflowId.isWellFormed() ? encodeURIComponent(workflowId) : JSON.stringify(workflowId)}:${step}`
  const fits = workflowId.isWellFormed() && key.length <= longestKey
  return fits ? key : createHash("sha256").update(key).digest("hex")
}

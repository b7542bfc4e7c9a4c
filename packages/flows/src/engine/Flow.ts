/**
 * A flow is a value: a name, the schemas of its payload, result and error, and a program. {@link Flow.execute} runs it on the
 * engine of the context, which a layer chooses: memory, one file, or a cluster.
 *
 * The identity of a flow is the merchant's own name of the action, with the merchant and the gateway. A flow that is executed twice
 * under one identity has one effect, because all idempotency keys that the gateway receives are derived from the name and none is
 * random.
 *
 * ```ts
 * const order = CardSale.execute(payment).pipe(
 *   Effect.retry({ while: (error) => error.retryable, times: 5, schedule: Schedule.exponential("1 second") }),
 *   Effect.catchTags({ Declined: ({ reason }) => … })
 * )
 * ```
 */
import { createHash } from "node:crypto"
import * as FieldKinds from "@pay/schema/FieldKinds"
import type { PayClient } from "@pay/transport/PayClient"
import { Effect, Layer, Schema, type Scope } from "effect"
import { AnyError, type ExecuteError, type FlowUnfit, PayloadInvalid, type StorageFailed } from "../order/FlowError.ts"
import type { Definition, Fields, Input, Options, Written } from "./Definition.ts"
import type { ExecutionStatus, NotStarted } from "./ExecutionStatus.ts"
import { FlowEngine } from "./FlowEngine.ts"
import * as FlowPayload from "./FlowPayload.ts"
import * as MemoryExecutions from "./MemoryExecutions.ts"
import { currentMerchant, perform } from "./Performance.ts"
import { Steps } from "./Steps.ts"

export type { Fields, Input, Options, Written } from "./Definition.ts"
export { IsResumed, LostFields, Reopened } from "./Performance.ts"

/**
 * The payload that a flow takes: `Flow.Payload<typeof CardSale>`. `undefined` stands for an optional field that is absent.
 */
export type Payload<F extends { readonly payload: Schema.Struct<Fields> }> = Input<F["payload"]["fields"]>

/** A flow, and what can be done with it on an engine. */
export interface Flow<Name extends string, P extends Fields, A extends Written, E extends Written, R>
  extends Definition<Name, P, A, E, R> {
  /**
   * Executes the flow and returns its result. Inside another flow it is a part of that flow. A second call with the same identity
   * and payload, also in another process of a durable engine, joins the execution or returns its result. After an error that is
   * `retryable` the next call begins another attempt.
   */
  readonly execute: (payload: Input<P>) => Effect.Effect<A["Type"], E["Type"] | ExecuteError, R | FlowEngine>
  /** Starts the flow like `execute`, and returns the id of the execution once it is stored, without waiting for the end. */
  readonly start: (payload: Input<P>) => Effect.Effect<string, ExecuteError, R | FlowEngine>
  /** Returns the status of the latest attempt under this identity. Starts nothing. */
  readonly poll: (
    key: string
  ) => Effect.Effect<
    ExecutionStatus<A["Type"], E["Type"]>,
    NotStarted | StorageFailed,
    FlowEngine | Extract<R, PayClient>
  >
  /** Waits until the latest attempt under this identity has ended or is stuck, and returns its status. Starts nothing. */
  readonly ended: (
    key: string
  ) => Effect.Effect<
    ExecutionStatus<A["Type"], E["Type"]>,
    NotStarted | StorageFailed,
    FlowEngine | Extract<R, PayClient>
  >
  /** Interrupts the latest attempt under this identity at its current wait. Its finalizers run. */
  readonly interrupt: (key: string) => Effect.Effect<void, StorageFailed, FlowEngine | Extract<R, PayClient>>
  /** Continues the latest attempt under this identity if it is stuck. */
  readonly resume: (key: string) => Effect.Effect<void, StorageFailed, FlowEngine | Extract<R, PayClient>>
  /**
   * Lets the engine run this flow with the services of this layer, also executions that an earlier process began. A durable engine
   * executes only flows with such a layer. For several merchants it is provided once with the client of each.
   */
  readonly layer: Layer.Layer<never, FlowUnfit, FlowEngine | Exclude<R, Scope.Scope>>
}

/** The fields of a flow that need protection, if their kinds do not show it. */
export type Protection = Partial<
  Pick<Flow<string, Fields, Written, Written, never>, "neverPersisted" | "encryptedFields">
>

/** Makes a flow from its definition. The kinds of its fields decide which of them need protection, unless `protection` does. */
export function make<
  Name extends string,
  P extends Fields,
  R,
  A extends Written = Schema.Void,
  E extends Written = typeof AnyError
>(options: Options<Name, P, A, E, R>, protection?: Protection): Flow<Name, P, A, E, R>
export function make<P extends Fields, R>(
  { error = AnyError, success = Schema.Void, ...options }: Options<string, P, Written, Written, R>,
  protection: Protection = {}
) {
  const { fields } = options.payload
  const flow: Flow<string, P, Written, Written, R> = {
    ...options,
    success,
    error,
    neverPersisted: protection.neverPersisted ?? fieldsWhere(fields, (field) => FieldKinds.kindOf(field) === "cvv"),
    encryptedFields:
      protection.encryptedFields ??
      fieldsWhere(fields, (field) => {
        const kinds = FieldKinds.kindsWithin(field)
        return kinds.has("card") || kinds.has("recipient")
      }),
    memory: MemoryExecutions.make(options.name),
    execute: (input) =>
      Effect.flatMap(given(flow, input), (payload) =>
        onEngine((engine, of) =>
          Effect.flatMap(isInside, (inside) =>
            inside ? perform(flow, payload, of) : engine.execute(flow, payload, of)
          )
        )
      ),
    start: (input) =>
      Effect.flatMap(given(flow, input), (payload) => onEngine((engine, of) => engine.start(flow, payload, of))),
    poll: (key) => onEngine((engine, merchant) => engine.poll(flow, { merchant, key })),
    ended: (key) => onEngine((engine, merchant) => engine.ended(flow, { merchant, key })),
    interrupt: (key) => onEngine((engine, merchant) => engine.interrupt(flow, { merchant, key })),
    resume: (key) => onEngine((engine, merchant) => engine.resume(flow, { merchant, key })),
    // It is built for each merchant, and not shared.
    layer: Layer.fresh(Layer.effectDiscard(onEngine((engine, merchant) => engine.register(flow, merchant))))
  }
  return flow
}

const fieldsWhere = (fields: Fields, isWanted: (field: Fields[string]) => boolean): ReadonlyArray<string> =>
  Object.entries(fields).flatMap(([name, field]) => (isWanted(field) ? name : []))

/** Whether a flow runs in this context. A flow that is executed in it is a part of that flow. */
const isInside = Effect.map(Steps, ({ workflowId }) => workflowId !== "")

const onEngine = <X, E, R>(
  use: (engine: FlowEngine["Service"], merchant: string) => Effect.Effect<X, E, R>
): Effect.Effect<X, E, R | FlowEngine> =>
  Effect.flatMap(FlowEngine, (engine) => Effect.flatMap(currentMerchant, (name) => use(engine, name)))

/** Returns the payload without fields that are `undefined`, or fails with all of its problems. */
const given = <N extends string, P extends Fields, A extends Written, E extends Written, R>(
  flow: Flow<N, P, A, E, R>,
  input: Input<P>
): Effect.Effect<Schema.Struct.Type<P>, PayloadInvalid> =>
  Effect.suspend(() =>
    Effect.mapError(
      Effect.fromResult(FlowPayload.fit(flow, input)),
      (problems) => new PayloadInvalid({ flow: flow.name, problems })
    )
  )

/** Returns the identity of one action on an order. Each pair of order and name has a different identity. */
export const identityOf = (orderId: string, name: string): string =>
  `${orderId.replace(/[%/]/g, encodeURIComponent)}/${name}`

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

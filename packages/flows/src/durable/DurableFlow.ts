/**
 * Makes a workflow of Effect from a flow. The same flow runs in memory, on the engine of one process, and on Effect's cluster.
 */

import { randomUUID } from "node:crypto"
import * as Field from "@pay/schema/Field"
import * as FieldKinds from "@pay/schema/FieldKinds"
import { StrictReplay } from "@pay/workflow-sqlite/WorkflowEngine"
import { Cause, Context, Effect, Exit, Result, Schema, SchemaAST, Scope } from "effect"
import { Activity, DurableClock, Workflow, WorkflowEngine } from "effect/workflow"
import * as Flow from "../Flow.ts"
import { traced } from "../FlowTrace.ts"
import { type Schemas, type Shape, Steps } from "../Steps.ts"
import type { PendingStarts } from "./PendingStarts.ts"
import { Signals } from "./Signals.ts"
import * as ValueEncoding from "./ValueEncoding.ts"

/** Returns the identity of an execution. It is readable, so that operators find an order by its own name. */
export const idOf = (flow: { readonly name: string }, key: string): string => {
  if (key === "") throw new Error(`${flow.name} has no identity: its idempotencyKey is empty`)
  return `${flow.name}/${key}`
}

export interface Payload {
  readonly payload: { readonly fields: Flow.Fields }
  readonly neverPersisted: ReadonlyArray<string>
}

/** The payload of an execution as the engine stores it. */
interface StoredPayload {
  readonly fields: Readonly<Record<string, unknown>>
  /** The names of the fields that were given at the start and are never stored. */
  readonly pendingNames: ReadonlyArray<string>
  /** Whether the flow is begun again after it had ended without an outcome. */
  readonly isReopened: boolean
}

/** The parts of a stored payload that are ignored when two payloads are compared. */
export const ignoredParts: ReadonlyArray<string> = ["pendingNames", "isReopened"]

/** Splits the payload into the fields to store and the fields for the first run only. */
export const splitPayload = (
  { neverPersisted, payload: { fields } }: Payload,
  payload: object,
  isReopened = false
): { readonly stored: StoredPayload; readonly pendingFields: Readonly<Record<string, unknown>> } => {
  const storedFields: Record<string, unknown> = {}
  const pendingFields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(payload)) {
    const field = fields[name]
    const part = neverPersisted.includes(name) ? pendingFields : storedFields
    part[name] = field === undefined ? value : Field.asDecoded(field, value)
  }
  return { stored: { fields: storedFields, pendingNames: Object.keys(pendingFields), isReopened }, pendingFields }
}

/**
 * Returns the reason that the flow cannot run durably, if there is one. `isEncrypted`: stored values are encrypted. `isSent`: fields
 * that are never stored are sent from one process to another.
 */
export const unfit = <Name extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written, R>(
  flow: Flow.Flow<Name, P, A, E, R>,
  { isEncrypted, isSent }: { readonly isEncrypted: boolean; readonly isSent: boolean }
): string | undefined => {
  const needed = flow.neverPersisted.filter((name) => !isOptional(flow.payload.fields[name]))
  if (needed.length > 0) {
    return `${needed.join(", ")} must not be stored, so the flow has to run without it after a restart: make it optional`
  }
  const nested = Object.entries(flow.payload.fields).flatMap(([name, field]) =>
    !flow.neverPersisted.includes(name) && holdsCode(field) ? name : []
  )
  if (nested.length > 0) {
    return `the security code inside ${nested.join(", ")} must not be stored: make it a field of the payload itself`
  }
  if (holdsCode(flow.success) || holdsCode(flow.error)) return "the security code in its outcome must not be stored"
  if (isEncrypted) return undefined
  const encrypted = [...flow.encryptedFields, ...(isSent ? flow.neverPersisted : [])]
  return encrypted.length > 0
    ? `it ${isSent ? "stores or sends" : "stores"} ${encrypted.join(", ")}: give the layer a cipher (Cipher.make of @pay/flows/durable/Cipher)`
    : undefined
}

const holdsCode = (schema: { readonly ast: SchemaAST.AST }): boolean => FieldKinds.kindsWithin(schema).has("cvv")

const isOptional = (field: { readonly ast: SchemaAST.AST } | undefined): boolean =>
  field === undefined || SchemaAST.isOptional(field.ast)

/** Narrows the type of a schema of a flow. The schemas of results and errors need no services. */
const plain = <S extends Flow.Written>({ ast }: S): Schema.Codec<S["Type"], unknown> => Schema.make(ast)

/**
 * Returns the workflow of a flow. A typed error of the flow is a result of the workflow. After a defect the workflow is stuck,
 * visible and can be resumed. A definition that changed during an execution is refused.
 */
export const typedWorkflowOf = <
  Name extends string,
  P extends Flow.Fields,
  A extends Flow.Written,
  E extends Flow.Written,
  R
>(
  flow: Flow.Flow<Name, P, A, E, R>
) => {
  const fields: Record<string, Schema.Codec<unknown, unknown>> = {}
  for (const [name, { ast }] of Object.entries(flow.payload.fields)) {
    if (!flow.neverPersisted.includes(name)) fields[name] = Schema.make(ast)
  }
  const isWhole = Schema.is(flow.payload)
  return Workflow.make(flow.name, {
    payload: Schema.Struct({
      fields: Schema.Struct(fields),
      pendingNames: Schema.Array(Schema.String),
      isReopened: Schema.Boolean
    }),
    success: Schema.Result(plain(flow.success), plain(flow.error)),
    idempotencyKey: ({ fields }) => (isWhole(fields) ? flow.idempotencyKey(fields) : "")
  })
    .annotate(StrictReplay, true)
    .annotate(Workflow.SuspendOnFailure, true)
}

const made = new WeakMap<object, Workflow.Any>()

/** Returns the workflow of a flow, without the types of its values. It is made once for each flow. */
export const workflowOf = <
  Name extends string,
  P extends Flow.Fields,
  A extends Flow.Written,
  E extends Flow.Written,
  R
>(
  flow: Flow.Flow<Name, P, A, E, R>
): Workflow.Any => {
  const workflow = made.get(flow) ?? typedWorkflowOf(flow)
  made.set(flow, workflow)
  return workflow
}

type Provided = WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance | Scope.Scope
const provided = [WorkflowEngine.WorkflowEngine, WorkflowEngine.WorkflowInstance, Scope.Scope] as const

const asts = new WeakMap<SchemaAST.AST, WeakMap<SchemaAST.AST, SchemaAST.AST>>()

/**
 * Returns the JSON codec of the outcome of a step. It is cached by its schemas, because parsers belong to the AST and are slow to
 * make.
 */
export const endingOf = <A, E>({ error, success }: Schemas<A, E>): Schema.Codec<Result.Result<A, E>, Schema.Json> => {
  const ofSuccess = asts.get(success.ast) ?? new WeakMap()
  asts.set(success.ast, ofSuccess)
  const ast = ofSuccess.get(error.ast) ?? Schema.toCodecJson(Schema.Result(success, error)).ast
  ofSuccess.set(error.ast, ast)
  return Schema.make(ast)
}

/** One run of an execution, and the encoding of the values that it stores. */
interface Running {
  readonly executionId: string
  readonly run: string
  readonly isBegunBefore: boolean
  readonly encoding: ValueEncoding.ValueEncoding
}

type Finalizer = (exit: Exit.Exit<unknown, unknown>) => Effect.Effect<void>

const stepsOf = (
  signals: Signals["Service"],
  workflowId: string,
  { executionId, run, encoding }: Running,
  context: Context.Context<Provided>,
  atEnd: Array<Finalizer>
): Shape => ({
  workflowId,
  run,
  step: <A, E, R>(name: string, schemas: Schemas<A, E>, effect: Effect.Effect<A, E, R>) => {
    const ending = endingOf(schemas)
    const place = `${executionId}/step/${name}`
    const execute = Effect.result(effect).pipe(
      Effect.flatMap((ended) => Effect.orDie(Schema.encodeEffect(ending)(ended))),
      Effect.map((json) => encoding.encode(json, place))
    )
    return Activity.make({ name, success: Schema.Json, execute }).pipe(
      Effect.flatMap((stored) => Effect.orDie(Schema.decodeEffect(ending)(encoding.decode(stored, place)))),
      Effect.flatMap(Effect.fromResult),
      Effect.provideContext(context)
    )
  },
  sleep: (name, duration) =>
    Effect.provideContext(DurableClock.sleep({ name, duration, inMemoryThreshold: 0 }), context),
  awaitSignal: (name, awaited) => Effect.provideContext(signals.awaitSignal(name, awaited), context),
  signal: (key, value = "") => signals.signal(key, value),
  isRecorded: (name) => Effect.provideContext(signals.isRecorded(name), context),
  addFinalizer: <R>(finalizer: (exit: Exit.Exit<unknown, unknown>) => Effect.Effect<void, never, R>) =>
    Effect.contextWith((services: Context.Context<R>) => {
      let isDone = false
      let own: Exit.Exit<unknown, unknown> | undefined
      const once: Finalizer = (exit) =>
        Effect.suspend(() => {
          if (isDone) return Effect.void
          isDone = true
          return Effect.provideContext(finalizer(exit), services)
        })
      atEnd.unshift((exit) => once(own ?? exit))
      return Effect.addFinalizer((exit) =>
        Effect.suspend(() => {
          if (isEnd(exit)) return once(exit)
          // This part was interrupted. If the flow continues, its finalizer gets this exit.
          own = exit
          return Effect.void
        })
      )
    })
})

/** Whether the exit is an outcome of the program: not a suspension, an interruption or a defect. */
const isEnd = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isSuccess(exit) || exit.cause.reasons.every(Cause.isFailReason)

/** Returns the exit of the flow. The workflow contains errors of the flow as results. */
const flatten = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isSuccess(exit) && Result.isResult(exit.value) && Result.isFailure(exit.value)
    ? Exit.failCause(Cause.fail(exit.value.failure))
    : exit

/**
 * Runs the program of one execution. Fields that were given at the start, are never stored and are missing now become
 * `LostFields`.
 */
export const perform = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written, R>(
  flow: Flow.Flow<N, P, A, E, R>,
  { fields, isReopened, pendingNames }: StoredPayload,
  pendingFields: object | undefined,
  running: Running
) =>
  Effect.gen(function* () {
    const payload: unknown = { ...fields, ...pendingFields }
    if (!Schema.is(flow.payload)(payload))
      return yield* Effect.die(new Error(`${running.executionId}: its payload is not one of ${flow.name}`))
    const signals = yield* Signals
    // The steps use only the engine's services of this context. Other services belong to the parts of the flow that provide them.
    const context = Context.pick(...provided)(yield* Effect.context<Provided>())
    const atEnd: Array<Finalizer> = []
    const steps = stepsOf(signals, flow.idempotencyKey(payload), running, context, atEnd)
    const finalize: Finalizer = (exit) => Effect.forEach(atEnd, (finalizer) => finalizer(exit), { discard: true })
    // This finalizer runs when the engine ends the flow from outside.
    yield* Workflow.addFinalizer((exit) => finalize(flatten(exit)))
    const instance = Context.get(context, WorkflowEngine.WorkflowInstance)
    const lostFields = pendingNames.filter((name) => pendingFields === undefined || !(name in pendingFields))
    return yield* flow.run(payload).pipe(
      traced(flow.name, steps.workflowId),
      Effect.provideService(Steps, steps),
      Effect.provideService(Flow.LostFields, lostFields),
      Effect.provideService(Flow.IsResumed, running.isBegunBefore),
      Effect.provideService(Flow.Reopened, isReopened),
      Effect.onExit((exit) => (isEnd(exit) ? finalize(exit) : Effect.void)),
      // A finalizer that has to wait suspends the flow, so the flow has not ended.
      Effect.catchCause((cause) =>
        instance.suspended && Cause.hasInterrupts(cause) ? Effect.interrupt : Effect.failCause(cause)
      ),
      Effect.result
    )
  })

/**
 * Registers the flow with the engine of `@pay/workflow-sqlite`, which itself encrypts what it stores. `isRestored`: the file may lack
 * flows that have run, so each flow counts as begun before.
 */
export const layer = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written, R>(
  flow: Flow.Flow<N, P, A, E, R>,
  { isRestored, take }: { readonly take: PendingStarts["take"]; readonly isRestored: boolean }
) =>
  typedWorkflowOf(flow).toLayer((stored, executionId) =>
    Effect.suspend(() => {
      const pendingFields = take(executionId)
      const isBegunBefore = isRestored || pendingFields === undefined || stored.isReopened
      const running = { executionId, run: randomUUID(), isBegunBefore, encoding: ValueEncoding.none }
      return perform(flow, stored, pendingFields, running)
    })
  )

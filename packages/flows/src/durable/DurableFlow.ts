/**
 * A flow as a workflow of Effect. The same flow runs in memory, on the engine of one process, and on Effect's cluster.
 */

import * as FieldKinds from "@pay/schema/FieldKinds"
import { StrictReplay } from "@pay/workflow-sqlite/WorkflowEngine"
import { Cause, Context, Effect, Exit, Option, type Result, Schema, SchemaAST, Scope, Tracer } from "effect"
import { Activity, Workflow, WorkflowEngine } from "effect/workflow"
import type * as Definition from "../engine/Definition.ts"
import * as ExecutionStatus from "../engine/ExecutionStatus.ts"
import { traced } from "../engine/FlowTrace.ts"
import * as HoldsOfFlow from "../engine/HoldsOfFlow.ts"
import * as NeverStored from "../engine/NeverStored.ts"
import * as OpenEnds from "../engine/OpenEnds.ts"
import { IsResumed, idOf, LostFields, Reopened } from "../engine/Performance.ts"
import { lossy, type Schemas, type Shape, Steps } from "../engine/Steps.ts"
import { codecOf, StoredPayload } from "../engine/StoredPayload.ts"
import type * as ReplayOrder from "./ReplayOrder.ts"
import * as RunTurns from "./RunTurns.ts"
import type { Signals } from "./Signals.ts"
import type * as ValueEncoding from "./ValueEncoding.ts"

/**
 * Returns the reason that the flow cannot run durably, if there is one. `isEncrypted`: stored values are encrypted. `isSent`: fields
 * that are never stored are sent from one process to another.
 */
export const unfit = <
  Name extends string,
  P extends Definition.Fields,
  A extends Definition.Written,
  E extends Definition.Written,
  R
>(
  flow: Definition.Definition<Name, P, A, E, R>,
  { isEncrypted, isSent }: { readonly isEncrypted: boolean; readonly isSent: boolean }
): string | undefined => {
  const needed = flow.neverPersisted.filter((name) => !isOptional(flow.payload.fields[name]))
  if (needed.length > 0) {
    return `${needed.join(", ")} must not be stored, so the flow has to run without it after a restart: make it optional`
  }
  for (const [name, field] of Object.entries(flow.payload.fields)) {
    const flaw = flow.neverPersisted.includes(name) ? undefined : NeverStored.flawOf(name, field)
    if (flaw !== undefined) return flaw
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

/**
 * Returns the workflow of a flow on an engine that encrypts what it stores. A typed error of the flow is a result of the workflow.
 * After a defect the workflow is stuck, visible and can be resumed. A definition that changed during an execution is refused.
 */
export const workflowOf = ({ name }: { readonly name: string }) => {
  const workflow = workflows.get(name) ?? make(name)
  workflows.set(name, workflow)
  return workflow
}
const make = (name: string) =>
  Workflow.make(name, { payload: StoredPayload, success: Schema.Json, idempotencyKey: () => "" })
    .annotate(StrictReplay, true)
    .annotate(Workflow.SuspendOnFailure, true)
const workflows = new Map<string, ReturnType<typeof make>>()

type Provided = WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance | Scope.Scope
const provided = [WorkflowEngine.WorkflowEngine, WorkflowEngine.WorkflowInstance, Scope.Scope] as const

const asts = new WeakMap<SchemaAST.AST, WeakMap<SchemaAST.AST, SchemaAST.AST>>()

/**
 * Returns the JSON codec of the outcome of a step. It is cached by its schemas, because parsers belong to the AST and are slow to
 * make.
 */
const endingOf = <A, E>({ error, success }: Schemas<A, E>): Schema.Codec<Result.Result<A, E>, Schema.Json> => {
  const ofSuccess = asts.get(success.ast) ?? new WeakMap()
  asts.set(success.ast, ofSuccess)
  const ast = ofSuccess.get(error.ast) ?? Schema.toCodecJson(Schema.Result(success, error)).ast
  ofSuccess.set(error.ast, ast)
  return Schema.make(ast)
}

/** The outcome of an attempt as an engine stores it. */
const StoredOutcome = Schema.Struct({ ended: Schema.Json, openEnds: OpenEnds.Ids })
const readOutcome = Schema.decodeUnknownOption(StoredOutcome)

/** Returns the status of an execution that has ended. `exit` has the stored outcome of its flow. */
export const endedOf = <
  N extends string,
  P extends Definition.Fields,
  A extends Definition.Written,
  E extends Definition.Written,
  R
>(
  flow: Definition.Definition<N, P, A, E, R>,
  exit: Exit.Exit<unknown, unknown>
): ExecutionStatus.ExecutionStatus<A["Type"], E["Type"]> => {
  if (Exit.isFailure(exit)) return ExecutionStatus.ofExit(exit)
  return readOutcome(exit.value).pipe(
    Option.flatMap(({ ended }) => Schema.decodeOption(endingOf(flow))(ended)),
    Option.match({
      onNone: () => ExecutionStatus.stuck(`its stored outcome is not valid for ${flow.name} any more`),
      onSome: (ended) => ExecutionStatus.ofResult(ended)
    })
  )
}

/** Returns the open ends from the stored outcome of an attempt. */
export const openEndsOf = (stored: unknown): OpenEnds.Ids =>
  Option.match(readOutcome(stored), { onNone: () => null, onSome: ({ openEnds }) => openEnds })

/** One run of an execution, and the encoding of the values that it stores. */
export interface Running {
  readonly executionId: string
  readonly run: string
  readonly isBegunBefore: boolean
  readonly encoding: ValueEncoding.ValueEncoding
  readonly order: ReplayOrder.ReplayOrder
  /** Called at each step that is executed. */
  readonly onStep?: () => void
}

type Finalizer = (exit: Exit.Exit<unknown, unknown>) => Effect.Effect<void>

/** The finalizers of one run. */
interface Finalizers {
  readonly atEnd: Array<Finalizer>
  /** Whether the run was suspended. Its scope may be closed as if it had succeeded, after a later run has replaced it. */
  isSuspended: boolean
}

const stepsOf = (
  signals: Signals["Service"],
  { workflowId, merchant, owner }: Pick<Shape, "workflowId" | "merchant" | "owner">,
  { executionId, run, encoding, order, onStep = () => {} }: Running,
  context: Context.Context<Provided>,
  finalizers: Finalizers
): Shape => ({
  workflowId,
  merchant,
  owner,
  turns: RunTurns.make(signals, context),
  run,
  step: <A, E, R>(name: string, schemas: Schemas<A, E>, effect: Effect.Effect<A, E, R>) => {
    const ending = endingOf(schemas)
    const place = `${executionId}/step/${name}`
    const execute = Effect.andThen(Effect.sync(onStep), Effect.result(effect)).pipe(
      Effect.flatMap((ended) => Effect.orDie(Schema.encodeEffect(ending)(ended))),
      Effect.map((json) => encoding.encode(order.mark(json), place))
    )
    return order.counted(name, Activity.make({ name, success: Schema.Json, execute })).pipe(
      Effect.flatMap((stored) => order.inTurn(encoding.decode(stored, place))),
      Effect.flatMap((json) => Effect.orDie(Schema.decodeEffect(ending)(json))),
      Effect.flatMap(Effect.fromResult),
      Effect.provideContext(context)
    )
  },
  sleep: (name, duration) => Effect.provideContext(signals.sleep(name, duration, order), context),
  awaitSignal: (name, awaited) => Effect.provideContext(signals.awaitSignal(name, awaited, order), context),
  signal: (key, value = "") => lossy(signals.signal(key, value)),
  isRecorded: (name) => Effect.provideContext(signals.isRecorded(name), context),
  addFinalizer: <R>(finalizer: (exit: Exit.Exit<unknown, unknown>) => Effect.Effect<void, never, R>) =>
    Effect.contextWith((services: Context.Context<R>) => {
      let isDone = false
      let own: Exit.Exit<unknown, unknown> | undefined
      const once: Finalizer = (exit) =>
        Effect.suspend(() => {
          if (isDone || (finalizers.isSuspended && Exit.isSuccess(exit))) return Effect.void
          isDone = true
          return Effect.provideContext(finalizer(exit), services)
        })
      finalizers.atEnd.unshift((exit) => once(own ?? exit))
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

/** Runs the program of one execution, and returns its outcome as JSON. */
export type Program = (
  stored: StoredPayload,
  pendingFields: NeverStored.PendingFields | undefined,
  running: Running
) => Effect.Effect<Schema.Json, never, Provided>

/**
 * Returns the program of a flow. Fields that were given at the start, are never stored and are missing now become `LostFields`.
 * `services` are those of the flow.
 */
export const programOf = <
  N extends string,
  P extends Definition.Fields,
  A extends Definition.Written,
  E extends Definition.Written,
  R
>(
  flow: Definition.Definition<N, P, A, E, R>,
  signals: Signals["Service"],
  services: Context.Context<R>
): Program => {
  const run = (payload: Schema.Struct.Type<P>, surroundings: Context.Context<never>) =>
    Effect.contextWith((current: Context.Context<never>) => {
      const span = Context.getOption(current, Tracer.ParentSpan)
      const own = Option.isSome(span) ? Context.add(surroundings, Tracer.ParentSpan, span.value) : surroundings
      return Effect.provideContext(flow.run(payload), Context.merge(services, own))
    }).pipe(traced(flow.name, flow.idempotencyKey(payload)))
  return ({ fields, merchant, openEnds, pendingNames }, pendingFields, running) =>
    Effect.gen(function* () {
      const stored = yield* Effect.orDie(Schema.decodeEffect(codecOf(flow))(fields))
      const payload: unknown = NeverStored.restore(stored, pendingFields)
      if (!Schema.is(flow.payload)(payload))
        return yield* Effect.die(new Error(`${running.executionId}: its payload is not one of ${flow.name}`))
      // The steps use only the engine's services of this context. Other services belong to the parts of the flow that provide them.
      const context = Context.pick(...provided)(yield* Effect.context<Provided>())
      const finalizers: Finalizers = { atEnd: [], isSuspended: false }
      const workflowId = flow.idempotencyKey(payload)
      const owner = { flow: flow.name, id: running.executionId, part: "" }
      const steps = stepsOf(signals, { workflowId, merchant, owner }, running, context, finalizers)
      const finalize: Finalizer = (exit) =>
        Effect.forEach(finalizers.atEnd, (finalizer) => finalizer(exit), { discard: true })
      const holds = HoldsOfFlow.make()
      const instance = Context.get(context, WorkflowEngine.WorkflowInstance)
      // This finalizer is for an interruption by the engine. A cluster also closes the scopes of runs that were suspended, once a later
      // run has ended: their finalizers must do nothing.
      yield* Workflow.addFinalizer((exit) =>
        instance.interrupted ? Effect.andThen(finalize(exit), HoldsOfFlow.orDie(holds)) : Effect.void
      )
      const lostFields = pendingNames.flatMap((place) =>
        pendingFields !== undefined && place in pendingFields ? [] : NeverStored.nameAt(place)
      )
      const id = idOf(flow, { merchant, key: workflowId })
      const ends = OpenEnds.make(openEnds, running.isBegunBefore)
      const surroundings = Context.make(Steps, steps).pipe(
        Context.add(LostFields, lostFields),
        Context.add(IsResumed, running.isBegunBefore || ends.has(id)),
        Context.add(Reopened, ends.has(id)),
        Context.add(OpenEnds.Current, ends),
        Context.add(HoldsOfFlow.HoldsOfFlow, holds)
      )
      const closed = Effect.onExit(run(payload, surroundings), (exit) => (isEnd(exit) ? finalize(exit) : Effect.void))
      return yield* HoldsOfFlow.concluded(flow, holds, closed).pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            finalizers.isSuspended = instance.suspended && Exit.hasInterrupts(exit)
          })
        ),
        // A finalizer that has to wait suspends the flow, so the flow has not ended.
        Effect.catchCause((cause) => (finalizers.isSuspended ? Effect.interrupt : Effect.failCause(cause))),
        Effect.onExit((exit) => Effect.sync(() => ends.leave(id, exit))),
        Effect.result,
        Effect.flatMap((ended) => Effect.orDie(Schema.encodeEffect(endingOf(flow))(ended))),
        Effect.map((ended) => ({ ended, openEnds: ends.ids() }))
      )
    })
}

/**
 * The engine whose flows survive the end of a machine. Effect's cluster runs them, for example on PostgreSQL. Each execution is on
 * one runner at a time. If a runner ends, other runners continue its executions. The flows are the same as on `Durable.layer`, and
 * every runner has the `layer` of each.
 */
import { randomUUID } from "node:crypto"
import { Context, Effect, Exit, Layer, Option, Schedule, Schema, Scope } from "effect"
import {
  ClusterSchema,
  ClusterWorkflowEngine,
  EntityAddress,
  EntityId,
  EntityType,
  MessageStorage,
  Sharding
} from "effect/cluster"
import { Activity, type Workflow, WorkflowEngine } from "effect/workflow"
import type * as Definition from "../Definition.ts"
import * as ExecutionStatus from "../ExecutionStatus.ts"
import { FlowEngine, type Shape } from "../FlowEngine.ts"
import { FlowUnfit, StorageFailed } from "../FlowError.ts"
import * as OpenExecutions from "../OpenExecutions.ts"
import * as Attempts from "./Attempts.ts"
import type { Cipher } from "./Cipher.ts"
import * as ClusterFlow from "./ClusterFlow.ts"
import * as ClusterStarts from "./ClusterStarts.ts"
import * as DurableFlow from "./DurableFlow.ts"
import * as EngineSignals from "./EngineSignals.ts"
import * as Programs from "./Programs.ts"
import { Signals } from "./Signals.ts"
import * as ValueEncoding from "./ValueEncoding.ts"

/** The options of durable flows on a cluster. */
export interface Options {
  /**
   * Encrypts what is stored and what runners send to each other. It must be the same on all runners. Flows with card data need
   * it.
   */
  readonly cipher?: Cipher | undefined
}

/** Runs flows on the cluster of the context. */
export const layer = (
  options: Options = {}
): Layer.Layer<FlowEngine, never, Sharding.Sharding | MessageStorage.MessageStorage> => {
  const encoding = options.cipher === undefined ? ValueEncoding.none : ValueEncoding.make(options.cipher)
  const starts = ClusterStarts.make()
  return Layer.effect(FlowEngine, make(encoding, starts.take)).pipe(
    Layer.provide(
      Layer.provideMerge(Layer.merge(EngineSignals.layer(encoding), starts.layer), ClusterWorkflowEngine.layer)
    )
  )
}

/** The waits between a caller's checks whether a flow on another runner has ended. */
const pollSchedule = Schedule.min([Schedule.exponential("200 millis", 1.5), Schedule.spaced("5 seconds")])

const isAtRest = (status: ExecutionStatus.ExecutionStatus<unknown, unknown>): boolean =>
  status._tag !== "Running" && status._tag !== "Waiting"

const make = Effect.fnUntraced(function* (
  encoding: ValueEncoding.ValueEncoding,
  take: ClusterStarts.StartHolder["take"]
) {
  const engine = yield* WorkflowEngine.WorkflowEngine
  const sharding = yield* Sharding.Sharding
  const storage = yield* MessageStorage.MessageStorage
  const { send: sendPendingFields } = yield* ClusterStarts.ClusterStarts
  const signals = yield* Signals
  const scope = yield* Effect.scope
  const programs = Programs.make()
  const values = ClusterFlow.valuesOf(encoding)
  const runner = OpenExecutions.make()

  /** Whether the cluster has stored the start of an execution. */
  const isStarted = Effect.fnUntraced(function* (flow: { readonly name: string }, storedId: string) {
    const workflow = ClusterFlow.workflowOf(flow)
    const entityId = EntityId.make(storedId)
    const group = Context.get(workflow.annotations, ClusterSchema.ShardGroup)(entityId)
    const address = EntityAddress.make({
      entityType: EntityType.make(`Workflow/${workflow._tag}`),
      entityId,
      shardId: sharding.getShardId(entityId, group)
    })
    return Option.isSome(yield* storage.requestIdForPrimaryKey({ address, tag: "run", id: "" }))
  })

  const find: Attempts.Store["find"] = Effect.fnUntraced(function* (flow, id) {
    const storedId = ClusterFlow.storedIdOf(id)
    const result = yield* engine.poll(ClusterFlow.workflowOf(flow), storedId)
    if (Option.isSome(result)) return Option.some(yield* statusOf(flow, storedId, result.value))
    const isRunning = yield* Effect.mapError(
      isStarted(flow, storedId),
      ({ message }) => new StorageFailed({ flow: flow.name, reason: message })
    )
    return isRunning ? Option.some(ExecutionStatus.running) : Option.none()
  })

  const statusOf = <
    N extends string,
    P extends Definition.Fields,
    A extends Definition.Written,
    E extends Definition.Written,
    R
  >(
    flow: Definition.Definition<N, P, A, E, R>,
    storedId: string,
    result: Workflow.Result<Schema.Json, never>
  ): Effect.Effect<ExecutionStatus.ExecutionStatus<A["Type"], E["Type"]>> => {
    if (result._tag === "Suspended") return Effect.succeed(ExecutionStatus.suspended(result.cause))
    if (Exit.isFailure(result.exit)) return Effect.succeed(ExecutionStatus.ofExit(result.exit))
    return Effect.flatMap(values.outcomeFrom(result.exit.value, storedId), ({ ended }) =>
      DurableFlow.endedOf(flow, ended)
    )
  }

  const store: Attempts.Store = {
    begin: Effect.fnUntraced(function* (flow, payload, id, origin) {
      programs.of(flow.name, origin.merchant)
      if (Option.isSome(yield* find(flow, id))) return "known" as const
      const storedId = ClusterFlow.storedIdOf(id)
      const { pendingFields, stored } = yield* DurableFlow.splitPayload(flow, payload, origin)
      if (Object.keys(pendingFields).length > 0) {
        const fields = yield* Effect.orDie(Schema.encodeEffect(DurableFlow.codecsOf(flow).pending)(pendingFields))
        yield* sendPendingFields(storedId, values.pendingTo(fields, storedId))
      }
      yield* engine.execute(ClusterFlow.workflowOf(flow), {
        executionId: storedId,
        payload: { payload: values.payloadTo(stored, storedId) },
        discard: true
      })
      // Another runner may have begun it at the same time, with another payload.
      return "known" as const
    }),
    find,
    rest: (flow, id) =>
      Effect.repeat(
        Effect.map(
          find(flow, id),
          Option.getOrElse(() => ExecutionStatus.running)
        ),
        { schedule: pollSchedule, until: isAtRest }
      ),
    isOther: Effect.fnUntraced(function* (flow, payload, id, origin) {
      const storedId = ClusterFlow.storedIdOf(id)
      const result = yield* engine.poll(ClusterFlow.workflowOf(flow), storedId)
      if (Option.isNone(result) || result.value._tag === "Suspended" || Exit.isFailure(result.value.exit)) return false
      const { isOf } = yield* values.outcomeFrom(result.value.exit.value, storedId)
      const { stored } = yield* DurableFlow.splitPayload(flow, payload, origin)
      return !isOf(stored)
    }),
    interrupt: (flow, id) => engine.interrupt(ClusterFlow.workflowOf(flow), ClusterFlow.storedIdOf(id)),
    resume: (flow, id) => engine.resume(ClusterFlow.workflowOf(flow), ClusterFlow.storedIdOf(id))
  }

  /** Runs one execution of a flow on this runner. */
  const runOf = (flow: DurableFlow.Payload & { readonly name: string }) =>
    Effect.fnUntraced(function* ({ payload }: { readonly payload: Schema.Json }, storedId: string) {
      const stored = yield* values.payloadFrom(payload, storedId)
      const encoded = take(storedId)
      const pendingFields =
        encoded === undefined
          ? undefined
          : yield* Effect.orDie(
              Schema.decodeEffect(DurableFlow.codecsOf(flow).pending)(values.pendingFrom(encoded, storedId))
            )
      // The run that recorded its identity here first began the execution. No other run got beyond this point.
      const run = randomUUID()
      const startedBy = yield* Activity.make({ name: "begun", success: Schema.String, execute: Effect.succeed(run) })
      const isBegunBefore = startedBy !== run || stored.isReopened
      const running = { executionId: storedId, run, isBegunBefore, encoding }
      const ended = yield* programs.of(flow.name, stored.merchant)(stored, pendingFields, running)
      return values.outcomeTo(stored, ended, storedId)
    })

  const register: Shape["register"] = <
    N extends string,
    P extends Definition.Fields,
    A extends Definition.Written,
    E extends Definition.Written,
    R
  >(
    flow: Definition.Definition<N, P, A, E, R>,
    merchant: string
  ) =>
    Effect.contextWith((services: Context.Context<R>) =>
      Effect.gen(function* () {
        const reason = DurableFlow.unfit(flow, { isEncrypted: encoding.isEncrypted, isSent: true })
        if (reason !== undefined) return yield* new FlowUnfit({ flow: flow.name, reason })
        const program = DurableFlow.programOf(flow, signals, services)
        if (!programs.add(flow.name, merchant, program)) return
        const run = runOf(flow)
        yield* engine
          .register(ClusterFlow.workflowOf(flow), (payload, storedId) =>
            runner.counted(
              flow,
              storedId,
              Effect.provideService(run(payload, storedId), WorkflowEngine.WorkflowEngine, engine)
            )
          )
          .pipe(Effect.provideService(Scope.Scope, scope))
      })
    )

  return FlowEngine.of({
    ...Attempts.make(store),
    register,
    signal: (key, value = "") => signals.signal(key, value),
    list: runner.list,
    settled: runner.settled,
    statistics: runner.statistics
  })
})

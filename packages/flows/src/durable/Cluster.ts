/**
 * The engine whose flows survive the end of a machine. Effect's cluster runs them, for example on PostgreSQL. Each execution is on
 * one runner at a time. If a runner ends, other runners continue its executions. The flows are the same as on `Durable.layer`, and
 * every runner has the `layer` of each.
 */
import { randomUUID } from "node:crypto"
import { Clock, type Context, Effect, Exit, Layer, Option, Schedule, Schema, Scope } from "effect"
import { ClusterError, ClusterWorkflowEngine, type MessageStorage, type Sharding } from "effect/cluster"
import type { SqlClient } from "effect/sql"
import { Activity, type Workflow, WorkflowEngine } from "effect/workflow"
import * as Attempts from "../engine/Attempts.ts"
import type * as Definition from "../engine/Definition.ts"
import * as ExecutionStatus from "../engine/ExecutionStatus.ts"
import { FlowEngine, type OpenExecution, type Shape } from "../engine/FlowEngine.ts"
import * as NeverStored from "../engine/NeverStored.ts"
import { type Payload, splitPayload } from "../engine/StoredPayload.ts"
import { FlowUnfit, StorageFailed } from "../order/FlowError.ts"
import type { Cipher } from "./Cipher.ts"
import * as ClusterFlow from "./ClusterFlow.ts"
import * as ClusterPauses from "./ClusterPauses.ts"
import * as ClusterStarts from "./ClusterStarts.ts"
import * as ClusterTables from "./ClusterTables.ts"
import * as DurableFlow from "./DurableFlow.ts"
import * as EngineSignals from "./EngineSignals.ts"
import * as Programs from "./Programs.ts"
import * as ReplayOrder from "./ReplayOrder.ts"
import * as RunEnds from "./RunEnds.ts"
import { Signals } from "./Signals.ts"
import * as ValueEncoding from "./ValueEncoding.ts"

/** The options of durable flows on a cluster. */
export interface Options {
  /**
   * Encrypts what is stored and what runners send to each other. It must be the same on all runners. Flows with card data need
   * it.
   */
  readonly cipher?: Cipher | undefined
  /** The prefix of the tables of the cluster, if it is not the default of `SqlMessageStorage`. */
  readonly prefix?: string | undefined
}

/** Runs flows on the cluster of the context, whose messages are stored by the SQL client of the context. */
export const layer = (
  options: Options = {}
): Layer.Layer<FlowEngine, never, Sharding.Sharding | MessageStorage.MessageStorage | SqlClient.SqlClient> => {
  const encoding = options.cipher === undefined ? ValueEncoding.none : ValueEncoding.make(options.cipher)
  const starts = ClusterStarts.make()
  return Layer.effect(FlowEngine, make(encoding, starts.take, options.prefix)).pipe(
    Layer.provide(
      Layer.provideMerge(Layer.merge(EngineSignals.layer(encoding), starts.layer), ClusterWorkflowEngine.layer)
    )
  )
}

const firstPauseMs = 25
/**
 * The longest waits between a caller's looks at a flow. It is told the end of a run in its own process. The end of a flow on another
 * runner is known only by a look.
 */
const longestPauseMs = (isHere: boolean) => (isHere ? 5000 : 1000)

const isAtRest = (status: ExecutionStatus.ExecutionStatus<unknown, unknown>): boolean =>
  status._tag !== "Running" && status._tag !== "Waiting"

/** Returns the effect with a failure of the storage as the error of its caller. */
const stored =
  (flow: string) =>
  <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, StorageFailed, R> =>
    effect.pipe(
      Effect.mapError(({ message }) => new StorageFailed({ flow, reason: message })),
      Effect.catchDefect((defect) =>
        defect instanceof ClusterError.PersistenceError
          ? Effect.fail(new StorageFailed({ flow, reason: String(defect.cause) }))
          : Effect.die(defect)
      )
    )

const make = Effect.fnUntraced(function* (
  encoding: ValueEncoding.ValueEncoding,
  take: ClusterStarts.StartHolder["take"],
  prefix: string | undefined
) {
  const engine = yield* WorkflowEngine.WorkflowEngine
  const { send: sendPendingFields } = yield* ClusterStarts.ClusterStarts
  const signals = yield* Signals
  const scope = yield* Effect.scope
  const tables = yield* ClusterTables.make(prefix)
  const ringPauses = yield* ClusterPauses.make(tables)
  const runEnds = RunEnds.make()
  const programs = Programs.make()
  const values = ClusterFlow.valuesOf(encoding)
  const statistics = { runs: 0, steps: 0 }
  let running = 0

  const resultOf = (flow: { readonly name: string }, storedId: string) =>
    engine.poll(ClusterFlow.workflowOf(flow), storedId)

  const find: Attempts.Store["find"] = (flow, id) =>
    Effect.gen(function* () {
      const storedId = ClusterFlow.storedIdOf(id)
      const result = yield* resultOf(flow, storedId)
      if (Option.isNone(result)) return Option.as(yield* tables.startOf(flow.name, storedId), ExecutionStatus.running)
      if (result.value._tag === "Suspended") return Option.some(yield* suspendedOf(flow.name, storedId, result.value))
      const { exit } = result.value
      return Option.some(
        DurableFlow.endedOf(
          flow,
          Exit.map(exit, (outcome) => values.outcomeFrom(outcome, storedId))
        )
      )
    }).pipe(stored(flow.name))

  const suspendedOf = (flow: string, storedId: string, { cause, failed }: Workflow.Suspended) =>
    failed === true || cause !== undefined
      ? Effect.succeed(ExecutionStatus.stuckOn(cause))
      : Effect.map(tables.waitsOf(flow, storedId), ExecutionStatus.waiting)

  const store: Attempts.Store = {
    begin: (flow, payload, id, origin) =>
      Effect.gen(function* () {
        programs.of(flow.name, origin.merchant)
        const storedId = ClusterFlow.storedIdOf(id)
        if (Option.isSome(yield* tables.startOf(flow.name, storedId))) return "known" as const
        const { pendingFields, stored } = yield* splitPayload(flow, payload, origin)
        const sentBy = randomUUID()
        if (Object.keys(pendingFields).length > 0) {
          const fields = yield* Effect.orDie(
            Schema.encodeEffect(NeverStored.codecOf(flow, stored.pendingNames))(pendingFields)
          )
          yield* sendPendingFields(storedId, sentBy, values.pendingTo(fields, storedId))
        }
        yield* engine.execute(ClusterFlow.workflowOf(flow), {
          executionId: storedId,
          payload: values.startTo(id, stored, sentBy, storedId),
          discard: true
        })
        // Another call may have begun it at the same time, also on another runner. The first one is stored.
        const start = yield* tables.startOf(flow.name, storedId)
        return Option.isSome(start) && (yield* values.isSentBy(start.value, sentBy)) ? ("begun" as const) : "known"
      }).pipe(stored(flow.name)),
    find,
    openEnds: (flow, id) =>
      Effect.map(resultOf(flow, ClusterFlow.storedIdOf(id)), (result) =>
        Option.isSome(result) && result.value._tag === "Complete" && Exit.isSuccess(result.value.exit)
          ? DurableFlow.openEndsOf(values.outcomeFrom(result.value.exit.value, ClusterFlow.storedIdOf(id)))
          : null
      ).pipe(stored(flow.name)),
    rest: (flow, id) => {
      const storedId = ClusterFlow.storedIdOf(id)
      const looks = Effect.gen(function* () {
        for (let pauseMs = firstPauseMs; ; pauseMs *= 1.5) {
          const status = Option.getOrElse(yield* find(flow, id), () => ExecutionStatus.running)
          if (isAtRest(status)) return status
          yield* Effect.sleep(Math.min(pauseMs, longestPauseMs(tables.isHere(flow.name, storedId))))
        }
      })
      const runEnd = Effect.as(runEnds.next(storedId), undefined)
      return Effect.gen(function* () {
        for (;;) {
          const status = yield* Effect.raceFirst(looks, runEnd)
          // The outcome is stored a moment after the run has ended.
          if (status !== undefined) return status
        }
      })
    },
    isOther: (flow, payload, id, merchant) =>
      Effect.gen(function* () {
        const storedId = ClusterFlow.storedIdOf(id)
        const start = yield* tables.startOf(flow.name, storedId)
        if (Option.isNone(start)) return false
        const { stored } = yield* splitPayload(flow, payload, { merchant, openEnds: [] })
        return !ClusterFlow.isSame(yield* values.payloadFrom(start.value, storedId), stored)
      }).pipe(stored(flow.name)),
    interrupt: (flow, id) =>
      stored(flow.name)(engine.interrupt(ClusterFlow.workflowOf(flow), ClusterFlow.storedIdOf(id))),
    resume: (flow, id) => stored(flow.name)(engine.resume(ClusterFlow.workflowOf(flow), ClusterFlow.storedIdOf(id)))
  }

  /** Called at the end of a run: sets the timers of its pauses, or tells its callers. */
  const left = (flow: string, storedId: string) =>
    Effect.flatMap(WorkflowEngine.WorkflowInstance, ({ suspended }) =>
      suspended ? ringPauses(flow, storedId) : Effect.sync(() => runEnds.tell(storedId))
    )

  /** Runs one execution of a flow on this runner. */
  const runOf = (flow: Payload & { readonly name: string }) =>
    Effect.fnUntraced(function* (start: typeof ClusterFlow.Start.Type, storedId: string) {
      const stored = yield* values.payloadFrom(start, storedId)
      const encoded = take(storedId, start.sentBy)
      const pendingFields =
        encoded === undefined
          ? undefined
          : yield* Effect.orDie(
              Schema.decodeEffect(NeverStored.codecOf(flow, stored.pendingNames))(values.pendingFrom(encoded, storedId))
            )
      // The run that recorded its identity here first began the execution. No other run got beyond this point.
      const run = randomUUID()
      const startedBy = yield* Activity.make({ name: "begun", success: Schema.String, execute: Effect.succeed(run) })
      const onStep = () => {
        statistics.steps += 1
      }
      const ended = yield* programs.of(flow.name, stored.merchant)(stored, pendingFields, {
        ...{ executionId: storedId, run, isBegunBefore: startedBy !== run, encoding, onStep, order: ReplayOrder.make() }
      })
      return values.outcomeTo(ended, storedId)
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
        const { isEncrypted } = encoding
        const reason = DurableFlow.unfit(flow, { isEncrypted, isSent: true })
        if (reason !== undefined) return yield* new FlowUnfit({ flow: flow.name, reason })
        if (!programs.add(flow.name, merchant, DurableFlow.programOf(flow, signals, services))) return
        const run = runOf(flow)
        yield* engine
          .register(ClusterFlow.workflowOf(flow), (start, storedId) =>
            Effect.suspend(() => {
              statistics.runs += 1
              running += 1
              return Effect.provideService(run(start, storedId), WorkflowEngine.WorkflowEngine, engine)
            }).pipe(
              Effect.ensuring(left(flow.name, storedId)),
              Effect.ensuring(
                Effect.sync(() => {
                  running -= 1
                })
              )
            )
          )
          .pipe(Effect.provideService(Scope.Scope, scope))
      })
    )

  /** Returns the execution for operators if it is in this state. */
  const openOf = Effect.fnUntraced(function* (row: ClusterTables.Row, state: OpenExecution["state"]) {
    const { changedAtMs, flow, payload, startedAtMs, storedId, suspended } = row
    const missing = programs.missing(flow)
    const status =
      missing !== undefined
        ? ExecutionStatus.stuck(missing)
        : suspended === undefined
          ? ExecutionStatus.running
          : yield* suspendedOf(flow, storedId, suspended)
    if (stateOf(status) !== state) return Option.none()
    // An id that cannot be read, because its key is missing or it was changed, is shown as the tables have it.
    const id = yield* Effect.catchCause(values.idFrom(payload, storedId), () => Effect.succeed(storedId))
    const waits = status._tag === "Waiting" ? status.waits : []
    const stuckOn = status._tag === "Stuck" ? { stuckOn: status.on } : {}
    return Option.some<OpenExecution>({ id, flow, state, startedAtMs, changedAtMs, waits, ...stuckOn })
  })

  return FlowEngine.of({
    ...Attempts.make(store),
    register,
    signal: (key, value = "") => signals.signal(key, value),
    list: ({ state, ...page }) => stored("The list")(tables.list(page, (row) => openOf(row, state))),
    settled: Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      return running === 0 && !(yield* tables.isDue(programs.names(), nowMs))
    }).pipe(
      Effect.orDie,
      Effect.repeat({ schedule: Schedule.spaced("50 millis"), until: (isSo) => isSo }),
      Effect.asVoid
    ),
    statistics
  })
})

const stateOf = ({ _tag }: ExecutionStatus.ExecutionStatus<never, never>): OpenExecution["state"] =>
  _tag === "Stuck" ? "stuck" : _tag === "Waiting" ? "waiting" : "running"

/**
 * Durable flows on several machines. Effect's cluster runs them, for example on PostgreSQL. Each execution is on one runner at a
 * time. If a runner ends, other runners continue its executions. The flows are the same as for `Durable.layer`.
 */
import { PayloadDiffers } from "@pay/workflow-sqlite/Executions"
import { Context, Effect, Exit, Layer, Option, Schedule, type Schema } from "effect"
import { ClusterWorkflowEngine, type MessageStorage, type Sharding } from "effect/cluster"
import { WorkflowEngine } from "effect/workflow"
import type * as Flow from "../Flow.ts"
import type { Cipher } from "./Cipher.ts"
import * as ClusterFlow from "./ClusterFlow.ts"
import * as ClusterStarts from "./ClusterStarts.ts"
import * as EngineSignals from "./EngineSignals.ts"
import * as ExecutionStatus from "./ExecutionStatus.ts"
import { Registry } from "./Registry.ts"
import { outside, Signals } from "./Signals.ts"
import * as ValueEncoding from "./ValueEncoding.ts"

export { type ExecutionStatus, FlowUnfit, PayloadInvalid } from "./ExecutionStatus.ts"
export { flow } from "./Registry.ts"

type F = Flow.Fields
type W = Flow.Written

/** The durable flows of a cluster. */
export class Cluster extends Context.Service<
  Cluster,
  {
    /**
     * Starts a flow and returns its id once it is stored in the database. A second start with the same identity, from any runner,
     * returns the same id without another effect. The payload of the first start applies. `run` fails if its own payload is a
     * different one.
     */
    readonly start: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>
    ) => Effect.Effect<string, ExecutionStatus.PayloadInvalid>
    /**
     * Starts a flow, or joins it, and waits for its end on any runner. If the flow is stuck, the wait continues until it is
     * resumed.
     */
    readonly run: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>
    ) => Effect.Effect<A["Type"], E["Type"] | PayloadDiffers | ExecutionStatus.PayloadInvalid>
    /**
     * Returns the status of the flow under this identity (usually the `clientOrderId`). It is `Running` also if no flow was
     * started under this identity.
     */
    readonly result: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      key: string
    ) => Effect.Effect<ExecutionStatus.ExecutionStatus<A["Type"], E["Type"]>>
    /** Wakes the flows that wait for the key, on any runner. If none does, the signal is kept for the first that will. */
    readonly signal: (key: string, value?: string) => Effect.Effect<void>
    /** Continues a flow that is stuck. */
    readonly resume: (flow: { readonly name: string }, key: string) => Effect.Effect<void>
    /** Interrupts a flow at its current wait. Its finalizers run. */
    readonly interrupt: (flow: { readonly name: string }, key: string) => Effect.Effect<void>
  }
>()("@pay/flows/durable/Cluster") {}

type ProvidedServices = Registry | Signals | ClusterStarts.ClusterStarts | WorkflowEngine.WorkflowEngine

/** The options of durable flows on a cluster. */
export interface Options<E, R> {
  /**
   * Encrypts what is stored and what runners send to each other. It must be the same on all runners. Flows with card data need
   * it.
   */
  readonly cipher?: Cipher | undefined
  /** The flows, the same on all runners: `Layer.mergeAll(Durable.flow(HostedSale), Durable.flow(Refund), …)`. */
  readonly flows: Layer.Layer<never, E, R>
}

/** Runs flows on the cluster of the context. Also provides the `Steps` through which code outside of flows sends signals. */
export const layer = <E, R>(
  options: Options<E, R>
): Layer.Layer<Cluster, E, Exclude<R, ProvidedServices> | Sharding.Sharding | MessageStorage.MessageStorage> => {
  const encoding = options.cipher === undefined ? ValueEncoding.none : ValueEncoding.make(options.cipher)
  const starts = ClusterStarts.make()
  const registry = Layer.succeed(Registry, {
    names: new Set<string>(),
    isEncrypted: encoding.isEncrypted,
    kind: { _tag: "Cluster", encoding, take: starts.take }
  })
  return Layer.merge(Layer.effect(Cluster, make(encoding)), outside).pipe(
    Layer.provideMerge(options.flows),
    Layer.provide(
      Layer.provideMerge(
        Layer.mergeAll(EngineSignals.layer(encoding), starts.layer, registry),
        ClusterWorkflowEngine.layer
      )
    )
  )
}

/** The waits between a caller's checks whether a flow on another runner has ended. */
const pollSchedule = Schedule.min([Schedule.exponential("200 millis", 1.5), Schedule.spaced("5 seconds")])

const make = (encoding: ValueEncoding.ValueEncoding) =>
  Effect.gen(function* () {
    const engine = yield* WorkflowEngine.WorkflowEngine
    const { names } = yield* Registry
    const { send: sendPendingFields } = yield* ClusterStarts.ClusterStarts
    const { signal } = yield* Signals

    const request = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>
    ) {
      if (!names.has(flow.name)) {
        return yield* Effect.die(
          new Error(`${flow.name} is not among the flows of this layer: add Durable.flow(${flow.name})`)
        )
      }
      yield* ExecutionStatus.fit(flow, payload)
      const start = yield* ClusterFlow.requestOf(flow, payload, encoding)
      if (start.pendingFields !== undefined) yield* sendPendingFields(start.executionId, start.pendingFields)
      return start
    })

    return Cluster.of({
      start: Effect.fnUntraced(function* (flow, payload) {
        const { executionId, payload: encodedPayload } = yield* request(flow, payload)
        return yield* engine.execute(ClusterFlow.workflowOf(flow), {
          executionId,
          payload: { payload: encodedPayload },
          discard: true
        })
      }),
      run: Effect.fnUntraced(function* (flow, payload) {
        const { executionId, json, payload: encodedPayload } = yield* request(flow, payload)
        const stored = yield* engine.execute(ClusterFlow.workflowOf(flow), {
          executionId,
          payload: { payload: encodedPayload },
          suspendedRetrySchedule: pollSchedule
        })
        const { ended, isOf } = yield* ClusterFlow.outcomeOf(flow, executionId, stored, encoding)
        if (!isOf(json)) return yield* new PayloadDiffers({ executionId, workflow: flow.name })
        return yield* Effect.fromResult(ended)
      }),
      result: Effect.fnUntraced(function* (flow, key) {
        const executionId = ClusterFlow.idOf(flow, key)
        const result = yield* engine.poll(ClusterFlow.workflowOf(flow), executionId)
        if (Option.isNone(result)) return { _tag: "Running" as const }
        if (result.value._tag === "Suspended") return ExecutionStatus.suspended(result.value)
        const { exit } = result.value
        if (Exit.isFailure(exit)) return ExecutionStatus.endedByDefect(exit.cause)
        const { ended } = yield* ClusterFlow.outcomeOf(flow, executionId, exit.value, encoding)
        return ExecutionStatus.ended(ended)
      }),
      signal: (key, value = "") => signal(key, value),
      resume: (flow, key) => engine.resume(ClusterFlow.workflowOf(flow), ClusterFlow.idOf(flow, key)),
      interrupt: (flow, key) => engine.interrupt(ClusterFlow.workflowOf(flow), ClusterFlow.idOf(flow, key))
    })
  })

/**
 * Flows that survive the end of their process. Each completed step is on the disk before the next one begins, and the next
 * process continues from there. A file belongs to one process. For several machines, run the same flows on a cluster.
 */
import type { StoreRefused } from "@pay/sqlite/Durability"
import type { MigrationError } from "@pay/sqlite/Migration"
import * as OwnedFile from "@pay/sqlite/OwnedFile"
import type { SqliteError } from "@pay/sqlite/SqliteError"
import { type Execution, Executions, type PayloadDiffers, type StorageError } from "@pay/workflow-sqlite/Executions"
import * as Engine from "@pay/workflow-sqlite/WorkflowEngine"
import { Context, Effect, Exit, Layer, Option, type Schema } from "effect"
import { WorkflowEngine } from "effect/workflow"
import type * as Flow from "../Flow.ts"
import type { Cipher } from "./Cipher.ts"
import * as DurableFlow from "./DurableFlow.ts"
import * as ExecutionStatus from "./ExecutionStatus.ts"
import { NotStarted } from "./ExecutionStatus.ts"
import * as PendingStarts from "./PendingStarts.ts"
import { Registry } from "./Registry.ts"
import { outside, Signals } from "./Signals.ts"

export {
  type Execution,
  PayloadDiffers,
  type State,
  type StorageError,
  type Wait
} from "@pay/workflow-sqlite/Executions"
export { type ExecutionStatus, FlowUnfit, NotStarted, PayloadInvalid } from "./ExecutionStatus.ts"
export { flow } from "./Registry.ts"

type F = Flow.Fields
type W = Flow.Written

/** The durable flows of this process. */
export class Durable extends Context.Service<
  Durable,
  {
    /**
     * Starts a flow and returns its id once it is stored on the disk. A second start with the same identity and payload, at any
     * later time, returns the same id without another effect. The security code is neither stored nor compared.
     */
    readonly start: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>
    ) => Effect.Effect<string, PayloadDiffers | ExecutionStatus.PayloadInvalid | StorageError>
    /** Starts a flow like `start`, and starts it again if it has ended with an error that is `retryable`. */
    readonly again: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>
    ) => Effect.Effect<string, PayloadDiffers | ExecutionStatus.PayloadInvalid | StorageError>
    /**
     * Starts all executions of the flow again that have ended with an error that is `retryable`, and returns their ids. The
     * payload of an execution is erased when it ends, so `payloadOf` returns it by the identity, or `undefined` for an execution
     * to leave as it is.
     */
    readonly againAll: <N extends string, P extends F, A extends W, E extends W, R, E2, R2>(
      flow: Flow.Flow<N, P, A, E, R>,
      payloadOf: (key: string) => Effect.Effect<Schema.Struct.Type<P> | undefined, E2, R2>
    ) => Effect.Effect<ReadonlyArray<string>, PayloadDiffers | ExecutionStatus.PayloadInvalid | StorageError | E2, R2>
    /** Starts a flow and waits for its end. Dies if the flow is stuck or was interrupted. */
    readonly run: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>
    ) => Effect.Effect<A["Type"], E["Type"] | PayloadDiffers | ExecutionStatus.PayloadInvalid | StorageError>
    /** Returns the status of the flow that was started under this identity (`idempotencyKey`, usually the `clientOrderId`). */
    readonly result: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      key: string
    ) => Effect.Effect<ExecutionStatus.ExecutionStatus<A["Type"], E["Type"]>, NotStarted | SqliteError>
    /** Waits until the flow under this identity has ended or is stuck, and returns its status. */
    readonly ended: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      key: string
    ) => Effect.Effect<ExecutionStatus.ExecutionStatus<A["Type"], E["Type"]>, NotStarted | SqliteError>
    /** Wakes the flows that wait for the key. If none does, the signal is kept for the first that will. */
    readonly signal: (key: string, value?: string) => Effect.Effect<void, StorageError>
    /** Returns a page of the executions that have not ended, the longest unchanged first. It is meant for operators. */
    readonly waiting: Executions["Service"]["open"]
    /** Continues a flow that is stuck. */
    readonly resume: (id: string) => Effect.Effect<void, StorageError>
    /** Interrupts a flow at its current wait. Its finalizers run. */
    readonly interrupt: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      key: string
    ) => Effect.Effect<void>
    /** Completes when no flow runs and none is due. Use it in tests and before a planned stop. */
    readonly settled: Effect.Effect<void>
    readonly statistics: Executions["Service"]["statistics"]
  }
>()("@pay/flows/durable/Durable") {}

type ProvidedServices = Registry | Signals | Executions | WorkflowEngine.WorkflowEngine

/** The options of durable flows in one process. */
export interface Options<E, R> {
  /**
   * The path of the file. It is created if it is missing, but its folder must exist. A second process on the same file is
   * refused. So is a file that was copied, or replaced by an older one; `path` with `.witness` has the number of its last commit.
   */
  readonly path: string
  /**
   * For one start after the file became another one. `moved`: the former file is not used any more. `restored`: it is a copy, or an
   * older state. Flows may then have done more than it contains, and each flow asks for the status before it acts.
   */
  readonly origin?: "moved" | "restored"
  /** Encrypts what is stored. Flows with card data need it. */
  readonly cipher?: Cipher | undefined
  /** All flows that this process runs: `Layer.mergeAll(Durable.flow(CardSale), Durable.flow(Refund), …)`. */
  readonly flows: Layer.Layer<never, E, R>
  /** Largest number of flows that run at the same time. The others wait in the file. Default 256. */
  readonly maxRunning?: number
  /** Longest time in milliseconds until a jump of the system clock is noticed. Default 10,000. */
  readonly tickMs?: number
}

/** Runs durable flows until the scope ends. Also provides the `Steps` through which code outside of flows sends signals. */
export const layer = <E, R>(
  options: Options<E, R>
): Layer.Layer<Durable, E | SqliteError | MigrationError | StoreRefused, Exclude<R, ProvidedServices>> => {
  const { cipher, flows, origin, path, ...rest } = options
  const pendingStarts = PendingStarts.make()
  const engine = Layer.unwrap(
    Effect.map(OwnedFile.open({ path, origin }), ({ database, isRestored, sequence }) =>
      Layer.merge(
        Engine.layer({ ...rest, database, sequence, cipher }),
        Layer.succeed(Registry, {
          names: new Set<string>(),
          isEncrypted: cipher !== undefined,
          kind: { _tag: "Embedded", take: pendingStarts.take, isRestored }
        })
      )
    )
  )
  const services = Layer.effect(Durable, make(pendingStarts))
  return Layer.merge(services, outside).pipe(
    Layer.provideMerge(flows),
    Layer.provide(Layer.provideMerge(Signals.layerEmbedded, engine))
  )
}

/** Number of ended executions that are read at once. */
const page = 100

const make = (pendingStarts: PendingStarts.PendingStarts) =>
  Effect.gen(function* () {
    const executions = yield* Executions
    const engine = yield* WorkflowEngine.WorkflowEngine
    const { names } = yield* Registry

    const requireKnown = (flow: { readonly name: string }): Effect.Effect<void> =>
      names.has(flow.name)
        ? Effect.void
        : Effect.die(new Error(`${flow.name} is not among the flows of this layer: add Durable.flow(${flow.name})`))

    const begin = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>,
      { isOpen = false, renews }: { readonly renews?: Execution; readonly isOpen?: boolean } = {}
    ) {
      yield* requireKnown(flow)
      yield* ExecutionStatus.fit(flow, payload)
      const executionId = DurableFlow.idOf(flow, flow.idempotencyKey(payload))
      const { pendingFields, stored } = DurableFlow.splitPayload(flow, payload, isOpen)
      const registration = pendingStarts.hold(executionId, pendingFields)
      const started = executions.start(DurableFlow.workflowOf(flow), {
        executionId,
        payload: stored,
        ignores: DurableFlow.ignoredParts,
        renews
      })
      // A call that joins a running flow leaves no fields behind. The fields for the first run belong to the call that began the
      // flow, even if that call is interrupted.
      yield* Effect.uninterruptible(
        Effect.onExit(started, (exit) =>
          Exit.isSuccess(exit) && exit.value === "started" ? Effect.void : Effect.sync(registration.release)
        )
      )
      return executionId
    })

    const read = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      key: string
    ) {
      const id = DurableFlow.idOf(flow, key)
      const execution = yield* executions.find(id)
      if (Option.isNone(execution)) return yield* new NotStarted({ id })
      const flowStatus =
        execution.value.state === "finished"
          ? ExecutionStatus.of(flow, yield* executions.atRest(DurableFlow.workflowOf(flow), id))
          : ExecutionStatus.open<A["Type"], E["Type"]>(execution.value)
      return { execution: execution.value, flowStatus }
    })

    const result = <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      key: string
    ) => Effect.map(read(flow, key), ({ flowStatus }) => flowStatus)

    const ended = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      key: string
    ) {
      yield* result(flow, key)
      yield* executions.atRest(DurableFlow.workflowOf(flow), DurableFlow.idOf(flow, key))
      return yield* result(flow, key)
    })

    const again = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>
    ) {
      yield* ExecutionStatus.fit(flow, payload)
      const existing = yield* Effect.option(read(flow, flow.idempotencyKey(payload)))
      const ended = Option.getOrUndefined(
        Option.filter(existing, ({ flowStatus }) => ExecutionStatus.isRetryable(flowStatus))
      )
      if (ended === undefined) return yield* begin(flow, payload)
      return yield* begin(flow, payload, {
        renews: ended.execution,
        isOpen: ExecutionStatus.isOpenEnd(ended.flowStatus)
      })
    })

    const againAll = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R, E2, R2>(
      flow: Flow.Flow<N, P, A, E, R>,
      payloadOf: (key: string) => Effect.Effect<Schema.Struct.Type<P> | undefined, E2, R2>
    ) {
      yield* requireKnown(flow)
      const prefix = `${flow.name}/`
      const startedIds: Array<string> = []
      let after: Execution | undefined
      while (true) {
        const executionsPage = yield* executions.ended({ prefix, limit: page, after })
        for (const { executionId } of executionsPage) {
          const key = executionId.slice(prefix.length)
          const flowStatus = yield* Effect.catchTag(result(flow, key), "NotStarted", Effect.die)
          if (!ExecutionStatus.isRetryable(flowStatus)) continue
          const payload = yield* payloadOf(key)
          if (payload !== undefined) startedIds.push(yield* again(flow, payload))
        }
        if (executionsPage.length < page) return startedIds
        after = executionsPage.at(-1)
      }
    })

    return Durable.of({
      start: (flow, payload) => begin(flow, payload),
      again,
      againAll,
      run: Effect.fnUntraced(function* (flow, payload) {
        yield* begin(flow, payload)
        const flowStatus = yield* Effect.catchTag(ended(flow, flow.idempotencyKey(payload)), "NotStarted", Effect.die)
        if (flowStatus._tag === "Succeeded") return flowStatus.value
        if (flowStatus._tag === "Failed") return yield* Effect.fail(flowStatus.error)
        return yield* Effect.die(new Error(`${flow.name} ${ExecutionStatus.explain(flowStatus)}`))
      }),
      result,
      ended,
      signal: (key, value = "") => executions.signal(key, value),
      waiting: executions.open,
      resume: executions.resume,
      interrupt: (flow, key) => engine.interrupt(DurableFlow.workflowOf(flow), DurableFlow.idOf(flow, key)),
      settled: executions.settled,
      statistics: executions.statistics
    })
  })

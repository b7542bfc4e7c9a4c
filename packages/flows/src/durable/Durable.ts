/**
 * Flows that survive their process: what was done is on the disk before anything else is done, and the next process goes
 * on where the last one was. One process, one file; for several machines the same flows run on a cluster.
 */
import * as Database from "@pay/sqlite/Database"
import type { MigrationError } from "@pay/sqlite/Migration"
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

export class Durable extends Context.Service<
  Durable,
  {
    /**
     * Begins a flow, or joins it: the same identity and payload twice is once, for ever. On the disk when it succeeds;
     * gives its id. The security code is not part of what is compared, nor of what is kept.
     */
    readonly start: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>
    ) => Effect.Effect<string, PayloadDiffers | ExecutionStatus.PayloadInvalid | StorageError>
    /** The same, and begins it anew where it has ended with an error that is `retryable`. */
    readonly again: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>
    ) => Effect.Effect<string, PayloadDiffers | ExecutionStatus.PayloadInvalid | StorageError>
    /**
     * {@link again} for all of the flow that have ended so. What they were asked for is erased with their end: `payloadOf` says
     * it by their identity, and nothing for those that are to stay. Gives the ids of those that were begun anew.
     */
    readonly againAll: <N extends string, P extends F, A extends W, E extends W, R, E2, R2>(
      flow: Flow.Flow<N, P, A, E, R>,
      payloadOf: (key: string) => Effect.Effect<Schema.Struct.Type<P> | undefined, E2, R2>
    ) => Effect.Effect<ReadonlyArray<string>, PayloadDiffers | ExecutionStatus.PayloadInvalid | StorageError | E2, R2>
    /** Begins a flow and waits for its end. Dies where it is stuck or was interrupted. */
    readonly run: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>
    ) => Effect.Effect<A["Type"], E["Type"] | PayloadDiffers | ExecutionStatus.PayloadInvalid | StorageError>
    /** How the flow stands that was started under this identity (`idempotencyKey`: mostly the `clientOrderId`). */
    readonly result: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      key: string
    ) => Effect.Effect<ExecutionStatus.ExecutionStatus<A["Type"], E["Type"]>, NotStarted | SqliteError>
    /** Waits until the flow under this identity has ended or is stuck, and returns how it stands. */
    readonly ended: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      key: string
    ) => Effect.Effect<ExecutionStatus.ExecutionStatus<A["Type"], E["Type"]>, NotStarted | SqliteError>
    /** Wakes the flows that await the key; kept where none does yet. */
    readonly signal: (key: string, value?: string) => Effect.Effect<void, StorageError>
    /** For operators: what has not ended, the ones longest unchanged first, a page at a time. */
    readonly waiting: Executions["Service"]["open"]
    /** Goes on with a flow that is stuck. */
    readonly resume: (id: string) => Effect.Effect<void, StorageError>
    /** Ends a flow where it waits; its finalizers run. */
    readonly interrupt: <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Flow.Flow<N, P, A, E, R>,
      key: string
    ) => Effect.Effect<void>
    /** Completes when nothing runs and nothing is due: for tests, and before a planned stop. */
    readonly settled: Effect.Effect<void>
    readonly statistics: Executions["Service"]["statistics"]
  }
>()("@pay/flows/durable/Durable") {}

type Given = Registry | Signals | Executions | WorkflowEngine.WorkflowEngine

export interface Options<E, R> {
  /** The file, made if it is not there; its folder must exist. Of two processes the second is refused. */
  readonly path: string
  /** Seals what is written. Needed by flows that take card data. */
  readonly cipher?: Cipher | undefined
  /** `Layer.mergeAll(Durable.flow(CardSale), Durable.flow(Refund), …)`: all that this process carries out. */
  readonly flows: Layer.Layer<never, E, R>
  /** Flows that run at the same time, at most; the others wait in the file: 256. */
  readonly maxRunning?: number
  /** After so many milliseconds at most a clock that jumped is noticed: 10,000. */
  readonly tickMs?: number
}

/** Durable flows until the scope ends. Also gives the `Steps` through which code outside of flows sends signals. */
export const layer = <E, R>(
  options: Options<E, R>
): Layer.Layer<Durable, E | SqliteError | MigrationError, Exclude<R, Given>> => {
  const { cipher, flows, path, ...rest } = options
  const engine = Layer.unwrap(
    Effect.map(Database.open({ path }), (database) => Engine.layer({ ...rest, database, seal: cipher }))
  )
  const waitingRoom = PendingStarts.make()
  const registry = Layer.succeed(Registry, {
    names: new Set<string>(),
    isSealed: cipher !== undefined,
    kind: { _tag: "Embedded", fresh: waitingRoom }
  })
  const services = Layer.effect(Durable, make(waitingRoom))
  return Layer.merge(services, outside).pipe(
    Layer.provideMerge(flows),
    Layer.provide(Layer.provideMerge(Layer.merge(Signals.layerEmbedded, registry), engine))
  )
}

/** So many that have ended are looked through at once. */
const page = 100

const make = (waitingRoom: PendingStarts.PendingStarts) =>
  Effect.gen(function* () {
    const executions = yield* Executions
    const engine = yield* WorkflowEngine.WorkflowEngine
    const { names } = yield* Registry

    const requireKnown = (the: { readonly name: string }): Effect.Effect<void> =>
      names.has(the.name)
        ? Effect.void
        : Effect.die(new Error(`${the.name} is not among the flows of this layer: add Durable.flow(${the.name})`))

    const begin = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
      the: Flow.Flow<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>,
      { isOpen = false, renews }: { readonly renews?: Execution; readonly isOpen?: boolean } = {}
    ) {
      yield* requireKnown(the)
      yield* ExecutionStatus.fit(the, payload)
      const executionId = DurableFlow.idOf(the, the.idempotencyKey(payload))
      const { fresh, kept } = DurableFlow.parted(the, payload)
      const seat = waitingRoom.seat(executionId, { fields: fresh, isReopened: isOpen })
      const started = executions.start(DurableFlow.workflowOf(the), {
        executionId,
        payload: isOpen ? { ...kept, [DurableFlow.reopenedField]: true } : kept,
        ignores: DurableFlow.ownFields,
        renews
      })
      // A call that joins a running flow leaves no fields behind. The fields for the first run belong to the call that began the
      // flow, even if that call is interrupted.
      yield* Effect.uninterruptible(
        Effect.onExit(started, (exit) =>
          Exit.isSuccess(exit) && exit.value === "started" ? Effect.void : Effect.sync(seat.leave)
        )
      )
      return executionId
    })

    const read = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
      the: Flow.Flow<N, P, A, E, R>,
      key: string
    ) {
      const id = DurableFlow.idOf(the, key)
      const execution = yield* executions.find(id)
      if (Option.isNone(execution)) return yield* new NotStarted({ id })
      const standing =
        execution.value.state === "finished"
          ? ExecutionStatus.of(the, yield* executions.atRest(DurableFlow.workflowOf(the), id))
          : ExecutionStatus.open<A["Type"], E["Type"]>(execution.value)
      return { execution: execution.value, standing }
    })

    const result = <N extends string, P extends F, A extends W, E extends W, R>(
      the: Flow.Flow<N, P, A, E, R>,
      key: string
    ) => Effect.map(read(the, key), ({ standing }) => standing)

    const ended = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
      the: Flow.Flow<N, P, A, E, R>,
      key: string
    ) {
      yield* result(the, key)
      yield* executions.atRest(DurableFlow.workflowOf(the), DurableFlow.idOf(the, key))
      return yield* result(the, key)
    })

    const again = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
      the: Flow.Flow<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>
    ) {
      yield* ExecutionStatus.fit(the, payload)
      const existing = yield* Effect.option(read(the, the.idempotencyKey(payload)))
      const ended = Option.getOrUndefined(
        Option.filter(existing, ({ standing }) => ExecutionStatus.isRetryable(standing))
      )
      if (ended === undefined) return yield* begin(the, payload)
      return yield* begin(the, payload, { renews: ended.execution, isOpen: ExecutionStatus.isOpenEnd(ended.standing) })
    })

    const againAll = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R, E2, R2>(
      the: Flow.Flow<N, P, A, E, R>,
      payloadOf: (key: string) => Effect.Effect<Schema.Struct.Type<P> | undefined, E2, R2>
    ) {
      yield* requireKnown(the)
      const prefix = `${the.name}/`
      const begun: Array<string> = []
      let after: Execution | undefined
      while (true) {
        const executionsPage = yield* executions.ended({ prefix, limit: page, after })
        for (const { executionId } of executionsPage) {
          const key = executionId.slice(prefix.length)
          const standing = yield* Effect.catchTag(result(the, key), "NotStarted", Effect.die)
          if (!ExecutionStatus.isRetryable(standing)) continue
          const payload = yield* payloadOf(key)
          if (payload !== undefined) begun.push(yield* again(the, payload))
        }
        if (executionsPage.length < page) return begun
        after = executionsPage.at(-1)
      }
    })

    return Durable.of({
      start: (the, payload) => begin(the, payload),
      again,
      againAll,
      run: Effect.fnUntraced(function* (the, payload) {
        yield* begin(the, payload)
        const standing = yield* Effect.catchTag(ended(the, the.idempotencyKey(payload)), "NotStarted", Effect.die)
        if (standing._tag === "Succeeded") return standing.value
        if (standing._tag === "Failed") return yield* Effect.fail(standing.error)
        return yield* Effect.die(new Error(`${the.name} ${ExecutionStatus.explain(standing)}`))
      }),
      result,
      ended,
      signal: (key, value = "") => executions.signal(key, value),
      waiting: executions.open,
      resume: executions.resume,
      interrupt: (the, key) => engine.interrupt(DurableFlow.workflowOf(the), DurableFlow.idOf(the, key)),
      settled: executions.settled,
      statistics: executions.statistics
    })
  })

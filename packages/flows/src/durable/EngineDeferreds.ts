/** Reads, completes and waits for deferreds of executions on any workflow engine of Effect. */
import { Effect, Option, Result, type Schema } from "effect"
import { type DurableClock, DurableDeferred, Workflow, WorkflowEngine } from "effect/workflow"

export const named = (name: string) => Workflow.make(name, { payload: {}, idempotencyKey: () => "" })
/** An execution, or the owner of deferreds. */
export interface Place {
  readonly workflowName: string
  readonly executionId: string
}

export const make = Effect.gen(function* () {
  const engine = yield* WorkflowEngine.WorkflowEngine

  /** Reads a deferred of any execution. */
  const result = <S extends Schema.Codec<unknown, unknown>>(
    deferred: DurableDeferred.DurableDeferred<S>,
    { executionId, workflowName }: Place
  ) =>
    engine.deferredResult(deferred).pipe(
      Effect.provideService(
        WorkflowEngine.WorkflowInstance,
        WorkflowEngine.WorkflowInstance.initial(named(workflowName), executionId)
      ),
      Effect.flatMap((match) => (Option.isSome(match) ? Effect.asSome(match.value) : Effect.succeedNone))
    )

  /** Completes a deferred. Only its first completion has an effect. */
  const complete = <S extends Schema.Codec<unknown, unknown>>(
    deferred: DurableDeferred.DurableDeferred<S>,
    place: Place,
    value: S["Type"]
  ) =>
    DurableDeferred.succeed(deferred, {
      token: new DurableDeferred.TokenParsed({ ...place, deferredName: deferred.name }).asToken,
      value
    }).pipe(Effect.provideService(WorkflowEngine.WorkflowEngine, engine))

  /** Begins the wait of the running execution for a deferred, which the clock completes in the end. Returns its value if it is over. */
  const begun = Effect.fnUntraced(function* <S extends Schema.Codec<unknown, unknown>>(
    deferred: DurableDeferred.DurableDeferred<S>,
    ringing: DurableClock.DurableClock
  ) {
    const { awaitedDeferreds, executionId, workflow } = yield* WorkflowEngine.WorkflowInstance
    const match = yield* engine.deferredResult(deferred)
    if (Option.isSome(match)) return Result.succeed(yield* match.value)
    yield* engine.scheduleClock(workflow, { executionId, clock: ringing })
    let watched = 0
    const watch = (change: 1 | -1) => {
      watched += change
      awaitedDeferreds.set(deferred.name, (awaitedDeferreds.get(deferred.name) ?? 0) + change)
    }
    return Result.fail({
      watch: Effect.suspend(() => {
        watch(1)
        return Effect.map(engine.deferredResult(deferred), Option.isSome)
      }),
      unwatch: Effect.sync(() => {
        if (watched > 0) watch(-1)
        if (awaitedDeferreds.get(deferred.name) === 0) awaitedDeferreds.delete(deferred.name)
      }),
      value: DurableDeferred.await(deferred)
    })
  })

  return { begun, complete, result }
})

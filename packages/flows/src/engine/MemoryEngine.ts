/** The engine in memory. It keeps executions and their results until the process ends, and records no steps. */
import { createHmac, randomBytes } from "node:crypto"
import { Context, Effect, type Exit, Fiber, Option, type Schema, Scope } from "effect"
import * as Attempts from "./Attempts.ts"
import type * as Definition from "./Definition.ts"
import type { Shape } from "./Engine.ts"
import * as ExecutionStatus from "./ExecutionStatus.ts"
import * as HoldsOfFlow from "./HoldsOfFlow.ts"
import type { Open } from "./MemoryExecutions.ts"
import * as OpenEnds from "./OpenEnds.ts"
import * as OpenExecutions from "./OpenExecutions.ts"
import { IsResumed, idOf, run } from "./Performance.ts"
import * as Steps from "./Steps.ts"
import { type Origin, splitPayload } from "./StoredPayload.ts"

type F = Definition.Fields
type W = Definition.Written

/** Makes the engine. A flow has the services of the caller that began it, and the steps of the engine. */
export const make = (memory: Steps.Shape = Steps.makeMemory()): Shape => {
  const engine = {}
  const executions = OpenExecutions.make()
  const fingerprintKey = randomBytes(32)
  /** Returns a fingerprint, because the payload of an ended execution is not kept. */
  const fingerprintOf = Effect.fnUntraced(function* (flow: Parameters<typeof splitPayload>[0], payload: object) {
    const { stored } = yield* splitPayload(flow, payload, { merchant: "", openEnds: [] })
    return createHmac("sha256", fingerprintKey).update(JSON.stringify(stored.fields)).digest("hex")
  })

  /** Runs the program of an execution in a fiber of its own. */
  const runOnce = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    payload: Schema.Struct.Type<P>,
    id: string,
    { merchant, openEnds }: Origin,
    execution: Open,
    services: Context.Context<R>
  ) {
    const { entry, fingerprint } = execution
    const key = flow.idempotencyKey(payload)
    const owner = { flow: flow.name, id, part: "" }
    const steps = { ...executions.stepsOf(entry, memory), workflowId: key, merchant, owner }
    const ends = OpenEnds.make(openEnds, Context.get(services, IsResumed))
    const part = idOf(flow, { merchant, key })
    const own = Context.make(OpenEnds.Current, ends).pipe(Context.add(HoldsOfFlow.HoldsOfFlow, undefined))
    const settle = (exit: Exit.Exit<A["Type"], E["Type"]>) => {
      ends.leave(part, exit)
      const status = ExecutionStatus.ofExit(exit)
      if (status._tag === "Stuck") {
        entry.stuckOn = status.on
        return executions.changed(entry)
      }
      flow.memory(engine).end(id, { fingerprint, status, openEnds: ends.ids() })
      return Effect.sync(() => executions.remove(entry))
    }
    const program = run(flow, payload, { steps, isBegunBefore: ends.isBegunBefore, isOpen: ends.has(part) })
    execution.fiber = yield* Effect.scopedWith((scope) =>
      Effect.provideContext(program, Context.merge(services, Context.add(own, Scope.Scope, scope)))
    ).pipe(Effect.onExit(settle), Effect.forkDetach({ startImmediately: true }))
  })

  const store: Attempts.Store = {
    begin: Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Definition.Definition<N, P, A, E, R>,
      payload: Schema.Struct.Type<P>,
      id: string,
      origin: Origin
    ) {
      const fingerprint = yield* fingerprintOf(flow, payload)
      const services = yield* Effect.context<R>()
      const entry = yield* executions.entryOf(flow, id)
      const { begin, endedOf, openOf } = flow.memory(engine)
      if (openOf(id) !== undefined || endedOf(id) !== undefined) return "known" as const
      const execution: Open = {
        ...{ fingerprint, entry, callers: 0, isAbandoned: false },
        again: Effect.suspend(() => runOnce(flow, payload, id, { ...origin, openEnds: null }, execution, services))
      }
      begin(execution)
      executions.add(entry)
      yield* runOnce(flow, payload, id, origin, execution, services)
      return "begun" as const
    }),
    find: (flow, id) =>
      Effect.sync(() => {
        const { endedOf, openOf } = flow.memory(engine)
        const entry = openOf(id)?.entry
        if (entry === undefined) return Option.map(Option.fromUndefinedOr(endedOf(id)), ({ status }) => status)
        return Option.some(OpenExecutions.statusOf(entry))
      }),
    openEnds: (flow, id) => Effect.sync(() => flow.memory(engine).endedOf(id)?.openEnds ?? null),
    rest: (flow, id) =>
      Effect.suspend(() => {
        const fiber = flow.memory(engine).openOf(id)?.fiber
        const status = Effect.map(
          store.find(flow, id),
          Option.getOrElse(() => ExecutionStatus.running)
        )
        return fiber === undefined ? status : Effect.andThen(Fiber.await(fiber), status)
      }),
    isOther: (flow, payload, id) =>
      Effect.map(fingerprintOf(flow, payload), (fingerprint) => {
        const { endedOf, openOf } = flow.memory(engine)
        return (openOf(id) ?? endedOf(id))?.fingerprint !== fingerprint
      }),
    interrupt: (flow, id) =>
      Effect.suspend(() => {
        const { end, openOf } = flow.memory(engine)
        const execution = openOf(id)
        if (execution === undefined) return Effect.void
        const { entry, fiber, fingerprint } = execution
        if (entry.stuckOn === undefined) return fiber === undefined ? Effect.void : Fiber.interrupt(fiber)
        end(id, { fingerprint, status: { _tag: "Interrupted" }, openEnds: null })
        return Effect.sync(() => executions.remove(entry))
      }),
    resume: (flow, id) =>
      Effect.suspend(() => {
        const execution = flow.memory(engine).openOf(id)
        if (execution?.entry.stuckOn === undefined) return Effect.void
        execution.entry.stuckOn = undefined
        executions.add(execution.entry)
        return execution.again
      })
  }
  const { begin, execute: _execute, start: _start, resultOf, ...methods } = Attempts.make(store)

  /** Waits for an execution. It is interrupted with its last caller, because it uses the services of its callers. */
  const whileCalled = <A, E, R>(execution: Open, wait: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      execution.callers += 1
      return Effect.onInterrupt(wait, () => {
        execution.callers -= 1
        const { entry, fiber } = execution
        if (execution.callers > 0 || fiber === undefined || entry.stuckOn !== undefined) return Effect.void
        execution.isAbandoned = true
        return Fiber.interrupt(fiber)
      })
    })

  const execute: Shape["execute"] = (flow, payload, merchant) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(begin(flow, payload, merchant), (id) => {
        const execution = flow.memory(engine).openOf(id)
        if (execution === undefined) return restore(resultOf(flow, id))
        return Effect.flatMap(whileCalled(execution, restore(store.rest(flow, id))), () =>
          restore(execution.isAbandoned ? execute(flow, payload, merchant) : resultOf(flow, id))
        )
      })
    )

  return {
    ...methods,
    execute,
    start: (flow, payload, merchant) =>
      Effect.map(begin(flow, payload, merchant), (id) => {
        const execution = flow.memory(engine).openOf(id)
        if (execution !== undefined) execution.callers += 1
        return id
      }),
    register: () => Effect.void,
    signal: memory.signal,
    list: executions.list,
    settled: executions.settled,
    statistics: executions.statistics
  }
}

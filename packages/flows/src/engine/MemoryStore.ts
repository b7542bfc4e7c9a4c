/** The attempts of executions in the memory of a process. */
import { createHmac, randomBytes } from "node:crypto"
import { Context, Effect, type Exit, Fiber, Option, type Schema, Scope } from "effect"
import type * as Attempts from "./Attempts.ts"
import type { Definition, Fields as F, Written as W } from "./Definition.ts"
import * as ExecutionStatus from "./ExecutionStatus.ts"
import * as HoldsOfFlow from "./HoldsOfFlow.ts"
import type { Open } from "./MemoryExecutions.ts"
import * as OpenEnds from "./OpenEnds.ts"
import * as OpenExecutions from "./OpenExecutions.ts"
import { IsResumed, idOf, run } from "./Performance.ts"
import type * as Steps from "./Steps.ts"
import { type Origin, splitPayload } from "./StoredPayload.ts"

/** Runs the programs of executions, each in a fiber of its own. `engine`: the identity under which a flow keeps its executions. */
const runner = (engine: object, executions: OpenExecutions.OpenExecutions, memory: Steps.Shape) =>
  Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition<N, P, A, E, R>,
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

export const make = (
  engine: object,
  executions: OpenExecutions.OpenExecutions,
  memory: Steps.Shape
): Attempts.Store => {
  const runOnce = runner(engine, executions, memory)
  const fingerprintKey = randomBytes(32)
  /** Returns a fingerprint, because the payload of an ended execution is not kept. */
  const fingerprintOf = Effect.fnUntraced(function* (flow: Parameters<typeof splitPayload>[0], payload: object) {
    const { stored } = yield* splitPayload(flow, payload, { merchant: "", openEnds: [] })
    return createHmac("sha256", fingerprintKey).update(JSON.stringify(stored.fields)).digest("hex")
  })

  const store: Attempts.Store = {
    begin: Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
      flow: Definition<N, P, A, E, R>,
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
  return store
}

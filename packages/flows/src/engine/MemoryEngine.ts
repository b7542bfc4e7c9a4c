import { Effect, Fiber } from "effect"
import * as Attempts from "./Attempts.ts"
import type { Shape } from "./Engine.ts"
import type { Open } from "./MemoryExecutions.ts"
import * as MemoryStore from "./MemoryStore.ts"
import * as OpenExecutions from "./OpenExecutions.ts"
import * as Steps from "./Steps.ts"

/** Makes the engine. A flow has the services of the caller that began it, and the steps of the engine. */
export const make = (memory: Steps.Shape = Steps.makeMemory()): Shape => {
  const engine = {}
  const executions = OpenExecutions.make()
  const store = MemoryStore.make(engine, executions, memory)
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

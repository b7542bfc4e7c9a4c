/** The engine in memory: a flow runs in the fiber of its caller, and equal calls at the same time are joined. */
import { Effect, Equal, Option } from "effect"
import type { Shape } from "./Engine.ts"
import * as ExecutionStatus from "./ExecutionStatus.ts"
import { PayloadDiffers } from "./FlowError.ts"
import * as OpenExecutions from "./OpenExecutions.ts"
import { idOf, perform } from "./Performance.ts"
import * as Steps from "./Steps.ts"

/** Makes the engine. `steps`: the steps of its flows. */
export const make = (steps: Steps.Shape = Steps.makeMemory()): Shape => {
  const place = {}
  const runner = OpenExecutions.make()
  const { statistics } = runner
  const counted: Steps.Shape = {
    ...steps,
    step: (name, schemas, effect) =>
      Effect.suspend(() => {
        statistics.steps += 1
        return steps.step(name, schemas, effect)
      })
  }

  const execute: Shape["execute"] = (flow, payload, merchant) =>
    Effect.suspend(() => {
      const id = idOf(flow, { merchant, key: flow.idempotencyKey(payload) })
      const run = Effect.provideService(perform(flow, payload, merchant), Steps.Steps, counted)
      const join = (other: object) =>
        isSame(flow, other, payload) ? Effect.void : Effect.fail(new PayloadDiffers({ flow: flow.name, id }))
      return flow.memory.execute(place, id, payload, { join, run: runner.counted(flow, id, run) })
    })

  const poll: Shape["poll"] = (flow, identity) =>
    Effect.suspend(() => {
      const id = idOf(flow, identity)
      return Option.match(flow.memory.latest(place, id), {
        onNone: () => Effect.fail(new ExecutionStatus.NotStarted({ id })),
        onSome: (exit) => Effect.succeed(exit === undefined ? ExecutionStatus.running : ExecutionStatus.ofExit(exit))
      })
    })

  return {
    execute,
    start: (flow, payload, merchant) =>
      Effect.as(
        Effect.forkDetach(Effect.exit(execute(flow, payload, merchant)), { startImmediately: true }),
        idOf(flow, { merchant, key: flow.idempotencyKey(payload) })
      ),
    poll,
    ended: (flow, identity) => Effect.andThen(flow.memory.wait(place, idOf(flow, identity)), poll(flow, identity)),
    interrupt: (flow, identity) => flow.memory.interrupt(place, idOf(flow, identity)),
    resume: () => Effect.void,
    register: () => Effect.void,
    signal: steps.signal,
    list: runner.list,
    settled: runner.settled,
    statistics
  }
}

/** Whether two payloads are equal, except for the fields that are never stored. */
const isSame = ({ neverPersisted }: { readonly neverPersisted: ReadonlyArray<string> }, one: object, other: object) => {
  const compared = (payload: object) =>
    Object.fromEntries(Object.entries(payload).filter(([name]) => !neverPersisted.includes(name)))
  return Equal.equals(compared(one), compared(other))
}

/** The executions of one flow in the memory of a process, on each engine. */
import type { Effect, Fiber } from "effect"
import type { ExecutionStatus, Wait } from "./ExecutionStatus.ts"
import type * as OpenEnds from "./OpenEnds.ts"
import { Recent } from "./Recent.ts"

/** Number of ended executions of a flow that are remembered. Beyond it the oldest are dropped. */
const mostRemembered = 10_000

/** An execution that has ended. */
interface Ended<A, E> {
  /** The fingerprint of its payload. */
  readonly fingerprint: string
  readonly status: ExecutionStatus<A, E>
  readonly openEnds: OpenEnds.Ids
}

/** What the program of an open execution does now. */
export interface Entry {
  readonly id: string
  readonly flow: string
  readonly startedAtMs: number
  changedAtMs: number
  stuckOn: string | undefined
  readonly waits: Set<Wait>
  /** Number of steps that are executed now. */
  steps: number
}

/** An execution that runs, waits or is stuck. */
export interface Open {
  readonly fingerprint: string
  entry: Entry
  /** The run of its program. */
  fiber?: Fiber.Fiber<unknown, unknown>
  /** Runs its program again after a defect. */
  readonly again: Effect.Effect<void>
  /** Number of callers that wait for its result. It is interrupted with the last one, unless it was started without waiting. */
  callers: number
  /** Whether it was interrupted with its last caller. */
  isAbandoned: boolean
}

/** The executions of one flow on one engine. */
export interface MemoryExecutions<A, E> {
  readonly open: Map<string, Open>
  readonly ended: Recent<Ended<A, E>>
}

/** Returns the executions on an engine. */
export type OnEngine<A, E> = (engine: object) => MemoryExecutions<A, E>

/** Makes the memory of a flow. */
export const make = <A, E>(): OnEngine<A, E> => {
  const engines = new WeakMap<object, MemoryExecutions<A, E>>()
  return (engine) => {
    const executions = engines.get(engine) ?? { open: new Map(), ended: new Recent<Ended<A, E>>(mostRemembered) }
    engines.set(engine, executions)
    return executions
  }
}

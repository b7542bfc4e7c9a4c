/** The executions of one flow in the memory of a process, on each engine. */
import type { Effect, Fiber } from "effect"
import type { ExecutionStatus, Wait } from "./ExecutionStatus.ts"
import type * as OpenEnds from "./OpenEnds.ts"
import { Recent } from "./Recent.ts"

/** Number of identities of a flow that are remembered while no attempt is open. Beyond it the oldest are dropped. */
const mostRemembered = 10_000
/** Number of attempts under one identity whose results are remembered. */
const mostAttempts = 100

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

/** The attempts under one identity. They are forgotten together, and not while one is open. */
interface Attempts<A, E> {
  open: Open | undefined
  /** The latest ones. */
  readonly ended: Recent<Ended<A, E>>
  /** The last one that has ended, which stands for all that are dropped: only their existence matters. */
  last?: { readonly number: number; readonly ended: Ended<A, E> }
}

/** The executions of one flow on one engine, by the ids of their attempts. */
export interface MemoryExecutions<A, E> {
  readonly openOf: (id: string) => Open | undefined
  readonly endedOf: (id: string) => Ended<A, E> | undefined
  readonly begin: (execution: Open) => void
  readonly end: (id: string, ended: Ended<A, E>) => void
}

/** Returns the executions on an engine. */
export type OnEngine<A, E> = (engine: object) => MemoryExecutions<A, E>

const onEngine = <A, E>(flow: string): MemoryExecutions<A, E> => {
  const open = new Map<string, Attempts<A, E>>()
  const ended = new Recent<Attempts<A, E>>(mostRemembered)
  // The number of an attempt after the first one follows the name of the flow.
  const identityOf = (id: string) => id.slice(flow.length).replace(/^#\d+/, "")
  const numberOf = (id: string) => Number(/^#(\d+)/.exec(id.slice(flow.length))?.[1] ?? 1)
  const attemptsOf = (id: string) => {
    const identity = identityOf(id)
    return (
      open.get(identity) ?? ended.get(identity) ?? { open: undefined, ended: new Recent<Ended<A, E>>(mostAttempts) }
    )
  }
  return {
    openOf: (id) => {
      const { open: execution } = attemptsOf(id)
      return execution?.entry.id === id ? execution : undefined
    },
    endedOf: (id) => {
      const { ended, last } = attemptsOf(id)
      return ended.get(id) ?? (last !== undefined && numberOf(id) < last.number ? last.ended : undefined)
    },
    begin: (execution) => {
      const { id } = execution.entry
      const attempts = attemptsOf(id)
      attempts.open = execution
      ended.delete(identityOf(id))
      open.set(identityOf(id), attempts)
    },
    end: (id, end) => {
      const attempts = attemptsOf(id)
      attempts.open = undefined
      attempts.ended.set(id, end)
      attempts.last = { number: numberOf(id), ended: end }
      open.delete(identityOf(id))
      ended.set(identityOf(id), attempts)
    }
  }
}

/** Makes the memory of a flow. */
export const make = <A, E>(flow: string): OnEngine<A, E> => {
  const engines = new WeakMap<object, MemoryExecutions<A, E>>()
  return (engine) => {
    const executions = engines.get(engine) ?? onEngine<A, E>(flow)
    engines.set(engine, executions)
    return executions
  }
}

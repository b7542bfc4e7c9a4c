/** The open executions of an engine in memory, by flow and state. */
import { Clock, Duration, Effect } from "effect"
import type { OpenExecution, Shape } from "./Engine.ts"
import * as ExecutionStatus from "./ExecutionStatus.ts"
import type { Entry } from "./MemoryExecutions.ts"
import type * as Steps from "./Steps.ts"

/** Returns the state of an open execution. It waits when none of its parts does anything else. */
const stateOf = ({ steps, stuckOn, waits }: Entry): OpenExecution["state"] => {
  if (stuckOn !== undefined) return "stuck"
  return steps === 0 && waits.size > 0 ? "waiting" : "running"
}

/** Returns the status of an open execution. */
export const statusOf = (entry: Entry): ExecutionStatus.ExecutionStatus<never, never> => {
  if (entry.stuckOn !== undefined) return ExecutionStatus.stuck(entry.stuckOn)
  return stateOf(entry) === "waiting" ? ExecutionStatus.waiting([...entry.waits]) : ExecutionStatus.running
}

/** The list and the counters of an engine. */
export interface OpenExecutions extends Pick<Shape, "list" | "settled"> {
  readonly statistics: { runs: number; steps: number }
  /** Makes the entry of an execution. */
  readonly entryOf: (flow: { readonly name: string }, id: string) => Effect.Effect<Entry>
  /** Adds an execution that begins, or continues after a defect. */
  readonly add: (entry: Entry) => void
  readonly remove: (entry: Entry) => void
  readonly changed: (entry: Entry) => Effect.Effect<void>
  /** Returns the steps with which the program of an execution runs. */
  readonly stepsOf: (entry: Entry, steps: Steps.Shape) => Steps.Shape
}

export const make = (): OpenExecutions => {
  const open = new Map<string, Entry>()
  const statistics = { runs: 0, steps: 0 }
  const whenQuiet: Array<() => void> = []
  const isQuiet = () => [...open.values()].every((entry) => stateOf(entry) !== "running")
  const notify = () => {
    if (whenQuiet.length > 0 && isQuiet()) for (const resume of whenQuiet.splice(0)) resume()
  }

  const changed: OpenExecutions["changed"] = (entry) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => {
      entry.changedAtMs = nowMs
      notify()
    })
  /** Changes what an execution does while the effect runs. */
  const during = (entry: Entry, begin: () => void, end: () => void) => {
    const change = (work: () => void) => Effect.andThen(Effect.sync(work), changed(entry))
    return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        change(begin),
        () => effect,
        () => change(end)
      )
  }
  const waiting = <A, E, R>(
    entry: Entry,
    { key, name, timeout }: Pick<Steps.Awaited, "timeout"> & { readonly name: string; readonly key?: string },
    effect: Effect.Effect<A, E, R>
  ) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
      const wait: ExecutionStatus.Wait = { name, key, dueAtMs: nowMs + Duration.toMillis(timeout) }
      return during(
        entry,
        () => entry.waits.add(wait),
        () => entry.waits.delete(wait)
      )(effect)
    })

  return {
    statistics,
    entryOf: (flow, id) =>
      Effect.map(Clock.currentTimeMillis, (nowMs) => ({
        ...{ id, flow: flow.name, startedAtMs: nowMs, changedAtMs: nowMs },
        ...{ stuckOn: undefined, waits: new Set(), steps: 0 }
      })),
    add: (entry) => {
      statistics.runs += 1
      open.set(entry.id, entry)
    },
    remove: ({ id }) => {
      open.delete(id)
      notify()
    },
    changed,
    stepsOf: (entry, steps) => ({
      ...steps,
      step: (name, schemas, effect) => {
        const begin = () => {
          statistics.steps += 1
          entry.steps += 1
        }
        const end = () => {
          entry.steps -= 1
        }
        return during(entry, begin, end)(steps.step(name, schemas, effect))
      },
      sleep: (name, duration) => waiting(entry, { name, timeout: duration }, steps.sleep(name, duration)),
      awaitSignal: (name, awaited) => waiting(entry, { name, ...awaited }, steps.awaitSignal(name, awaited))
    }),
    list: ({ after, limit, state }) =>
      Effect.sync(() =>
        [...open.values()]
          .filter((entry) => stateOf(entry) === state && (after === undefined || compare(after, entry) < 0))
          .sort(compare)
          .slice(0, limit)
          .map(({ steps: _, stuckOn, waits, ...entry }) => ({
            ...entry,
            state,
            waits: [...waits],
            ...(stuckOn === undefined ? {} : { stuckOn })
          }))
      ),
    settled: Effect.callback<void>((resume) => {
      if (isQuiet()) resume(Effect.void)
      else whenQuiet.push(() => resume(Effect.void))
    })
  }
}

type Position = Pick<OpenExecution, "changedAtMs" | "id">

/** Compares two executions: the one that is unchanged for longer comes first. */
export const compare = (one: Position, other: Position): number =>
  one.changedAtMs - other.changedAtMs || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)

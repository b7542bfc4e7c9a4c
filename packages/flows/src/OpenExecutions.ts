/** The executions that run in this process, for an engine that keeps no list of its own. */
import { Cause, Clock, Effect, Exit } from "effect"
import type { OpenExecution, Shape } from "./Engine.ts"

/** The list and the counters of an engine. */
export interface OpenExecutions extends Pick<Shape, "list" | "settled"> {
  readonly statistics: { runs: number; steps: number }
  /** Runs an execution, and lists it until it has ended. An execution that is suspended by an interruption waits. */
  readonly counted: <A, E, R>(
    flow: { readonly name: string },
    id: string,
    run: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}

export const make = (): OpenExecutions => {
  const open = new Map<string, OpenExecution>()
  const statistics = { runs: 0, steps: 0 }
  const whenQuiet: Array<() => void> = []
  const isQuiet = () => [...open.values()].every(({ state }) => state !== "running")

  const change = (id: string, execution: OpenExecution | undefined) => {
    open.delete(id)
    if (execution !== undefined) open.set(id, execution)
    if (isQuiet()) for (const resume of whenQuiet.splice(0)) resume()
  }

  return {
    statistics,
    counted: (flow, id, run) =>
      Effect.flatMap(Clock.currentTimeMillis, (changedAtMs) => {
        statistics.runs += 1
        const startedAtMs = open.get(id)?.startedAtMs ?? changedAtMs
        const execution = { id, flow: flow.name, startedAtMs, changedAtMs, waits: [] }
        change(id, { ...execution, state: "running" })
        return Effect.onExit(run, (exit) =>
          Effect.sync(() => {
            if (Exit.isSuccess(exit) || Cause.hasFails(exit.cause)) change(id, undefined)
            else if (Cause.hasInterruptsOnly(exit.cause)) change(id, { ...execution, state: "waiting" })
            else change(id, { ...execution, state: "stuck", stuckOn: String(Cause.squash(exit.cause)) })
          })
        )
      }),
    list: ({ after, limit, state }) =>
      Effect.sync(() => {
        const all = [...open.values()].filter((execution) => execution.state === state)
        return all.slice(after === undefined ? 0 : all.findIndex(({ id }) => id === after.id) + 1).slice(0, limit)
      }),
    settled: Effect.callback<void>((resume) => {
      if (isQuiet()) resume(Effect.void)
      else whenQuiet.push(() => resume(Effect.void))
    })
  }
}

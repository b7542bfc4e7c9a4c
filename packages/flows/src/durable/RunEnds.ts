/** Tells the callers in this process that a run of an execution has ended here. */
import { Effect } from "effect"

export interface RunEnds {
  readonly tell: (storedId: string) => void
  /** Completes at the next end of a run in this process. */
  readonly next: (storedId: string) => Effect.Effect<void>
}

export const make = (): RunEnds => {
  const callers = new Map<string, Set<() => void>>()
  return {
    tell: (storedId) => {
      // A caller may wait again at once.
      for (const wake of [...(callers.get(storedId) ?? [])]) wake()
    },
    next: (storedId) =>
      Effect.callback((resume) => {
        const wake = () => resume(Effect.void)
        const others = callers.get(storedId) ?? new Set()
        callers.set(storedId, others.add(wake))
        return Effect.sync(() => {
          others.delete(wake)
          if (others.size === 0) callers.delete(storedId)
        })
      })
  }
}

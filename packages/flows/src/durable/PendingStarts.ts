import type { PendingFields } from "../NeverStored.ts"

/**
 * Holds the fields that are never stored until the first run of their flow. They are in the memory of the process that received
 * them until the flow has been begun once. A flow that has not been begun when the process ends runs without them. A flow that
 * finds no fields has been begun before, by this process or another one.
 */
export interface PendingStarts {
  /**
   * Holds the fields of a start. Several calls may start one flow at once, and only the stored record decides which of them
   * started it. `release` removes the fields of this call.
   */
  readonly hold: (executionId: string, fields: PendingFields) => { readonly release: () => void }
  /** Returns and removes the fields of an execution. */
  readonly take: (executionId: string) => PendingFields | undefined
}

export const make = (): PendingStarts => {
  const pending = new Map<string, ReadonlyArray<PendingFields>>()
  return {
    hold: (executionId, fields) => {
      pending.set(executionId, [...(pending.get(executionId) ?? []), fields])
      return {
        release: () => {
          const others = pending.get(executionId)?.filter((other) => other !== fields) ?? []
          if (others.length === 0) pending.delete(executionId)
          else pending.set(executionId, others)
        }
      }
    },
    take: (executionId) => {
      const [first] = pending.get(executionId) ?? []
      pending.delete(executionId)
      return first
    }
  }
}

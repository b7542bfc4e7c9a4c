/** The fields of one start that are never stored. */
export interface PendingStart {
  readonly fields: object
  /** Whether the flow had ended with an unknown outcome before and is started again. */
  readonly isReopened: boolean
}

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
  readonly hold: (executionId: string, start: PendingStart) => { readonly release: () => void }
  /** Returns and removes the fields of an execution. */
  readonly take: (executionId: string) => PendingStart | undefined
}

export const make = (): PendingStarts => {
  const pending = new Map<string, ReadonlyArray<PendingStart>>()
  return {
    hold: (executionId, start) => {
      pending.set(executionId, [...(pending.get(executionId) ?? []), start])
      return {
        release: () => {
          const others = pending.get(executionId)?.filter((other) => other !== start) ?? []
          if (others.length === 0) pending.delete(executionId)
          else pending.set(executionId, others)
        }
      }
    },
    take: (executionId) => {
      const starts = pending.get(executionId)
      pending.delete(executionId)
      const [first] = starts ?? []
      return first && { ...first, isReopened: starts?.some(({ isReopened }) => isReopened) === true }
    }
  }
}

export interface Brought {
  readonly fields: object
  /** It had ended before, and is begun anew. */
  readonly isReopened: boolean
}

/**
 * Where fields that are never written down wait for the first run of their flow: in the memory of the process that was
 * given them, until the flow has been begun once. Whoever has not been begun when the process ends does without. Who finds
 * no seat has been begun before, by this process or another one.
 */
export interface PendingStarts {
  /** Keeps them. Several may begin one flow at once: whose start it was is told only by the disk. */
  readonly seat: (executionId: string, brought: Brought) => { readonly leave: () => void }
  /** Gives what somebody brought, once. */
  readonly take: (executionId: string) => Brought | undefined
}

export const make = (): PendingStarts => {
  const seats = new Map<string, ReadonlyArray<Brought>>()
  return {
    seat: (executionId, brought) => {
      seats.set(executionId, [...(seats.get(executionId) ?? []), brought])
      return {
        leave: () => {
          const others = seats.get(executionId)?.filter((other) => other !== brought) ?? []
          if (others.length === 0) seats.delete(executionId)
          else seats.set(executionId, others)
        }
      }
    },
    take: (executionId) => {
      const those = seats.get(executionId)
      seats.delete(executionId)
      const [first] = those ?? []
      return first && { ...first, isReopened: those?.some(({ isReopened }) => isReopened) === true }
    }
  }
}

export interface Brought {
  readonly fields: object
  /** It had ended before, and is begun anew. */
  readonly isRenewed: boolean
}

/**
 * Where fields that are never written down wait for the first run of their flow: in the memory of the process that was
 * given them, until the flow has been begun once. Whoever has not been begun when the process ends does without. Who finds
 * no seat has been begun before, by this process or another one.
 */
export interface WaitingRoom {
  /** Keeps them, unless somebody waits under the id already. */
  readonly seat: (executionId: string, brought: Brought) => { readonly leave: () => void }
  /** Gives them, once. */
  readonly take: (executionId: string) => Brought | undefined
}

export const make = (): WaitingRoom => {
  const seats = new Map<string, Brought>()
  return {
    seat: (executionId, brought) => {
      const isNeeded = !seats.has(executionId)
      if (isNeeded) seats.set(executionId, brought)
      return {
        leave: () => {
          if (isNeeded && seats.get(executionId) === brought) seats.delete(executionId)
        }
      }
    },
    take: (executionId) => {
      const brought = seats.get(executionId)
      seats.delete(executionId)
      return brought
    }
  }
}

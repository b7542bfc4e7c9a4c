/**
 * Where fields that are never written down wait for the first run of their flow: in the memory of the process that was
 * given them, until the flow has been begun once. Whoever has not been begun when the process ends does without.
 */
export interface WaitingRoom {
  /** Keeps them, unless somebody waits under the id already. */
  readonly seat: (executionId: string, fields: object) => { readonly leave: () => void }
  /** Gives them, once. */
  readonly take: (executionId: string) => object
}

export const make = (): WaitingRoom => {
  const seats = new Map<string, object>()
  return {
    seat: (executionId, fields) => {
      const isNeeded = Object.keys(fields).length > 0 && !seats.has(executionId)
      if (isNeeded) seats.set(executionId, fields)
      return {
        leave: () => {
          if (isNeeded && seats.get(executionId) === fields) seats.delete(executionId)
        }
      }
    },
    take: (executionId) => {
      const fields = seats.get(executionId) ?? {}
      seats.delete(executionId)
      return fields
    }
  }
}

/**
 * Which requests of late were answered, by the `serial-number` that each answer has of its own: a second copy of an answer, left
 * over on a connection, is not the answer to the request that is sent next.
 */

/** So many are remembered; the oldest give way. */
const most = 10_000

export interface Answered {
  /** Whether this is the first answer of that number. */
  readonly isFirst: (serialNumber: string) => boolean
}

export const make = (): Answered => {
  const numbers = new Set<string>()
  return {
    isFirst: (serialNumber) => {
      if (numbers.has(serialNumber)) return false
      numbers.add(serialNumber)
      const [oldest] = numbers
      if (numbers.size > most && oldest !== undefined) numbers.delete(oldest)
      return true
    }
  }
}

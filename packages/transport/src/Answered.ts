/**
 * Which requests of late were answered, by the `serial-number` that each answer has of its own: a second copy of an answer, left
 * over on a connection, is not the answer to the request that is sent next.
 */

/** So many at least are remembered, twice as many at most; the oldest give way together, which costs nothing each time. */
const many = 5000

export interface Answered {
  /** Whether this is the first answer of that number. */
  readonly isFirst: (serialNumber: string) => boolean
}

export const make = (): Answered => {
  let latest = new Set<string>()
  let before = latest
  return {
    isFirst: (serialNumber) => {
      if (latest.has(serialNumber) || before.has(serialNumber)) return false
      latest.add(serialNumber)
      if (latest.size === many) {
        before = latest
        latest = new Set()
      }
      return true
    }
  }
}

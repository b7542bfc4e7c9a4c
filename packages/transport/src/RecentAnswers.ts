/**
 * The recent answers by their `serial-number`, which differs in every answer. If a second copy of an answer is left on a
 * connection, it is not taken for the answer to the next request.
 */
import * as KeptText from "@pay/schema/KeptText"

/**
 * Number of serial numbers that are remembered at least; at most twice as many are. The older half is dropped as a whole, which
 * is cheap.
 */
const many = 5000

/** The answers that one client has received recently. */
export interface RecentAnswers {
  /** Whether this is the first answer with the serial number. The number is remembered. */
  readonly isFirst: (serialNumber: string) => boolean
}

export const make = (): RecentAnswers => {
  let latest = new Set<string>()
  let before = latest
  return {
    isFirst: (serialNumber) => {
      if (latest.has(serialNumber) || before.has(serialNumber)) return false
      latest.add(KeptText.of(serialNumber))
      if (latest.size === many) {
        before = latest
        latest = new Set()
      }
      return true
    }
  }
}

/** Calls of one client, evenly spaced: so many a second at most, each in its turn. */

/** The moment from which a call may go, and nothing is said twice of one moment. */
export interface Pace {
  /** How long this call has to wait for its turn; more than `mostMs`, and it has no turn. */
  readonly take: (nowMs: number, mostMs: number) => number
}

/** No two calls are nearer to each other than the pace says, also after a rest: a gateway may count in any window. */
export const make = (callsPerSecond: number): Pace => {
  const spacingMs = 1000 / callsPerSecond
  let freeAtMs = Number.NEGATIVE_INFINITY
  return {
    take: (nowMs, mostMs) => {
      const turnMs = Math.max(nowMs, freeAtMs)
      const waitMs = turnMs - nowMs
      if (waitMs <= mostMs) freeAtMs = turnMs + spacingMs
      return waitMs
    }
  }
}

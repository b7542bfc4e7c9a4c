/** Spaces the calls of one client evenly, to a limited number per second. */

/** Reserves the time at which each call may begin. */
export interface Pace {
  /**
   * Reserves the next time for a call. Returns how long the call has to wait, in milliseconds. If this is more than `mostMs`, no
   * time is reserved.
   */
  readonly take: (nowMs: number, mostMs: number) => number
}

/**
 * Makes a pace. Two calls are never closer than the pace permits, also after an idle time, because a gateway may count calls in
 * any window.
 */
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

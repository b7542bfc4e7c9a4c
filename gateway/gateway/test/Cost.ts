/**
 * What work costs: processor time of this thread. Compared within one run, and of several repetitions the cheapest counts,
 * so that neighbours on the same cores do not.
 */

/** Whatever anybody sends may cost so many times what a plain refusal of the same size does. */
export const mostTimes = 5

/** Asking for the whole process first makes the kernel bring its figures up to date. */
export const micros = (): number => {
  process.cpuUsage()
  const { system, user } = process.threadCpuUsage()
  return user + system
}

/** The cheapest of ten turns, after one that warms up, in microseconds. */
export const cheapest = (work: () => unknown): number => {
  const turns = Array.from({ length: 11 }, () => {
    const start = micros()
    work()
    return micros() - start
  })
  return Math.max(1, Math.min(...turns.slice(1)))
}

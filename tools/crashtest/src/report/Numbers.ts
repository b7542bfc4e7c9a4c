/** Numbers in reports, as people read them. */

const grouped = new Intl.NumberFormat("en-US")

/** Returns a whole number with a comma between thousands: `1,000`. */
export const whole = (count: number): string => grouped.format(count)

/** Returns a number with the word that follows it: `1 payment`, `1,000 payments`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${whole(count)} ${count === 1 ? one : many}`

/** Returns a duration in the unit in which it is short: `312 ms`, `12.3 s`, `5 min`, `26 h`. */
export const duration = (ms: number): string => {
  if (ms < 10_000) return `${whole(Math.round(ms))} ms`
  const seconds = ms / 1000
  if (seconds < 120) return `${seconds.toFixed(1)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${whole(Math.round(minutes / 60))} h`
}

/** A moment as `status` says it: `2026-11-21 14:05:09 UTC`. */

const dayMs = 86_400_000

/** Caches the text of one day. Status polls nearly always ask for today's date. */
let cached = { day: Number.NaN, text: "" }

const dateOf = (day: number): string => {
  if (day !== cached.day) cached = { day, text: new Date(day * dayMs).toISOString().slice(0, 10) }
  return cached.text
}

const two = (n: number): string => (n < 10 ? `0${n}` : `${n}`)

export const text = (atMs: number): string => {
  const day = Math.floor(atMs / dayMs)
  const seconds = Math.floor((atMs - day * dayMs) / 1000)
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return `${dateOf(day)} ${time} UTC`
}

/** The lines that `npm run test:external` prints while it runs: what begins, what worked or failed, and what is left out. */

export type Print = (line: string) => void

export const begins = (what: string): string => `begins ${what}`

export const ended = (what: string, problem: string | undefined): string =>
  problem === undefined ? `ok     ${what}` : `FAILED ${what}: ${problem}`

export const leftOut = (what: string, why: string): string => `left   ${what}: ${why}`
